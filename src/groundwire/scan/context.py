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
_MARKS = "^$. "

TYPE_CHECKING = False
if TYPE_CHECKING:
    #: What stands on one side of the marker: its words, and the same with the signs.
    _Side = tuple[str, str]

#: The patterns that were asked for, with what they want before and behind the marker.
_READ: dict[tuple[str, ...], tuple[tuple[str, _Side, _Side], ...]] = {}


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
    if not (only or unless):
        return ""
    around = text[sentence[0] : sentence[1]]  # most patterns have words that are not even here
    for pattern, left, right in _read(unless):
        if left[0] in around and right[0] in around:
            void = _holds_before(*left, text, start, sentence[0])
            if void and _holds_behind(*right, text, end, sentence[1]):
                return f"unless {pattern}"
    for _, left, right in _read(only):
        if left[0] in around and right[0] in around:
            holds = _holds_before(*left, text, start, sentence[0])
            if holds and _holds_behind(*right, text, end, sentence[1]):
                return ""
    return f"only {' | '.join(only)}" if only else ""


def _read(patterns: tuple[str, ...]) -> tuple[tuple[str, _Side, _Side], ...]:
    if patterns not in _READ:
        _READ[patterns] = tuple((pattern, *_sides(pattern)) for pattern in patterns)
    return _READ[patterns]


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
