"""A claim that was blocked and comes back without its hedge.

The session's state keeps the content words of each blocked statement. A later statement with the
same content and no new tool call between is the old guess, told as a fact.
"""

from __future__ import annotations

from groundwire.model import UNSUPPORTED, Verdict
from groundwire.text.fold import DIGIT

_SHORTEST_WORD = 3
_FEWEST_WORDS = 2
#: Share of the blocked statement's content words that have to come back.
_SHARE = 0.75
_EMPTY_WORDS = frozenset(
    "and are been but can could did does for from had has have into its itself just likely may "
    "maybe might most must not now perhaps possibly probably seems should some suspect than that "
    "the their then there these they think this those very was were what when where which will "
    "with would you your believe guess appears apparently because cause caused causes".split()
)
_VERDICT = Verdict(
    UNSUPPORTED, "the same statement was sent back before, and no tool was called since"
)


def content_words(text: str) -> frozenset[str]:
    """Return the words of folded ``text`` that carry its content, cut to their stems."""
    words = "".join(c if c.isalnum() or c in "_'-" else " " for c in text).split()
    return frozenset(
        _stem(word)
        for word in words
        if len(word) >= _SHORTEST_WORD and word not in _EMPTY_WORDS and DIGIT not in word
    )


def restated_verdict(sentence: str, blocked: tuple[frozenset[str], ...]) -> Verdict | None:
    """Return ``unsupported`` when the folded ``sentence`` repeats one of the blocked claims."""
    if not blocked:
        return None
    words = content_words(sentence)
    for claim in blocked:
        if len(claim) >= _FEWEST_WORDS and len(claim & words) >= _SHARE * len(claim):
            return _VERDICT
    return None


def _stem(word: str) -> str:
    for ending in ("ing", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_WORD:
            return word.removesuffix(ending)
    return word
