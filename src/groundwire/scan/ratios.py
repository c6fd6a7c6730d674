"""Numbers of a whole: "12/15", "8.5 out of 10", "12 of the 15 tests", "15 tests, of which 12"."""

from __future__ import annotations

from groundwire.rules import lists
from groundwire.scan.numerals import Numeral, is_digit, read_digits, read_numeral
from groundwire.scan.quantities import (
    MOST_WORDS,
    RATIO,
    Quantity,
    beside_noun,
    make,
    outcome_behind,
    part,
)
from groundwire.scan.words import next_words, skip_gap, words_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.scan.quantities import Words


def ratio(text: str, number: Numeral) -> Quantity | None:
    """Read ``N/M``: a count when tests stand beside it, else a score; None for dates and parts."""
    if not is_digit(text, number.end + 1):
        return None
    total, end = read_digits(text, number.end + 1)
    behind = text[end : end + 1]
    if behind.isalnum() or behind in ("/", "-", "_") or not number.value <= total or total % 1:
        return None
    # "step 2/5" is a label, but "I rate this code 8.5/10" is none
    is_label = number.before in lists.LABELS and not number.value % 1
    is_date = number.before in lists.DATE_WORDS and number.value <= 31 and total <= 31
    if not total or is_label or is_date or text[max(0, number.start - 1)] == "[":
        return None
    whole = number.replace(end=end)
    return (
        part(text, whole, total, next_words(text, end, MOST_WORDS))
        or beside_noun(text, whole, total)
        or _score(text, whole, total)
    )


def _score(text: str, number: Numeral, total: float) -> Quantity | None:
    """A ratio that can be no fraction or date: out of 5, 10 or 100, decimal, full or scored."""
    is_score = (
        total in (5, 10, 100)
        or total > 31
        or number.value % 1
        or (number.value == total and total > 1)
        or words_before(text, number.start, 3) & lists.SCORE_WORDS
    )
    return make(number, number.end, RATIO, total=total) if is_score else None


def of_total(text: str, number: Numeral, words: Words) -> Quantity | None:
    """Read "N of M things" and "N out of M"; ``words`` begin with "of"."""
    has_article = [word for word, _ in words[1:2]] == ["the"]
    at = skip_gap(text, words[has_article][1])
    if not (is_digit(text, at) or text[at : at + 1].isalpha()):
        return None
    other, end = read_numeral(text, at)
    if other is None or other.upper is not None or not number.value <= other.value:
        return None
    whole = number.replace(end=end)
    some = part(text, whole, other.value, next_words(text, end, MOST_WORDS))
    is_out = "out" in text[number.end : words[0][1]].lower()
    if some or not is_out or text[end : end + 1].isalnum():
        return some
    return _score(text, whole, other.value)


def of_which(text: str, number: Numeral, at: int) -> Quantity | None:
    """Read "5 tests, of which 3 pass": ``number`` is the whole, "of which" begins at ``at``."""
    at = skip_gap(text, next_words(text, at, 2)[1][1])
    if not (is_digit(text, at) or text[at : at + 1].isalpha()):
        return None
    some, end = read_numeral(text, at)
    if some is None or some.upper is not None or not some.value <= number.value:
        return None
    whole = some.replace(start=number.start)
    return part(text, whole, number.value, next_words(text, end, MOST_WORDS))


def with_total(text: str, number: Numeral, some: Quantity) -> Quantity | None:
    """Read what stands behind "3 tests": "of 5", "out of 5", or ", of which 2 pass"."""
    at = some.end + (text[some.end : some.end + 1] == ",")
    words = next_words(text, at, 2)
    lead = [word for word, _ in words]
    if lead == ["of", "which"]:
        return of_which(text, number, at) or some
    at = skip_gap(text, words[lead == ["out", "of"]][1]) if words else at
    if "of" not in lead or not is_digit(text, at):
        return some
    total, end = read_digits(text, at)
    if not number.value <= total:
        return some
    outcome = some.outcome or outcome_behind(text, end)
    return some.replace(end=end, total=total, outcome=outcome)
