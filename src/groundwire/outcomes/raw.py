"""Outputs as terminals print them and as the harness cuts them; few outputs are either."""

from __future__ import annotations

from groundwire.outcomes.clean import CUT_ENDS, PERSISTED, PERSISTED_END

_SUMMARY_ENDS = (" total", " failures", " failure")
_FRAME = "=="
_PREVIEW = "Preview (first "
_BELL = "\x07"


def as_shown(text: str) -> str:
    """Return ``text`` as a terminal shows it: without escapes, the last state of each line."""
    pieces = text.split("\x1b")
    text = pieces[0] + "".join(map(_skip_escape, pieces[1:]))
    return "\n".join(map(_last_state, text.split("\n"))) if "\r" in text else text


def _skip_escape(piece: str) -> str:
    """Return what follows the escape sequence that ``piece`` (without its ESC) begins with.

    No sequence goes beyond its line; of one that is cut off the line ends.
    """
    line, end, others = piece.partition("\n")
    if line.startswith("["):
        ends = (index for index, char in enumerate(line[1:], 2) if "@" <= char <= "~")
        line = line[next(ends, len(line)) :]
    elif line.startswith("]"):  # title or hyperlink, up to a bell or the next ESC
        line = line.partition(_BELL)[2]
    else:  # or the choice of a character set
        line = line[2:] if line.startswith(("(", ")")) else line[1:]
    return line + end + others


def _last_state(line: str) -> str:
    if "\r" not in line:
        return line
    return next((state for state in reversed(line.split("\r")) if state.strip()), "")


def _is_complete_summary(line: str) -> bool:
    """Tell whether the line before a cut is the summary of a run from its beginning to its end.

    "42 passed in 1.20s", "18 passed, 18 total", "Failures: 0, Errors: 0, Skipped: 0",
    "14 examples, 0 failures", "Tests  18 passed (18)", "ok. 3 passed; ...; finished in 0.00s".
    """
    text = line.strip(" =")
    last = text.rpartition(" ")[2]
    if text.endswith(_SUMMARY_ENDS):
        return any(char.isdigit() for char in text)
    if last.endswith("s") and last[:-1].replace(".", "", 1).isdigit():
        return " in " in text[-len(last) - 4 :]
    counted = last.isdigit() and ", Skipped: " in text
    return counted or (last.startswith("(") and last.endswith(")") and last[1:-1].isdigit())


def whole_lines(lines: list[str]) -> list[str]:
    """Return the lines without those that a cut of the harness may have made halves."""
    kept: list[str] = []
    after_cut = False
    for line in lines:
        if line.endswith(CUT_ENDS) or line == PERSISTED_END:
            while kept and not kept[-1].strip(" ."):
                kept.pop()
            if kept and not _is_complete_summary(kept[-1]):
                del kept[-1:]
            after_cut = line != PERSISTED_END
        elif line.startswith(_PREVIEW) and PERSISTED in lines[0]:
            kept.clear()
        elif after_cut and line.strip():
            after_cut = False
            if line.startswith(_FRAME) and line.rstrip().endswith(_FRAME):  # both ends are there
                kept.append(line)
        elif not after_cut:
            kept.append(line)
    return kept
