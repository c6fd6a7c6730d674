"""The output of a tool as plain lines, without what terminals, CI and the harness put there."""

from __future__ import annotations

_LONGEST_LINE = 200
#: Ends of marks that the harness leaves where it cut a text; the lines beside them are halves.
CUT_ENDS = (" truncated] ...", "[output truncated]")
PERSISTED = "<persisted-output>"
PERSISTED_END = "</persisted-output>"
_SHAPE = str.maketrans("0123456789", "##########")
#: Lines at both ends of a text in which a prefix must show, and how many of them must have it.
_SAMPLE, _LEAST_LINES = 20, 3
_LONGEST_NAME = 60
#: Texts that were cleaned last: several questions about a turn begin with the same results.
_CLEANED: dict[str, str] = {}
_MOST_KEPT, _LONGEST_KEPT = 64, 50_000


def clean(output: str) -> str:
    """Return ``output`` without escapes, overwritten text, prefixes of CI and half lines.

    Lines end at ``\\n``. Of a line that a carriage return overwrites, the last state stays. A line
    that stands beside a cut mark of the harness may be half a line ("12 passed" of "112 passed")
    and is dropped with the mark, unless it is a whole summary. Linear in the text.
    """
    text = _CLEANED.get(output)
    if text is None:
        text = _clean(output)
        if len(output) <= _LONGEST_KEPT:
            if len(_CLEANED) >= _MOST_KEPT:
                _CLEANED.clear()
            _CLEANED[output] = text
    return text


def tail_after_cut(output: str) -> str | None:
    """Return what stands behind the last cut of the harness, from its mark on; None: it is whole.

    A success above a cut may be followed by a failure that was cut off.
    """
    if PERSISTED in output:
        return output.rpartition(PERSISTED_END)[2]
    at = max(output.rfind(end) for end in CUT_ENDS)
    return output[output.rfind("\n", 0, at) + 1 :] if at >= 0 else None


def brief(line: str) -> str:
    """Return ``line`` as ``Outcome.line`` wants it: stripped of blanks and bars, 200 characters."""
    return line.strip().strip("= ")[:_LONGEST_LINE]


def is_number(word: str) -> bool:
    """Tell whether ``word`` is a count: ASCII digits, few enough to be one."""
    return word.isascii() and word.isdigit() and len(word) <= 12


def _clean(output: str) -> str:
    text = output
    if "\x1b" in text or "\r" in text:
        text = as_shown(text)
    lines = text.split("\n")
    whole = lines
    if any(end in text for end in CUT_ENDS) or PERSISTED in text:
        whole = whole_lines(lines)
    kept = _without_prefixes(whole)
    return text if kept is lines else "\n".join(kept)


def _without_prefixes(lines: list[str]) -> list[str]:
    """Drop times, job names, step numbers and package names that CI and runners put before lines.

    Lines of several packages that run at the same time are put together by package.
    """
    ends = (*lines[:_SAMPLE], *lines[-_SAMPLE:])
    sample = [it for it in ends if it[10:11] == "T" or it[:1] == "#" or it.count("\t") > 1]
    if sum(_without_ci(line) != line for line in sample) >= _LEAST_LINES:
        lines = [_without_ci(line) for line in lines]
        ends = (*lines[:_SAMPLE], *lines[-_SAMPLE:])
    sample = [it for it in ends if it[:_LONGEST_NAME].partition(": ")[0].count(" ") < 2]
    if sum(bool(_package(line)) for line in sample if ":" in line) >= _LEAST_LINES:
        packages: dict[str, list[str]] = {}
        for line in lines:
            name = _package(line)
            packages.setdefault(name, []).append(line[len(name) + 2 :] if name else line)
        rest = packages.pop("", [])
        lines = [line for group in packages.values() for line in group] + rest
    return lines


def _without_ci(line: str) -> str:
    """Drop "job<TAB>step<TAB>time " (``gh run view --log``), "time " or "#7 0.52 " (docker)."""
    cells = line.split("\t", 2)
    text = cells[2] if len(cells) == 3 and _has_date(cells[2]) else line
    if _has_date(text):
        return text.partition(" ")[2]
    step, _, rest = text.partition(" ")
    seconds, _, behind = rest.partition(" ")
    whole, dot, part = seconds.partition(".")
    is_step = step[:1] == "#" and step[1:].isdigit()
    return behind if is_step and dot and whole.isdigit() and part.isdigit() else text


def _has_date(text: str) -> bool:
    return text[:11].translate(_SHAPE) == "####-##-##T"


def _package(line: str) -> str:
    """Return "api:test" of "api:test: text" (turbo), "libs/api test" (pnpm -r) or ""."""
    name, colon, _ = line[:_LONGEST_NAME].partition(": ")
    if not colon and line.endswith(":") and len(line) < _LONGEST_NAME:
        name = line[:-1]
    words = name.split(" ")
    if len(words) == 2:  # a folder and a script
        folder, script = words
        is_folder = "/" in folder or folder == "."
        return name if is_folder and script[:1].isalpha() and "/" not in script else ""
    package, colon, task = name.rpartition(":")
    return name if len(words) == 1 and colon and package and task[:1].isalpha() else ""


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
