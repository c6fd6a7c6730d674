"""One automaton for all kinds, blockers and context words, and the context patterns of markers.

``~`` stands for the marker, ``^`` and ``$`` for the two ends of the clause it stands in. The words
around ``~`` must be its direct neighbours. ``...`` in front of or behind ``~`` allows other words
of the same sentence between.

``Automaton.iter`` reports every occurrence; word boundaries and overlaps are decided here.
(``iter_long`` is not used: it loses matches when one form is a part of another.)
"""

from __future__ import annotations

from groundwire.base.automaton import build_automaton
from groundwire.base.model import Candidate, Marker
from groundwire.base.rules import RuleSet, marker_of, rows_of, words_of
from groundwire.language.fold import is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from groundwire.base.automaton import Automaton

    _Side = tuple[str, str]


#: Behind these marks a clause does not begin or end: lists, quotes and masked text go on.
_NO_CLAUSE_START = frozenset(",'\")]%\x1a")
_NO_CLAUSE_END = frozenset("'\"([%\x1a")
_GAP = "..."
_MARKS = "^$. "


class Context:
    """The context patterns of one marker, read once."""

    def __init__(self, only: tuple[str, ...], unless: tuple[str, ...]) -> None:
        self._only, self._unless = _Patterns(only), _Patterns(unless)
        self._missing = f"only {' | '.join(only)}" if only else ""

    def breaks(
        self,
        text: str,
        start: int,
        end: int,
        sentence: tuple[int, int],
        words: Callable[[], Collection[str]],
    ) -> str:
        """Return "" when the marker at ``start:end`` stands, else the pattern that voids it.

        Positions are folded; ``sentence`` is the span that context may come from, and ``words``
        gives its words (``words_of``).
        """
        void = self._unless.first(text, start, end, sentence, words)
        if void:
            return f"unless {void}"
        if self._missing and not self._only.first(text, start, end, sentence, words):
            return self._missing
        return ""


class _Patterns:
    """Patterns of which the first that holds counts; most texts hold the words of none."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._all = [(pattern, *_sides(pattern)) for pattern in patterns]
        #: What the text must have for each, of which the first three tell at once that none holds.
        before: list[str] = []
        behind: list[str] = []
        apart: set[str] = set()
        self._bare: list[tuple[bool, bool]] = []
        for _, left, right in self._all:
            words, side = left if left[0] else right
            if left[0] and _GAP not in side:
                before.append(f"{words} ")
            elif right[0] and _GAP not in right[1]:
                behind += (right[0], f" {right[0]}")
            elif words:
                tokens = words_of(words)
                apart.update(tokens[:1])
                before += [""] * (not tokens)  # signs alone are looked for everywhere
            else:
                self._bare.append((_is_anchored(left[1]), _is_anchored(right[1])))
        self._before, self._behind, self._apart = tuple(before), tuple(behind), frozenset(apart)

    def first(
        self,
        text: str,
        start: int,
        end: int,
        sentence: tuple[int, int],
        words: Callable[[], Collection[str]],
    ) -> str:
        """Return the first pattern that holds, "" where none does."""
        first, last = sentence
        if (
            (self._before and text.endswith(self._before, first, start))
            or (self._behind and text.startswith(self._behind, end, last))
            or (self._apart and not self._apart.isdisjoint(words()))
            or (self._bare and self._any_bare(text, start, end, sentence))
        ):
            around = text[first:last]
            for pattern, left, right in self._all:
                if left[0] in around and right[0] in around:
                    holds = _holds_before(*left, text, start, first)
                    if holds and _holds_behind(*right, text, end, last):
                        return pattern
        return ""

    def _any_bare(self, text: str, start: int, end: int, sentence: tuple[int, int]) -> bool:
        return any(
            (not opens or _is_clause_start(text, start, sentence[0]))
            and (not closes or _is_clause_end(text, end, sentence[1]))
            for opens, closes in self._bare
        )


def _sides(pattern: str) -> tuple[_Side, _Side]:
    left, _, right = pattern.partition("~")
    return (left.strip(_MARKS), left), (right.strip(_MARKS), right)


def _holds_before(words: str, side: str, text: str, start: int, limit: int) -> bool:
    if _GAP in side:
        return _occurs(words, text, limit, start)
    begin = start
    if words:
        begin = start - len(words) - 1
        if begin < limit or not text.startswith(words, begin) or text[start - 1] != " ":
            return False
        if not is_bounded(text, begin, start - 1):
            return False
    return not _is_anchored(side) or _is_clause_start(text, begin, limit)


def _holds_behind(words: str, side: str, text: str, end: int, limit: int) -> bool:
    if _GAP in side:
        return _occurs(words, text, end, limit)
    stop = end
    if words:
        first = end + (text[end : end + 1] == " ")
        stop = first + len(words)
        if stop > limit or not text.startswith(words, first):
            return False
        if not is_bounded(text, first, stop):
            return False
    return not _is_anchored(side) or _is_clause_end(text, stop, limit)


def _is_anchored(side: str) -> bool:
    return "^" in side or "$" in side


def _occurs(words: str, text: str, start: int, end: int) -> bool:
    at = text.find(words, start, end)
    while at >= 0:
        if is_bounded(text, at, at + len(words)):
            return True
        at = text.find(words, at + 1, end)
    return False


def _back_over_spaces(text: str, at: int, limit: int) -> int:
    while at > limit and text[at - 1] == " ":
        at -= 1
    return at


def _is_clause_start(text: str, at: int, limit: int) -> bool:
    at = _back_over_spaces(text, at, limit)
    return at <= limit or not (is_word(text[at - 1]) or text[at - 1] in _NO_CLAUSE_START)


def _is_clause_end(text: str, at: int, limit: int) -> bool:
    while at < limit and text[at] == " ":
        at += 1
    return at >= limit or not (is_word(text[at]) or text[at] in _NO_CLAUSE_END)


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
        self.others: dict[str, Scanner] = {}  # of other languages, see language/other_languages.py
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


def _iterate(automaton: Automaton, text: str) -> Iterator[tuple[int, int, str]]:
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
