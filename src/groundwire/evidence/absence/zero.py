"""A zero that a query or a script printed for the very thing that is said not to be there."""

from __future__ import annotations

from groundwire.evidence.turn.seen import line_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.wording import Wording
    from groundwire.evidence.turn.facts import Facts
    from groundwire.evidence.turn.seen import Source

#: How a line ends that counts nothing, in lower case.
_NOTHING = (": 0", "= 0", "=0", ":0", " 0", "\t0", "| 0 |", "{}", "[]", ": none", ": no")
#: What stands in front of a thing of which there is nothing.
_NOTHING_OF = ("found 0 ", ": 0 ", ", 0 ", "| 0 ", "\t0 ", "  0 ", "found no ", "no known ")
_MARKS = ".,:;!?*_()\"'`"
#: Words of a thing, and their shortest; another word ends its name.
_MOST_WORDS = 3
_SHORTEST = 4
_ENDING = frozenset("about after because here left remain there were with".split())
#: Words in front of the name of a thing.
_LEADING = frozenset("further leftover more open other remaining stale stray".split())
#: Lines with the longest word that are looked at in one text.
_MOST_LINES = 200


def printed_zero(wording: Wording, facts: Facts) -> Source | None:
    """Return the result with a line that counts nothing of what stands behind "no ..."."""
    words = _thing(wording)
    if not words and "remain" in wording.original[wording.start : wording.end].lower():
        words = ["remaining"]  # "none remain": a tool says "0 remaining"
    return zero_of(words, facts)


def zero_of(words: list[str], facts: Facts) -> Source | None:
    """Return the result with a line that counts nothing of the thing of these words."""
    if not words:
        return None
    for source, text in zip(facts.seen.sources, facts.seen.lowered, strict=True):
        if not source.is_report and _counts_none(text, words):
            return source
    return None


def _thing(wording: Wording) -> list[str]:
    """Return the words behind the claim without the s of a plural, up to the first other one."""
    found: list[str] = []
    for word in wording.masked[wording.end :].split():
        plain = word.strip(_MARKS).lower()
        if plain in _LEADING and not found:
            continue
        if not plain.isalpha() or len(plain) < _SHORTEST or plain in _ENDING:
            break
        found.append(plain.removesuffix("s"))
        if plain != word.strip("*_`\"'").lower() or len(found) == _MOST_WORDS:
            break
    return found


def _counts_none(text: str, words: list[str]) -> bool:
    longest = max(words, key=len)
    at = text.find(longest)
    for _ in range(_MOST_LINES):
        if at < 0:
            return False
        line = line_at(text, at)
        is_nothing = line.endswith(_NOTHING) or line[: line.find(words[0])].endswith(_NOTHING_OF)
        if is_nothing and all(word in line for word in words):
            return True
        at = text.find(longest, at + 1)
    return False
