"""Context patterns of markers: ``only = ["is ~"]``, ``unless = ["~ by hand"]``.

``~`` stands for the marker, ``^`` and ``$`` for the two ends of the clause it stands in. The words
around ``~`` must be its direct neighbours. ``...`` in front of or behind ``~`` allows other words
of the same sentence between.
"""

from __future__ import annotations

from groundwire.scan.automaton import is_bounded
from groundwire.text.fold import is_word

#: Behind these marks a clause does not begin or end: lists, quotes and masked text go on.
_NO_CLAUSE_START = frozenset(",'\")]%\x1a")
_NO_CLAUSE_END = frozenset("'\"([%\x1a")
_GAP = "..."

TYPE_CHECKING = False
if TYPE_CHECKING:
    #: Words, whether they stand at the end of a clause, whether other words may stand between.
    _Side = tuple[str, bool, bool]

_PARSED: dict[str, tuple[_Side, _Side]] = {}  # patterns that were asked for, read once


def stands(
    text: str,
    start: int,
    end: int,
    sentence: tuple[int, int],
    only: tuple[str, ...],
    unless: tuple[str, ...],
) -> str:
    """Return "" when the marker at ``start:end`` stands, else the context pattern that voids it.

    Positions are folded; ``sentence`` is the span that context may come from.
    """
    for pattern in unless:
        if holds(pattern, text, start, end, sentence):
            return f"unless {pattern}"
    if only and not any(holds(pattern, text, start, end, sentence) for pattern in only):
        return f"only {' | '.join(only)}"
    return ""


def holds(pattern: str, text: str, start: int, end: int, sentence: tuple[int, int]) -> bool:
    """Tell whether one context pattern holds around ``text[start:end]``."""
    if pattern not in _PARSED:
        left, _, right = pattern.partition("~")
        _PARSED[pattern] = _side(left.strip()), _side(right.strip())
    before, behind = _PARSED[pattern]
    return _holds_before(before, text, start, sentence[0]) and _holds_behind(
        behind, text, end, sentence[1]
    )


def _side(words: str) -> _Side:
    """Return the words of one side, whether they end at a clause's end, and whether with a gap."""
    bare = words.strip("^$. ")
    return bare, "^" in words or "$" in words, _GAP in words


def _holds_before(side: _Side, text: str, start: int, limit: int) -> bool:
    words, anchored, gap = side
    if gap:
        return _occurs(words, text, limit, start)
    begin = start
    if words:
        begin = start - len(words) - 1
        if begin < limit or not text.startswith(words, begin) or text[start - 1] != " ":
            return False
        if not is_bounded(text, begin, start - 1):
            return False
    return not anchored or _is_clause_start(text, begin, limit)


def _holds_behind(side: _Side, text: str, end: int, limit: int) -> bool:
    words, anchored, gap = side
    if gap:
        return _occurs(words, text, end, limit)
    stop = end
    if words:
        first = end + (text[end : end + 1] == " ")
        stop = first + len(words)
        if stop > limit or not text.startswith(words, first):
            return False
        if not is_bounded(text, first, stop):
            return False
    return not anchored or _is_clause_end(text, stop, limit)


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
