"""Which patterns a file holds: the same automaton, case kept, each pattern counted once."""

from __future__ import annotations

from groundwire.base.automaton import build_automaton
from groundwire.base.record import Record
from groundwire.base.rules.file_patterns import LINE_START, WORD, FilePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LINE_ENDS = "\n\r"


class FileHit(Record):
    """A pattern that a text holds, with the offset of its first occurrence in code points."""

    pattern: FilePattern
    offset: int


class FileScanner:
    """Finds file patterns in texts, in one linear pass each."""

    def __init__(self, patterns: Iterable[FilePattern]) -> None:
        self.patterns = tuple(sorted(patterns, key=lambda one: one.id))
        forms: dict[str, tuple[int, ...]] = {}
        for row, pattern in enumerate(self.patterns):
            forms[pattern.form] = (*forms.get(pattern.form, ()), row)
        self._automaton = build_automaton(forms.items())

    def scan(self, text: str) -> tuple[FileHit, ...]:
        """Return each pattern that stands in ``text`` once, sorted by id."""
        first: dict[int, int] = {}
        if not len(self._automaton):
            return ()
        for last, (length, rows) in self._automaton.iter(text):
            start = last - length + 1
            for row in rows:
                boundary = self.patterns[row].boundary
                if row not in first and _stands(text, start, last + 1, boundary):
                    first[row] = start
            if len(first) == len(self.patterns):
                break
        return tuple(FileHit(self.patterns[row], first[row]) for row in sorted(first))


def _stands(text: str, start: int, end: int, boundary: str) -> bool:
    """Tell whether ``text[start:end]`` stands where a pattern with this boundary may stand."""
    if boundary == LINE_START:
        return start == 0 or text[start - 1] in _LINE_ENDS
    if boundary == WORD:
        joined_before = start > 0 and _in_word(text[start - 1]) and _in_word(text[start])
        joined_after = end < len(text) and _in_word(text[end]) and _in_word(text[end - 1])
        return not joined_before and not joined_after
    return True


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
