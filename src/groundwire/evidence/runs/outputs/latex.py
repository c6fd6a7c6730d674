"""pdflatex, latexmk and kin: ``Output written on paper.pdf``, ``! Undefined control sequence.``."""

from __future__ import annotations

from groundwire.evidence.runs.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.evidence.runs.outputs.lines import brief

_BEGINNING = "This is "  # "This is pdfTeX, Version ..."
_ERROR = "! "
_FAILED = (
    "Latexmk: Errors, ",
    "Latexmk: Could not find ",
    "Collected error summary",
    "No PDF file produced",
)
_NO_OUTPUT = "no output PDF file produced"
_OUTPUT = "Output written on "
_UP_TO_DATE = ("Latexmk: All targets ", "Latexmk: Nothing to do for ")
_UNDEFINED = "LaTeX Warning: There were undefined "
_UNRESOLVED = "  Latex failed to resolve "
_EMPTY = "No pages of output."


def parse(output: str) -> Outcome | None:
    """Read the first error, else that a file was written; the line tells undefined references.

    TeX writes its file in spite of errors: without the beginning of its output it may have had any.
    """
    error = written = sure = undefined = unresolved = empty = ""
    begun = False
    for line in output.split("\n"):
        begun = begun or (line.startswith(_BEGINNING) and "TeX" in line)
        if _is_error(line):
            error = error or line
        elif line.startswith(_OUTPUT):
            written = line
        elif line.startswith(_UP_TO_DATE):
            sure = line
        elif line.startswith(_UNDEFINED):
            undefined = line
        elif line.startswith(_UNRESOLVED):
            unresolved = line
        elif line == _EMPTY:
            empty = line
    # latexmk runs TeX until all is resolved; its own verdict stands behind the runs
    if error and (not sure or error.startswith("Latexmk")):
        return Outcome(FAILED, line=brief(error))
    if sure:
        return Outcome(PASSED, line=brief(unresolved or sure))
    if written and begun:
        return Outcome(PASSED, line=brief(undefined or written))
    return Outcome(UNKNOWN, total=0, line=brief(empty)) if empty and begun else None


def _is_error(line: str) -> bool:
    """Tell whether ``line`` is "! Emergency stop.", "./a.tex:4: Undefined ..." or latexmk's."""
    if line.startswith((_ERROR, *_FAILED)) or _NO_OUTPUT in line:
        return True
    file, _, rest = line.partition(".tex:")
    return bool(rest) and " " not in file and rest.partition(":")[0].isdigit()
