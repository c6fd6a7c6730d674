"""One automaton for all kinds, blockers and context words; the only importer of ``ahocorasick``.

``Automaton.iter`` reports every occurrence; word boundaries and overlaps are decided here.
(``iter_long`` is not used: it loses matches when one form is a part of another.)
"""

from __future__ import annotations

from groundwire.model import Candidate, Marker
from groundwire.rules import RuleSet, marker_of, rows_of, words_of
from groundwire.text.fold import is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import ahocorasick

    from groundwire.scan.context import Context

#: Characters up to which the one text of a process is searched form by form. That takes less time
#: than to load the library and to build an automaton, up to about twice this length.
SHORT_TEXT = 10_000
_INSIDE_WORDS = frozenset("'-./")
_APART = frozenset(" \n,;:()")  # nothing beside these is part of a word


class Scanner:
    """Finds all forms of a rule set in folded text, in one linear pass."""

    language = ""  # English

    def __init__(self, rules: RuleSet, *, once: bool = False) -> None:
        """Prepare to scan many texts, or ``once``: then only the forms that a text can hold count.

        The whole automaton takes about 1 ms for 1,000 forms to build; a hook reads one message.
        """
        self.rules, self.once = rules, once
        self.others: dict[str, Scanner] = {}  # of other languages, see scan/foreign.py
        self._lines: list[str] = []
        self._markers: dict[int, Marker] = {}
        self._named: dict[str, Marker | None] = {}
        self._groups: dict[str, tuple[Marker, ...]] = {}
        self.contexts: dict[str, Context] = {}  # of markers that were found, by id
        self._whole = None if once else build_automaton(rules.forms())

    def scan(self, text: str) -> list[Candidate]:
        """Return every occurrence of a form between word boundaries, ordered by its end."""
        groups = self._groups
        apart = f" {text} "  # what stands around an occurrence, at any place: [start], [end + 1]
        return [
            Candidate(start, end, marker)
            for start, end, rows in self._occurrences(text)
            if (apart[start] in _APART and apart[end + 1] in _APART)
            or (
                not (apart[start : start + 2].isalpha() or apart[end : end + 2].isalpha())
                and is_bounded(text, start, end)
            )
            for marker in groups.get(rows) or self._markers_of(rows)
        ]

    def _occurrences(self, text: str) -> Iterable[tuple[int, int, str]]:
        if self._whole is not None:
            return _iterate(self._whole, text)
        forms = self.rules.forms(words_of(text))
        if len(text) > SHORT_TEXT:
            return _iterate(build_automaton(forms), text)
        return _search(text, forms)

    def marker(self, row: int) -> Marker:
        """Return the marker of a row, built once."""
        if row not in self._markers:
            self._lines = self._lines or self.rules.rows()
            self._markers[row] = marker_of(self._lines[row])
        return self._markers[row]

    def marker_of(self, marker_id: str) -> Marker | None:
        """Return the marker with this id, for the scanners beside the automaton."""
        if marker_id not in self._named:
            row = self.rules.row_of(marker_id)
            self._named[marker_id] = None if row is None else self.marker(row)
        return self._named[marker_id]

    def _markers_of(self, rows: str) -> tuple[Marker, ...]:
        markers = self._groups[rows] = tuple(map(self.marker, rows_of(rows)))
        return markers


def build_automaton(forms: Iterable[tuple[str, object]]) -> ahocorasick.Automaton:
    """Return an automaton over ``(form, rows)``; its values are ``(length of the form, rows)``."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for form, rows in forms:
        automaton.add_word(form, (len(form), rows))
    if len(automaton):
        automaton.make_automaton()
    return automaton


def _iterate(automaton: ahocorasick.Automaton, text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and rows of every form in ``text``, ordered by end, then start."""
    if len(automaton):
        for last, (length, rows) in automaton.iter(text):
            yield last - length + 1, last + 1, rows


def _search(text: str, forms: Iterable[tuple[str, str]]) -> list[tuple[int, int, str]]:
    """Return the same as ``_iterate``, without an automaton."""
    occurrences = []
    for form, rows in forms:
        at = -1
        while (at := text.find(form, at + 1)) >= 0:
            occurrences.append((at + len(form), at, rows))
    return [(start, end, rows) for end, start, rows in sorted(occurrences)]


def is_bounded(text: str, start: int, end: int, inside: frozenset[str] = _INSIDE_WORDS) -> bool:
    """Tell whether ``text[start:end]`` begins and ends where words do.

    An apostrophe, hyphen, dot or slash between two word characters is inside a word: ``can`` is
    not in ``can't``, ``works`` not in ``works.py``. ``inside`` are these signs.
    """
    if start and is_word(text[start]):
        before = text[start - 1]
        if is_word(before):
            return False
        if before in inside and start > 1 and is_word(text[start - 2]):
            return False
    if end < len(text) and is_word(text[end - 1]):
        after = text[end]
        if is_word(after):
            return False
        if after in inside and end + 1 < len(text) and is_word(text[end + 1]):
            return False
    return True
