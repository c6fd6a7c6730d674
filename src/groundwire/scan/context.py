"""Context patterns of markers: ``only = ["is ~"]``, ``unless = ["~ by hand"]``.

``~`` stands for the marker, ``^`` and ``$`` for the two ends of the clause it stands in. The words
around ``~`` must be its direct neighbours. ``...`` in front of or behind ``~`` allows other words
of the same sentence between.
"""

from __future__ import annotations

from groundwire.rules import words_of
from groundwire.scan.automaton import is_bounded
from groundwire.text.fold import is_word

#: Behind these marks a clause does not begin or end: lists, quotes and masked text go on.
_NO_CLAUSE_START = frozenset(",'\")]%\x1a")
_NO_CLAUSE_END = frozenset("'\"([%\x1a")
_GAP = "..."
_MARKS = "^$. "

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    #: What stands on one side of the marker: its words, and the same with the signs.
    _Side = tuple[str, str]


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
