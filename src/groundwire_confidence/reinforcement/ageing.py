"""The age of validated data: confidence, and what is to be done (R004-15, R004-16, A004-14).

Dates are (year, month, day); nothing here asks the clock.
"""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record

#: R004-02, R004-15: what one whole month takes.
DECAY_PER_MONTH = 0.001
REVIEW_MONTHS = 6

NONE = "None"
REVIEW = "Review recommended"
VALIDATE = "Human validation required"
REFRESH = "Must refresh or remove"
ACTIONS = (NONE, REVIEW, VALIDATE, REFRESH)
#: Up to and including validation plus so many months the action holds; later it is REFRESH.
_UNTIL = ((3, NONE), (6, REVIEW), (12, VALIDATE))
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LAST_YEAR = 9999

Date = tuple[int, int, int]


class Age(Record):
    """How old validated data is: whole months, its confidence, and what is to be done."""

    months: int
    confidence: float
    action: str


def data_age(validated: Date, today: Date) -> Age:
    """Return the age of data that was validated on one day, seen from another.

    Raises ConfidenceError when that day has not come yet.
    """
    if validated > today:
        text = f"{show_date(validated)}: allowed: a day up to {show_date(today)}"
        raise ConfidenceError(f"validated: value {text}")
    months = whole_months(validated, today)
    return Age(months, data_confidence(months), action(validated, today))


def data_confidence(months: int) -> float:
    """Return 1 - 0.001 for each whole month since the validation, at least 0."""
    if isinstance(months, bool) or not isinstance(months, int) or months < 0:
        allowed = "a whole number of at least 0"
        raise ConfidenceError(f"months: value {months!r:.60}: allowed: {allowed}")
    return max(0, 1000 - months) / 1000


def action(validated: Date, today: Date) -> str:
    """Return what is to be done, from the dates alone: 0.001 a month alone would never remove."""
    for months, name in _UNTIL:
        if today <= add_months(validated, months):
            return name
    return REFRESH


def next_review(validated: Date) -> Date:
    """Return the day of the next review: six months on."""
    return add_months(validated, REVIEW_MONTHS)


def whole_months(start: Date, end: Date) -> int:
    """Return how many whole calendar months lie between two days, 0 when ``end`` is earlier."""
    months = (end[0] - start[0]) * 12 + end[1] - start[1]
    if months > 0 and end < add_months(start, months):
        months -= 1
    return max(0, months)


def add_months(day: Date, months: int) -> Date:
    """Return the same day so many months on, or the last day of a month that is shorter."""
    years, month = divmod(day[1] - 1 + months, 12)
    year = day[0] + years
    return year, month + 1, min(day[2], days_of(year, month + 1))


def days_of(year: int, month: int) -> int:
    """Return how many days a month has."""
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _DAYS[month - 1] + leap


def read_date(name: str, value: object) -> Date:
    """Return the date that a text like 2026-03-20 stands for; raises ConfidenceError."""
    text = value if isinstance(value, str) else ""
    parts = text.split("-")
    digits = text.isascii() and all(part.isdigit() for part in parts)
    if digits and [len(part) for part in parts] == [4, 2, 2]:
        year, month, day = map(int, parts)
        if 1 <= year <= _LAST_YEAR and 1 <= month <= 12 and 1 <= day <= days_of(year, month):
            return year, month, day
    raise ConfidenceError(f"{name}: value {value!r:.60}: allowed: a date such as 2026-03-20")


def show_date(day: Date) -> str:
    """Return a date as 2026-03-20."""
    return f"{day[0]:04d}-{day[1]:02d}-{day[2]:02d}"
