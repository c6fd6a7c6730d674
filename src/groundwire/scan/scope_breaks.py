"""A statement about all of something beside one that names what is left out.

"All jobs now use the cache" and, further down, "the nightly job remains on the old one".
"""

from __future__ import annotations

from groundwire.text.fold import is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.text.fold import Folded

_WHOLE = frozenset(("all", "every", "each"))
_VERBS = frozenset(
    "use uses call calls run runs go goes point points follow follows share shares import imports "
    "read reads write writes return returns accept accepts require requires extend extends".split()
)
#: A statement with one of these names what is left out itself.
_EXCEPTIONS = frozenset("except excluding but besides apart other than unless if when".split())
_SIGNS = ("remain", "stay", "still")
_STAYS = frozenset("remains remain stays stay".split())
#: Behind "remains" these tell of no other way.
_AS_BEFORE = frozenset(
    "unchanged same the intact green stable available valid compatible untouched identical open "
    "accessible responsible unaffected backward backwards fully".split()
)
_REACH = 8
_MOST_OPEN = 64


def find_scope_breaks(
    folded: Folded, sentences: list[tuple[int, int]]
) -> list[tuple[int, int, int, int]]:
    """Return statements about all that a later one breaks, and that one. Linear in the message."""
    found: dict[str, tuple[int, int]] = {}
    broken: list[tuple[int, int, int, int]] = []
    for start, end in sentences:
        text = folded.text[start:end]
        if found and any(sign in text for sign in _SIGNS):
            noun = _left_out(_words(text))
            if noun in found:
                broken.append((*found.pop(noun), start, end))
        if " now " in text and len(found) < _MOST_OPEN:
            noun = _whole(_words(text))
            if noun:
                found[noun] = (start, start + len(text.rstrip(" .!*")))
    return sorted(broken)


def _whole(words: list[str]) -> str:
    """Return the noun of "all NOUNs now use", "" when the words say nothing of the kind."""
    if not words[:1] or words[0] not in _WHOLE or not _EXCEPTIONS.isdisjoint(words):
        return ""
    for place, word in enumerate(words[2:_REACH], 2):
        if word == "now" and words[place + 1 : place + 2] and words[place + 1] in _VERBS:
            return _stem(words[place - 1])
    return ""


def _left_out(words: list[str]) -> str:
    """Return the noun of "the NOUN remains ...", "the NOUN still uses ..."."""
    for place, word in enumerate(words[1:_REACH], 1):
        behind = words[place + 1 : place + 2]
        stays = word in _STAYS and behind and behind[0] not in _AS_BEFORE
        still = word == "still" and behind and behind[0] in _VERBS
        if stays or still:
            return _stem(words[place - 1])
    return ""


def _stem(noun: str) -> str:
    return noun.removesuffix("s")


def _words(text: str) -> list[str]:
    letters = "".join(one if is_word(one) or one in "'-" else " " for one in text)
    return letters.split()
