"""Numbers as written, in digits or in words, and what each one measures."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire.base.rules import lists
from groundwire.base.rules.lists import APPROXIMATE_WORDS, NUMBER_WORDS
from groundwire.language.words import next_words, skip_gap, word_before, word_end, words_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    Words = list[tuple[str, int]]


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


SINGULARS = {**{word.removesuffix("s"): word for word in lists.COUNTED}, **lists.PLURALS}
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
        return of_which(text, number, number.end)
    if lead[:1] == ["of"] or lead == ["out", "of"]:
        return of_total(text, number, words[lead[0] == "out" :])
    if number.value % 1 or str(int(number.value)) in lists.STATUS_CODES:
        return None
    count = part(text, number, None, words)
    if count and count.unit in lists.TESTS and " of " in text[count.end : count.end + _NEAR]:
        return with_total(text, number, count)
    return count or beside_noun(text, number, None)


def part(text: str, number: Numeral, total: float | None, words: Words) -> Quantity | None:
    """Read the noun phrase behind a number: at most two words before the counted noun."""
    few = (number.value if total is None else total) == 1
    at, noun, outcome = number.end, "", ""
    for place, (word, end) in enumerate(words):
        plural = "tests" if word == "cases" and noun == "test" else word
        if plural in lists.COUNTED or (few and word in SINGULARS):
            noun, at = SINGULARS.get(plural, plural), end
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
