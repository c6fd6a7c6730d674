"""The age of validated data: whole calendar months, confidence, action."""

from __future__ import annotations

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
from tests.support.tables import tables

TABLES = tables(__file__)

DAY: Date = (2026, 3, 20)


@pytest.mark.parametrize(("months", "confidence"), TABLES["months"])
def test_confidence(months: int, confidence: float) -> None:
    assert data_confidence(months) == confidence


@pytest.mark.parametrize(("today", "months", "wanted"), TABLES["ages"])
def test_age(today: str, months: int, wanted: str) -> None:
    age = data_age(DAY, read_date("today", today))
    assert (age.months, age.action) == (months, wanted)
    assert age.confidence == data_confidence(months)


@pytest.mark.parametrize(("day", "months", "later"), TABLES["added"], ids=str)
def test_months_on(day: Any, months: int, later: Any) -> None:
    assert add_months(day, months) == tuple(later)
    assert whole_months(*map(tuple, (day, later))) == months


days = st.dates(date(1900, 1, 1), date(2900, 1, 1)).map(lambda d: (d.year, d.month, d.day))


@given(days, st.integers(0, 2000))
def test_whole_months_undo_added_ones(day: Date, months: int) -> None:
    later = add_months(day, months)
    assert whole_months(day, later) == months
    assert 1 <= later[2] <= days_of(later[0], later[1])
    assert read_date("day", show_date(day)) == day
    assert next_review(day) == add_months(day, 6)


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
    with pytest.raises(ConfidenceError, match="months"):
        data_confidence(-1)
