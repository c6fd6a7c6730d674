"""The thing that a cause names in plain words, and whether any text of the turn names it, too."""

from __future__ import annotations

from groundwire.evidence.cause.traces import texts_of
from groundwire.evidence.message.restated import content_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.wording import Wording
    from groundwire.evidence.turn.facts import Facts

#: What ends the name of the thing that is blamed.
_ENDS = (
    ",", ";", ":", ".", "(", "\u2014", "\u2013", "\n", " - ", " from ", " that ", " which ",
    " because ", " when ", " while ", " and ", " but ",
)  # fmt: skip
_LONGEST_THING = 80
#: Share of the words of a thing that may be unseen: without its last word, and with it.
_FEW, _MOST = 0.3, 0.5
#: Words that name nothing.
_EMPTY = frozenset(
    "alarm any artifact bad bit bug case error false few first glitch issue just kind large last "
    "least less lot many matter mistake more most noise only one other oversight own positive "
    "problem quirk same second set simple single small some sort still thing three two typo usual "
    "various wrong".split()
)


def thing(wording: Wording) -> str:
    """Return the lower-case words that name what is blamed."""
    behind = wording.masked[wording.end :][:_LONGEST_THING].lower().lstrip(" *_")
    ends = (at for mark in _ENDS if (at := behind.find(mark)) > 0)
    return behind[: min(ends, default=len(behind))]


def unseen_word(name: str, facts: Facts) -> str:
    """Return a word of a thing that no text of the turn names; "" when enough of it is named.

    Most of its words have to stand somewhere, or its last one, which says what it is.
    """
    found = (content_words(word) - _EMPTY for word in name.split())
    words = list(dict.fromkeys(word for stems in found for word in sorted(stems)))
    if not words:
        return ""
    texts = list(texts_of(facts))
    unseen = [word for word in words if not any(_begins_word(word, text) for text in texts)]
    needed = _FEW if words[-1] in unseen else _MOST
    return unseen[-1] if len(unseen) > needed * len(words) else ""


def _begins_word(stem: str, text: str) -> bool:
    at = text.find(stem)
    while at >= 0:
        if not text[at - 1 : at].isalnum():
            return True
        at = text.find(stem, at + len(stem))
    return False
