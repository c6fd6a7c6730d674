"""One automaton for all kinds, blockers and context words; the only importer of ``ahocorasick``.

``Automaton.iter`` reports every occurrence; word boundaries and overlaps are decided here.
(``iter_long`` is not used: it loses matches when one form is a part of another.)
"""

from __future__ import annotations

import ahocorasick

from groundwire.model import Candidate, Marker
from groundwire.rules import RuleSet, words_of
from groundwire.text.fold import is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_INSIDE_WORDS = frozenset("'-./")


class Scanner:
    """Finds all forms of a rule set in folded text, in one linear pass."""

    def __init__(self, rules: RuleSet, *, once: bool = False) -> None:
        """Prepare to scan many texts, or ``once``: then only the forms that a text can hold count.

        The whole automaton takes about 1 ms for 1,000 forms to build; a hook reads one message.
        """
        self.rules = rules
        self._markers: dict[int, Marker] = {}
        self._whole = None if once else _automaton(rules.forms())

    def scan(self, text: str) -> list[Candidate]:
        """Return every occurrence of a form between word boundaries, ordered by its end."""
        automaton = self._whole or _automaton(self.rules.forms(words_of(text)))
        found: list[Candidate] = []
        if not len(automaton):
            return found
        for last, (length, rows) in automaton.iter(text):
            start = last - length + 1
            if is_bounded(text, start, last + 1):
                found.extend(Candidate(start, last + 1, self.marker(row)) for row in rows)
        return found

    def marker(self, row: int) -> Marker:
        """Return the marker of a row, built once."""
        if row not in self._markers:
            self._markers[row] = self.rules.marker(row)
        return self._markers[row]

    def marker_of(self, marker_id: str) -> Marker | None:
        """Return the marker with this id, for the scanners beside the automaton."""
        row = self.rules.row_of(marker_id)
        return None if row is None else self.marker(row)


def _automaton(forms: Iterable[tuple[str, tuple[int, ...]]]) -> ahocorasick.Automaton:
    automaton = ahocorasick.Automaton()
    for form, rows in forms:
        automaton.add_word(form, (len(form), rows))
    if len(automaton):
        automaton.make_automaton()
    return automaton


def is_bounded(text: str, start: int, end: int) -> bool:
    """Tell whether ``text[start:end]`` begins and ends where words do.

    An apostrophe, hyphen, dot or slash between two word characters is inside a word: ``can`` is
    not in ``can't``, ``works`` not in ``works.py``.
    """
    if start and is_word(text[start]):
        before = text[start - 1]
        if is_word(before):
            return False
        if before in _INSIDE_WORDS and start > 1 and is_word(text[start - 2]):
            return False
    if end < len(text) and is_word(text[end - 1]):
        after = text[end]
        if is_word(after):
            return False
        if after in _INSIDE_WORDS and end + 1 < len(text) and is_word(text[end + 1]):
            return False
    return True
