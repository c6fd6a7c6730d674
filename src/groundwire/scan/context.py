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
    left, _, right = pattern.partition("~")
    return _holds_before(left.strip(), text, start, sentence[0]) and _holds_behind(
        right.strip(), text, end, sentence[1]
    )


def _holds_before(words: str, text: str, start: int, limit: int) -> bool:
    if not words:
        return True
    if words.startswith("^"):
        words = words[1:].strip()
        anchored = True
    else:
        anchored = False
    if words.endswith(_GAP):
        return _occurs(words.removesuffix(_GAP).strip(), text, limit, start)
    at = _back_over_spaces(text, start, limit)
    begin = at - len(words)
    if words and not (
        begin >= limit and text.startswith(words, begin) and is_bounded(text, begin, at)
    ):
        return False
    return not anchored or _is_clause_start(text, begin, limit)


def _holds_behind(words: str, text: str, end: int, limit: int) -> bool:
    if not words:
        return True
    if words.startswith(_GAP):
        return _occurs(words.removeprefix(_GAP).strip(), text, end, limit)
    anchored = words.endswith("$")
    words = words.removesuffix("$").strip()
    at = end
    if words:
        while at < limit and text[at] == " ":
            at += 1
        stop = at + len(words)
        if stop > limit or not text.startswith(words, at) or not is_bounded(text, at, stop):
            return False
        at = stop
    return not anchored or _is_clause_end(text, at, limit)


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
