"""What a number measures: a percentage, a score, a factor or a count of things."""

from __future__ import annotations

from groundwire.record import Record
from groundwire.scan.numerals import Numeral, is_digit, read_digits, read_numeral
from groundwire.scan.quantity_words import (
    CHANGES,
    COMPARATIVES,
    COUNTED,
    DATE_WORDS,
    ERRORS,
    FAILED,
    LABELS,
    OUTCOME_FILLERS,
    OUTCOMES,
    PASSED,
    SCORE_WORDS,
    SINGULARS,
    STATUS_CODES,
    STOP_WORDS,
    TEST_HEADS,
    TESTS,
)
from groundwire.scan.words import next_words, skip_gap, word_before, word_end, words_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    _Words = list[tuple[str, int]]  # behind a number: lower case, with their ends

#: Words behind a number that are looked at.
_MOST_WORDS = 4
_SHORT_WORD = 3
PERCENT = "percent"
RATIO = "ratio"
TIMES = "times"
COUNT = "count"


class Quantity(Record):
    """A number with what it measures, at ``start:end`` of the original message.

    ``unit`` is "%", the counted noun or outcome ("files", "passed"), or the word behind a factor
    ("faster"); ``total`` is M in "N of M" and "N/M"; ``upper`` the far end of a range; ``outcome``
    is passed, failed or skipped where the text says so of counted tests.
    """

    start: int
    end: int
    kind: str
    value: float
    unit: str = ""
    total: float | None = None
    upper: float | None = None
    outcome: str = ""
    approximate: bool = False


def read_quantity(text: str, number: Numeral) -> Quantity | None:
    """Tell what the number measures; None when it is no quantity."""
    behind = text[number.end : number.end + 1]
    if behind == "/":
        return _ratio(text, number)
    words = next_words(text, number.end, _MOST_WORDS)
    found = _percent(text, number, words) or _times(text, number, words)
    if found or behind.isalnum() or number.before in LABELS:
        return found
    return _counted(text, number, words)


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


def _percent(text: str, number: Numeral, words: _Words) -> Quantity | None:
    at = skip_gap(text, number.end)
    if text[at : at + 1] == "%":
        behind = text[at + 1 : at + 4]
        is_word = len(behind) == _SHORT_WORD and behind.isalpha()
        if behind[:1].isdigit() or (behind[:1].isalpha() and not is_word):
            return None  # "100%20", a format such as "5%d"
        return _make(number, at + 1, PERCENT, "%")
    if words and words[0][0] in ("percent", "pct", "percentage"):
        return _make(number, words[0][1], PERCENT, "%")
    if [word for word, _ in words[:2]] == ["per", "cent"]:
        return _make(number, words[1][1], PERCENT, "%")
    return None


def _times(text: str, number: Numeral, words: _Words) -> Quantity | None:
    """Read "3x faster", "ten times slower", "5-fold"."""
    end = number.end
    if text.startswith(("x", "X", "\u00d7"), end) and number.value:
        if end + 1 < len(text) and (text[end + 1].isalnum() or text[end + 1] == "_"):
            return None
        end += 1
        unit = next((pair for pair in next_words(text, end, 3) if pair[0] in CHANGES), None)
    elif text.startswith(("-fold", "fold"), end):
        return _make(number, word_end(text, text.find("fold", end)), TIMES, "fold")
    else:
        if not words or words[0][0] != "times" or len(words) < 2:
            return None
        unit = words[1] if words[1][0] in COMPARATIVES else None
        if words[1][0] == "as" and len(words) > 2:
            unit = words[2]
        if unit is None:
            return None
    return _make(number, unit[1] if unit else end, TIMES, unit[0] if unit else "")


def _ratio(text: str, number: Numeral) -> Quantity | None:
    """Read ``N/M``: a count when tests stand beside it, else a score; None for dates and parts."""
    if not is_digit(text, number.end + 1):
        return None
    total, end = read_digits(text, number.end + 1)
    if text[end : end + 1].isalnum() or text[end : end + 1] in ("/", "-", "_"):
        return None
    if number.value > total or not total or total % 1:
        return None
    if number.before in LABELS and not number.value % 1:
        return None  # "step 2/5", but "I rate this code 8.5/10"
    if text[max(0, number.start - 1) : number.start] == "[":
        return None  # a part, as in "[2/5]"
    if number.before in DATE_WORDS and number.value <= 31 and total <= 31:
        return None
    whole = number.replace(end=end)
    return (
        _part(text, whole, total, next_words(text, end, _MOST_WORDS))
        or _beside_noun(text, whole, total)
        or _score(text, whole, total)
    )


def _score(text: str, number: Numeral, total: float) -> Quantity | None:
    """A ratio that can be no fraction or date: out of 5, 10 or 100, decimal, full or scored."""
    if (
        total in (5, 10, 100)
        or total > 31
        or number.value != int(number.value)
        or (number.value == total and total > 1)
        or words_before(text, number.start, 3) & SCORE_WORDS
    ):
        return _make(number, number.end, RATIO, "").replace(total=total)
    return None


def _counted(text: str, number: Numeral, words: _Words) -> Quantity | None:
    """Read "42 tests", "42 passed", "12 of the 15 tests", "8.5 out of 10", "Errors: 0"."""
    lead = [word for word, _ in words[:2]]
    if number.before == "of" and is_digit(text, max(0, number.before_at - 2)):
        return None  # the far end of "step 1 of 3"
    if lead[:1] == ["of"] or lead[:2] == ["out", "of"]:
        return _of_total(text, number, words[:3])
    if number.value != int(number.value) or str(int(number.value)) in STATUS_CODES:
        return None
    return _part(text, number, None, words) or _beside_noun(text, number, None)


def _of_total(text: str, number: Numeral, words: _Words) -> Quantity | None:
    """Read "N of M things" and "N out of M"."""
    out = words[0][0] == "out"
    last = 2 if out else 1
    end = words[last][1] if len(words) > last and words[last][0] == "the" else words[last - 1][1]
    at = skip_gap(text, end)
    if not (is_digit(text, at) or text[at : at + 1].isalpha()):
        return None
    other, end = read_numeral(text, at)
    if other is None or other.upper is not None or not number.value <= other.value:
        return None
    whole = number.replace(end=end)
    part = _part(text, whole, other.value, next_words(text, end, _MOST_WORDS))
    if part or not out or text[end : end + 1].isalnum():
        return part
    return _score(text, whole, other.value)


def _part(text: str, number: Numeral, total: float | None, words: _Words) -> Quantity | None:
    """Read the noun phrase behind a number: at most two words before the counted noun."""
    few = (number.value if total is None else total) == 1
    at, noun, outcome = number.end, "", ""
    for place, (word, end) in enumerate(words):
        plural = "tests" if word == "cases" and noun == "test" else word
        if plural in COUNTED or (few and word in SINGULARS):
            noun, at = SINGULARS.get(plural, plural), end
        elif word in STOP_WORDS or (noun in COUNTED and noun):
            break
        elif place == 0 and word in OUTCOMES and not _continues(number, word):
            noun, at, outcome = word, end, _outcome_of(word)
        elif word in TEST_HEADS:
            noun, at = "test", end
    if noun == "test" or not noun:
        return None
    if noun in TESTS and not outcome:
        outcome = _outcome_behind(text, at)
    return _make(number, at, COUNT, noun).replace(total=total, outcome=outcome)


def _continues(number: Numeral, word: str) -> bool:
    """A name and a verb, as in "tests 1 and 2 pass", instead of a count and its outcome."""
    verb = word in ("pass", "passes", "fail", "fails")
    return verb and number.before in ("and", "or", "to")


def _outcome_behind(text: str, at: int) -> str:
    at += text[at : at + 1] == ","
    for word, _ in next_words(text, at, 4):
        if word in OUTCOMES:
            return _outcome_of(word)
        if word not in OUTCOME_FILLERS:
            break
    return ""


def _outcome_of(word: str) -> str:
    return "passed" if word in PASSED else "failed" if word in FAILED else "skipped"


def _beside_noun(text: str, number: Numeral, total: float | None) -> Quantity | None:
    """Read "Tests: 42/42", "Errors: 0" and "tests passed (12/15)"."""
    at = number.start
    floor = max(0, at - 8)
    while at > floor and text[at - 1] in " *_:(\x1d=":
        at -= 1
    mark = text[at : number.start]
    if not mark.strip(" ") and (not mark or total is None):
        return None
    word, start = word_before(text, at)
    outcome = _outcome_of(word) if word in OUTCOMES and word not in ERRORS else ""
    if outcome:
        noun, noun_start = word_before(text, start)
        word, start = (noun, noun_start) if noun in TESTS else (word, start)
    stands_apart = ":" in mark or "\x1d" in mark or (total and "(" in mark)
    if not (outcome or (stands_apart and (word in TESTS or word in ERRORS))):
        return None
    if "\x1d" in mark:  # another cell
        start = number.start
    end = number.end + ("(" in mark and text[number.end : number.end + 1] == ")")
    counted = _make(number, end, COUNT, word)
    return counted.replace(start=start, total=total, outcome=outcome)
