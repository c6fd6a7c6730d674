"""Numbers as written in a message, in digits or in words, before it is known what they measure."""

from __future__ import annotations

from groundwire.record import Record
from groundwire.rules.lists import APPROXIMATE_WORDS
from groundwire.scan.quantity_words import NUMBER_WORDS
from groundwire.scan.words import next_words, word_before, word_end

_DASHES = "-\u2013"
_LARGEST = 1e15  # more digits are an identifier
_SCALES = ("hundred", "thousand")
_SCALE_REACH = 48  # characters: a gap and one of them


class Numeral(Record):
    """One number or range at ``start:end``; ``upper`` is the far end of a range.

    ``before`` is the word directly in front of it, in lower case, which begins at ``before_at``.
    """

    start: int
    end: int
    value: float
    upper: float | None
    approximate: bool
    before: str
    before_at: int


def numeral_starts(masked: str) -> list[int]:
    """Return where numbers in digits and in words begin."""
    starts = []
    for digit in [digit for digit in "0123456789" if digit in masked]:
        at = masked.find(digit)
        while at >= 0:
            if not (at and "0" <= masked[at - 1] <= "9"):
                starts.append(at)
            at = masked.find(digit, at + 1)
    lowered = masked.replace("\u0130", "i").lower()
    for word in [word for word in NUMBER_WORDS if word in lowered]:  # most texts have few
        at = lowered.find(word)
        while at >= 0:
            if not (at and (lowered[at - 1].isalnum() or lowered[at - 1] in "_-'\u2019")):
                starts.append(at)
            at = lowered.find(word, at + len(word))
    starts.sort()
    return starts


def read_numeral(text: str, start: int) -> tuple[Numeral | None, int]:
    """Read the number at ``start``; return it and where to go on. None for names and dates."""
    if not is_digit(text, start):
        return _numeral_in_words(text, start)
    if _is_inside_name(text, start):
        return None, _token_end(text, start)
    value, end = read_digits(text, start)
    upper = None
    if text[end : end + 1] in ("-", "\u2013") and is_digit(text, end + 1):
        upper, end = read_digits(text, end + 1)
    behind = text[end : end + 1]
    if value > _LARGEST or (is_digit(text, end + 1) and behind in ".:-\u2013"):
        return None, _token_end(text, start)  # version, time, date
    if behind == "k" and not text[end + 1 : end + 2].isalnum():
        value, end = value * 1000, end + 1
        upper = None if upper is None else upper * 1000
    approximate = text[end : end + 1] == "+" or text[max(0, start - 1) : start] in ("~", "\u2248")
    before, before_at = word_before(text, start)
    approximate = approximate or before in APPROXIMATE_WORDS
    end += text[end : end + 1] == "+"
    return Numeral(start, end, value, upper, approximate, before, before_at), end


def _numeral_in_words(text: str, start: int) -> tuple[Numeral | None, int]:
    end = word_end(text, start)
    word = text[start:end].lower().removesuffix("-fold")
    tens, _, unit = word.partition("-")
    value = NUMBER_WORDS.get(tens)
    if value is None or text[end : end + 1].isalnum() or text[end : end + 1] == "_":
        return None, end
    if unit:
        if value < 20 or NUMBER_WORDS.get(unit, 10) >= 10:
            return None, end
        value += NUMBER_WORDS[unit]
    if text[start:end].lower().endswith("-fold"):
        end -= len("-fold")
    behind = text[end : end + _SCALE_REACH].lower()
    if _SCALES[0] in behind or _SCALES[1] in behind:  # seldom
        scale = next_words(text, end, 1)
        if scale and scale[0][0] in _SCALES:
            value, end = value * NUMBER_WORDS[scale[0][0]], scale[0][1]
    before, before_at = word_before(text, start)
    if before == "no":  # "no one"
        return None, end
    approximate = before in APPROXIMATE_WORDS
    return Numeral(start, end, float(value), None, approximate, before, before_at), end


def _is_inside_name(text: str, start: int) -> bool:
    """A digit that goes on with what stands before: ``v2``, ``utf-8``, ``#12``, ``$5``, ``1.2``."""
    at = start
    while at and text[at - 1] in "*_":
        at -= 1
    if not at:
        return False
    before = text[at - 1]
    if at < start:
        return before.isalnum()
    if before in _DASHES:
        return at > 1 and (text[at - 2].isalnum() or text[at - 2] in ".)]")
    return before.isalnum() or before in "#$\u20ac\u00a3@/\\.:=^%'\u2019\x1a"


def read_digits(text: str, start: int) -> tuple[float, int]:
    """Read digits with thousands separators and one decimal part; return value and end."""
    end = _run(text, start)
    whole = text[start:end]
    while text[end : end + 1] == "," and _run(text, end + 1) == end + 4:
        whole += text[end + 1 : end + 4]
        end += 4
    if text[end : end + 1] == "." and (stop := _run(text, end + 1)) > end + 1:
        whole += text[end:stop]
        end = stop
    return float(whole), end


def is_digit(text: str, at: int) -> bool:
    """Tell whether an ASCII digit stands at ``at``."""
    return "0" <= text[at : at + 1] <= "9"


def _run(text: str, at: int) -> int:
    while at < len(text) and "0" <= text[at] <= "9":
        at += 1
    return at


def _token_end(text: str, at: int) -> int:
    while at < len(text) and not text[at].isspace() and text[at] not in ",;)":
        at += 1
    return at
