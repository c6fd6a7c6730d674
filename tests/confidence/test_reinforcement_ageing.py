"""The age of validated data: whole calendar months, confidence, action."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.reinforcement.ageing import (
    ACTIONS,
    Date,
    action,
    add_months,
    data_age,
    data_confidence,
    days_of,
    next_review,
    read_date,
    show_date,
    whole_months,
)
from groundwire.errors import ConfidenceError

DAY: Date = (2026, 3, 20)

#: 004-V22 to V24: months and confidence; 501 months are the first below 0.5.
MONTHS = [
    (0, 1.0),
    (3, 0.997),
    (6, 0.994),
    (12, 0.988),
    (13, 0.987),
    (500, 0.5),
    (501, 0.499),
    (1000, 0.0),
    (5000, 0.0),
]


@pytest.mark.parametrize(("months", "confidence"), MONTHS)
def test_confidence(months: int, confidence: float) -> None:
    assert data_confidence(months) == confidence


#: R004-16 and A004-14: the day of the month counts, and a bound belongs to the milder action.
AGES = [
    ("2026-03-20", 0, "None"),
    ("2026-04-19", 0, "None"),
    ("2026-04-20", 1, "None"),
    ("2026-06-20", 3, "None"),
    ("2026-06-21", 3, "Review recommended"),
    ("2026-09-20", 6, "Review recommended"),
    ("2026-09-21", 6, "Human validation required"),
    ("2027-03-20", 12, "Human validation required"),
    ("2027-03-21", 12, "Must refresh or remove"),
    ("2027-04-20", 13, "Must refresh or remove"),
    ("2068-01-01", 501, "Must refresh or remove"),
]


@pytest.mark.parametrize(("today", "months", "wanted"), AGES)
def test_age(today: str, months: int, wanted: str) -> None:
    age = data_age(DAY, read_date("today", today))
    assert (age.months, age.action) == (months, wanted)
    assert age.confidence == data_confidence(months)


#: The last day of a month, and leap years.
ADDED = [
    ((2026, 1, 31), 1, (2026, 2, 28)),
    ((2024, 1, 31), 1, (2024, 2, 29)),
    ((2026, 8, 31), 6, (2027, 2, 28)),
    ((2026, 11, 30), 3, (2027, 2, 28)),
    ((2026, 12, 15), 1, (2027, 1, 15)),
]


@pytest.mark.parametrize(("day", "months", "later"), ADDED, ids=str)
def test_months_on(day: Date, months: int, later: Date) -> None:
    assert add_months(day, months) == later
    assert whole_months(day, later) == months


def test_the_next_review_is_six_months_on() -> None:
    assert next_review(DAY) == (2026, 9, 20)


days = st.dates(date(1900, 1, 1), date(2900, 1, 1)).map(lambda d: (d.year, d.month, d.day))


@given(days, days)
def test_data_only_gets_older(one: Date, other: Date) -> None:
    first, second = sorted((one, other))
    validated: Date = (1899, 12, 31)
    younger, older = data_age(validated, first), data_age(validated, second)
    assert younger.months <= older.months
    assert younger.confidence >= older.confidence
    assert ACTIONS.index(younger.action) <= ACTIONS.index(older.action)


@given(days, st.integers(0, 2000))
def test_whole_months_undo_added_ones(day: Date, months: int) -> None:
    later = add_months(day, months)
    assert whole_months(day, later) == months
    assert 1 <= later[2] <= days_of(later[0], later[1])


@given(days)
def test_a_date_written_is_the_date_read(day: Date) -> None:
    assert read_date("day", show_date(day)) == day


@given(days, days)
def test_actions_come_from_the_dates(validated: Date, today: Date) -> None:
    first, second = sorted((validated, today))
    bounds = [add_months(first, months) for months in (3, 6, 12)]
    assert action(first, second) == ACTIONS[sum(second > bound for bound in bounds)]


BAD_DATES: list[Any] = [
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "0000-01-01",
    "20260320",
    "2026-3-20",
    "2026-03-20T10:00",
    " 2026-03-20",
    "٢٠٢٦-٠٣-٢٠",
    "",
    None,
    20260320,
]


@pytest.mark.parametrize("value", BAD_DATES, ids=repr)
def test_no_date(value: Any) -> None:
    with pytest.raises(ConfidenceError, match=r"validated: value .* such as 2026-03-20"):
        read_date("validated", value)


def test_a_validation_that_has_not_come_yet() -> None:
    with pytest.raises(ConfidenceError, match="2026-03-20: allowed: a day up to 2026-03-19"):
        data_age(DAY, (2026, 3, 19))


@pytest.mark.parametrize("months", [-1, 1.5, math.nan, "3", True, None])
def test_months_that_are_none(months: Any) -> None:
    with pytest.raises(ConfidenceError, match="months"):
        data_confidence(months)
