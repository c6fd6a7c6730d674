"""What a number measures: a percentage, a score, a factor, or a count of tests, files, errors."""

from __future__ import annotations

from groundwire.record import Record
from groundwire.rules import lists
from groundwire.scan import quantity_words as tables
from groundwire.scan.numerals import Numeral, is_digit
from groundwire.scan.words import next_words, skip_gap, word_before, word_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    Words = list[tuple[str, int]]  # behind a number: lower case, with their ends

#: Words behind a number that are looked at.
MOST_WORDS = 4
_NEAR = 8
PERCENT, RATIO, TIMES, COUNT = "percent", "ratio", "times", "count"


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


def read_quantity(text: str, number: Numeral, words: Words) -> Quantity | None:
    """Tell what the number measures, before ``words``; None when it is none of these."""
    behind = text[number.end : number.end + 1]
    if behind == "/":
        from groundwire.scan.ratios import ratio  # few numbers have another beside them

        return ratio(text, number)
    quantity = _percent(text, number, words) or _times(text, number, words)
    if quantity or behind.isalnum() or number.before in lists.LABELS:
        return quantity
    return _counted(text, number, words)


def make(
    number: Numeral, end: int, kind: str, unit: str = "", total: float | None = None
) -> Quantity:
    """Return the quantity of a number that ends at ``end``."""
    return Quantity(
        number.start,
        end,
        kind,
        number.value,
        unit,
        total,
        number.upper,
        approximate=number.approximate,
    )


def _percent(text: str, number: Numeral, words: Words) -> Quantity | None:
    at = skip_gap(text, number.end)
    if text[at : at + 1] == "%":
        behind = text[at + 1 : at + 4]
        is_word = len(behind) == len("abc") and behind.isalpha()
        if behind[:1].isdigit() or (behind[:1].isalpha() and not is_word):
            return None  # "100%20", a format such as "5%d"
        return make(number, at + 1, PERCENT, "%")
    if words and words[0][0] in ("percent", "pct", "percentage"):
        return make(number, words[0][1], PERCENT, "%")
    is_split = [word for word, _ in words[:2]] == ["per", "cent"]
    return make(number, words[1][1], PERCENT, "%") if is_split else None


def _times(text: str, number: Numeral, words: Words) -> Quantity | None:
    """Read "3x faster", "ten times slower", "5-fold"."""
    end = number.end
    if text.startswith(("-fold", "fold"), end):
        return make(number, word_end(text, text.find("fold", end)), TIMES, "fold")
    if text.startswith(("x", "X", "\u00d7"), end) and number.value:
        end += 1
        if text[end : end + 1].isalnum() or text[end : end + 1] == "_":
            return None
        changes = [pair for pair in next_words(text, end, 3) if pair[0] in lists.CHANGES]
        unit, end = changes[0] if changes else ("", end)
        return make(number, end, TIMES, unit)
    if len(words) < 2 or words[0][0] != "times":
        return None
    if words[1][0] == "as" and len(words) > 2:
        return make(number, words[2][1], TIMES, words[2][0])
    unit, end = words[1]
    return make(number, end, TIMES, unit) if unit in lists.COMPARATIVES else None


def _counted(text: str, number: Numeral, words: Words) -> Quantity | None:
    """Read "42 tests", "42 passed", "12 of the 15 tests", "8.5 out of 10", "Errors: 0"."""
    lead = [word for word, _ in words[:2]]
    if number.before == "of" and is_digit(text, max(0, number.before_at - 2)):
        return None  # the far end of "step 1 of 3"
    if lead == ["of", "which"]:
        from groundwire.scan.ratios import of_which

        return of_which(text, number, number.end)
    if lead[:1] == ["of"] or lead == ["out", "of"]:
        from groundwire.scan.ratios import of_total

        return of_total(text, number, words[lead[0] == "out" :])
    if number.value % 1 or str(int(number.value)) in lists.STATUS_CODES:
        return None
    count = part(text, number, None, words)
    if count and count.unit in lists.TESTS and " of " in text[count.end : count.end + _NEAR]:
        from groundwire.scan.ratios import with_total

        return with_total(text, number, count)
    return count or beside_noun(text, number, None)


def part(text: str, number: Numeral, total: float | None, words: Words) -> Quantity | None:
    """Read the noun phrase behind a number: at most two words before the counted noun."""
    few = (number.value if total is None else total) == 1
    at, noun, outcome = number.end, "", ""
    for place, (word, end) in enumerate(words):
        plural = "tests" if word == "cases" and noun == "test" else word
        if plural in lists.COUNTED or (few and word in tables.SINGULARS):
            noun, at = tables.SINGULARS.get(plural, plural), end
        elif word in lists.STOP_WORDS or noun in lists.COUNTED:
            break
        elif place == 0 and word in lists.OUTCOMES and not _continues(number, word):
            noun, at, outcome = word, end, _outcome_of(word)
        elif word in lists.TEST_HEADS:
            noun, at = "test", end
    if noun == "test" or not noun:
        return None
    if noun in lists.TESTS and not outcome:
        outcome = outcome_behind(text, at)
        if not outcome and number.before in ("pass", "fail"):  # "pasan 3 de 5 pruebas"
            outcome = _outcome_of(number.before)
    return make(number, at, COUNT, noun, total).replace(outcome=outcome)


def _continues(number: Numeral, word: str) -> bool:
    """A name and a verb, as in "tests 1 and 2 pass", instead of a count and its outcome."""
    verb = word in ("pass", "passes", "fail", "fails")
    return verb and number.before in ("and", "or", "to")


def outcome_behind(text: str, at: int) -> str:
    """Return what becomes of the tests that are counted before ``at``."""
    at += text[at : at + 1] == ","
    words = [word for word, _ in next_words(text, at, 4)]
    told = next((word for word in words if word not in lists.OUTCOME_FILLERS), "")
    return _outcome_of(told) if told in lists.OUTCOMES else ""


def _outcome_of(word: str) -> str:
    return "passed" if word in lists.PASSED else "failed" if word in lists.FAILED else "skipped"


def beside_noun(text: str, number: Numeral, total: float | None) -> Quantity | None:
    """Read "Tests: 42/42", "Errors: 0" and "tests passed (12/15)"."""
    at = number.start
    floor = max(0, at - _NEAR)
    while at > floor and text[at - 1] in " *_:(\x1d=":
        at -= 1
    mark = text[at : number.start]
    if not mark.strip(" ") and (not mark or total is None):
        return None
    word, start = word_before(text, at)
    outcome = _outcome_of(word) if word in lists.OUTCOMES and word not in lists.ERRORS else ""
    if outcome:
        noun, noun_start = word_before(text, start)
        word, start = (noun, noun_start) if noun in lists.TESTS else (word, start)
    stands_apart = ":" in mark or "\x1d" in mark or (total and "(" in mark)
    if not (outcome or (stands_apart and (word in lists.TESTS or word in lists.ERRORS))):
        return None
    if "\x1d" in mark:  # another cell
        start = number.start
    end = number.end + ("(" in mark and text[number.end : number.end + 1] == ")")
    return make(number, end, COUNT, word, total).replace(start=start, outcome=outcome)
