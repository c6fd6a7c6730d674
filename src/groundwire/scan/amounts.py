"""Numbers in digits that count or measure something that no other reader knows.

"7 endpoints" of any noun, "3 of 5", "~70 ms", "10 MB": figures, but not what they are figures of.
"""

from __future__ import annotations

from groundwire.scan.measures import SECONDS
from groundwire.scan.numerals import Numeral, is_digit, read_digits
from groundwire.scan.quantities import Quantity
from groundwire.scan.quantity_words import LABELS, SIZES, STATUS_CODES, STOP_WORDS
from groundwire.scan.words import next_words, skip_gap, word_end

THINGS = "things"
AMOUNT = "amount"

#: Words behind a number among which the counted noun is, and the least letters of one.
_MOST_WORDS = 3
_SHORTEST = 4
_SINGULAR_ENDS = ("ss", "us", "is")


def read_amount(text: str, number: Numeral) -> Quantity | None:
    """Tell whether the number at ``number`` of masked ``text`` counts things or is an amount."""
    if not is_digit(text, number.start) or number.before in LABELS:
        return None
    end = word_end(text, skip_gap(text, number.end))
    unit = text[skip_gap(text, number.end) : end].lower()
    if (unit in SECONDS or unit in SIZES) and not text[end : end + 1].isalnum():
        return _make(number, end, AMOUNT, unit)
    if text[number.end : number.end + 1].isalnum() or number.value % 1:
        return None
    if unit == "of":
        return _part(text, number, end)
    return None if str(int(number.value)) in STATUS_CODES else _things(text, number)


def _part(text: str, number: Numeral, at: int) -> Quantity | None:
    """Read "3 of 5" and "3 of the 5"."""
    words = next_words(text, at, 1)
    at = skip_gap(text, words[0][1] if words and words[0][0] == "the" else at)
    if not is_digit(text, at):
        return None
    total, end = read_digits(text, at)
    if total < number.value or text[end : end + 1].isalnum():
        return None
    return _make(number, end, THINGS, "").replace(total=total)


def _things(text: str, number: Numeral) -> Quantity | None:
    """Read the plural noun behind a number, with up to two words between."""
    for word, end in next_words(text, number.end, _MOST_WORDS):
        if word in STOP_WORDS:
            return None
        if word.endswith("s") and len(word) >= _SHORTEST and not word.endswith(_SINGULAR_ENDS):
            return _make(number, end, THINGS, word)
    return None


def _make(number: Numeral, end: int, kind: str, unit: str) -> Quantity:
    return Quantity(
        number.start,
        end,
        kind,
        number.value,
        unit,
        upper=number.upper,
        approximate=number.approximate,
    )
