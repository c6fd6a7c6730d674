"""What a sentence leaves out itself: "all but one", "47 of 48 tests", "1 of 3 done"."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EXCEPTING = (
    "except ", "apart from ", "other than ", "all but ", " exception", "aside from ", "save for ",
    "all other tests", "the other tests", "the others ", "the rest of ",
)  # fmt: skip
_RESTS = (" is open", " are open", " is pending", " are pending", " is left", " are left")
_DONE = frozenset("complete completed done finished implemented".split())
_MARKS = ".,:;!()[]*`"
_ALL_PERCENT = 100


def excepts(text: str) -> bool:
    """Tell whether a masked sentence in lower case leaves something out of what it tells."""
    return any(words in text for words in _EXCEPTING) or _is_fraction(text)


def tells_rest(text: str) -> bool:
    """Tell whether it says that something is left: "1 of 3 done", "67 % done", "3 is open"."""
    return _is_fraction(text) or _is_percent(text) or any(words in text for words in _RESTS)


def _is_fraction(text: str) -> bool:
    """Tell whether it gives a number of a larger number."""
    return any(some < whole for some, whole in _fractions(text))


def _fractions(text: str) -> Iterator[tuple[int, int]]:
    words = [word.strip(_MARKS) for word in text.split()]
    for at, word in enumerate(words):
        some, _, whole = word.partition("/")
        if not some.isdigit():
            continue
        if not whole:
            behind = words[at + 1 : at + 5]
            behind = behind[1:] if behind[:1] == ["out"] else behind
            behind = [one for one in behind[1:] if one != "the"] if behind[:1] == ["of"] else []
            whole = behind[0] if behind else ""
        if whole.isdigit():
            yield int(some), int(whole)


def _is_percent(text: str) -> bool:
    words = text.replace("%", " % ").split()
    return any(
        before.strip(_MARKS).isdigit()
        and int(before.strip(_MARKS)) < _ALL_PERCENT
        and behind.strip(_MARKS) in _DONE
        for before, sign, behind in zip(words, words[1:], words[2:], strict=False)
        if sign == "%"
    )
