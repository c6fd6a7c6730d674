"""The output of a tool as plain lines: what terminals, CI and the harness put around them is gone.

Every parser is given text that ``clean`` has prepared, and shares the small readers below.
"""

from __future__ import annotations

from groundwire.evidence.runs.outputs.prefixes import without_prefixes

_LONGEST_LINE = 200
#: Ends of marks that the harness leaves where it cut a text; the lines beside them are halves.
_CUT_ENDS = (" truncated] ...", "[output truncated]")
_SUMMARY_ENDS = (" total", " failures", " failure")
_FRAME = "=="
_PREVIEW = "Preview (first "
_PERSISTED = "<persisted-output>"
_PERSISTED_END = "</persisted-output>"
_BELL = "\x07"
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


def _clean(output: str) -> str:
    text = _without_escapes(output) if "\x1b" in output else output
    if "\r" in text:
        text = "\n".join(_last_state(line) for line in text.split("\n"))
    lines = text.split("\n")
    whole = lines
    if any(end in text for end in _CUT_ENDS) or _PERSISTED in text:
        whole = _whole_lines(lines)
    kept = without_prefixes(whole)
    return text if kept is lines else "\n".join(kept)


def brief(line: str) -> str:
    """Return ``line`` as ``Outcome.line`` wants it: stripped, at most 200 characters."""
    return line.strip()[:_LONGEST_LINE]


def counts(text: str, separator: str = ",") -> dict[str, int]:
    """Read "2 failed, 40 passed, 1 warning" as ``{"failed": 2, "passed": 40, "warning": 1}``.

    The key is the first word behind the number without a plural s ("3 errors": ``error``). Parts
    that do not begin with a number are left out; the same word twice adds up.
    """
    found: dict[str, int] = {}
    for part in text.split(separator):
        words = part.split(None, 2)
        if len(words) > 1 and is_number(words[0]):
            key = words[1].rstrip(".,:;()").removesuffix("s")
            found[key] = found.get(key, 0) + int(words[0])
    return found


def is_number(word: str) -> bool:
    """Tell whether ``word`` is a count: ASCII digits, few enough to be one."""
    return word.isascii() and word.isdigit() and len(word) <= 12


def first_line(text: str, *starts: str) -> str:
    """Return the first line that begins with one of ``starts`` (blanks before it aside), or ""."""
    for line in text.split("\n"):
        if line.lstrip().startswith(starts):
            return line
    return ""


def is_finding(line: str) -> bool:
    """Tell whether ``line`` is "shop/cart.py:3:7: F401 text", the form of Python's linters."""
    parts = line.split(":", 3)
    if len(parts) < 4 or [is_number(part) for part in parts[:3]] != [False, True, True]:
        return False
    code = parts[3].split(None, 1)[:1]
    letters = code[0].rstrip("0123456789") if code else ""
    return letters.isupper() and letters.isalpha() and letters != code[0]


def _without_escapes(text: str) -> str:
    pieces = text.split("\x1b")
    return pieces[0] + "".join(map(_behind_escape, pieces[1:]))


def _behind_escape(piece: str) -> str:
    """Return what follows the escape sequence that ``piece`` (without its ESC) begins with."""
    if piece.startswith("["):
        for index, char in enumerate(piece[1:], 2):
            if "@" <= char <= "~":
                return piece[index:]
        return ""
    if piece.startswith("]"):  # title or hyperlink, up to a bell or the next ESC
        return piece.partition(_BELL)[2]
    if piece.startswith(("(", ")")):  # choice of a character set
        return piece[2:]
    return piece[1:]


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


def _whole_lines(lines: list[str]) -> list[str]:
    kept: list[str] = []
    after_cut = False
    for line in lines:
        if line.endswith(_CUT_ENDS) or line == _PERSISTED_END:
            while kept and not kept[-1].strip(" ."):
                kept.pop()
            if kept and not _is_complete_summary(kept[-1]):
                del kept[-1:]
            after_cut = line != _PERSISTED_END
        elif line.startswith(_PREVIEW) and _PERSISTED in lines[0]:
            kept.clear()
        elif after_cut and line.strip():
            after_cut = False
            if line.startswith(_FRAME) and line.rstrip().endswith(_FRAME):  # both ends are there
                kept.append(line)
        elif not after_cut:
            kept.append(line)
    return kept
