"""The arithmetic of the benchmarks: quartiles, fits, targets and how they are shown."""

from __future__ import annotations

import pytest

from benchmarks.figures import (
    Figure,
    exponent,
    percentile,
    quartiles,
    ratios,
    row,
    shown,
    slope,
    summary,
)
from tests.support.tables import table

SIZES = (10.0, 20.0, 40.0, 80.0)


@table
def test_quartiles(samples: list[float], expected: list[float]) -> None:
    assert [*quartiles(samples)] == expected


def test_a_percentile_stands_between_the_samples() -> None:
    samples = [float(number) for number in range(101)]
    assert percentile(samples, 99) == pytest.approx(99)
    assert percentile(samples, 50) == pytest.approx(50)


def test_ratios_are_those_of_pairs_not_of_medians() -> None:
    # a machine that is twice as slow in one round does not move the ratio of that round
    assert ratios([2.0, 4.0, 6.0], [1.0, 2.0, 3.0]) == (2.0, 2.0, 2.0)
    with pytest.raises(ValueError, match="zip"):
        ratios([1.0], [1.0, 2.0])


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0, 1.7, 2.0])
def test_the_exponent_of_a_power_is_found(power: float) -> None:
    assert exponent(SIZES, [3 * size**power for size in SIZES]) == pytest.approx(power)


def test_a_constant_part_makes_the_exponent_smaller() -> None:
    assert exponent(SIZES, [size + 100 for size in SIZES]) < 0.5


def test_the_slope_of_a_line_is_found() -> None:
    assert slope([0, 100, 200], [40.0, 41.0, 42.0]) == pytest.approx(0.01)
    assert slope([0, 1, 2], [5.0, 5.0, 5.0]) == 0


@pytest.mark.parametrize(
    ("value", "target", "at_least", "met"),
    [
        (1.0, None, False, None),
        (2.0, 2.0, False, True),
        (2.1, 2.0, False, False),
        (100.0, 100.0, True, True),
        (99.0, 100.0, True, False),
    ],
)
def test_targets(value: float, target: float | None, at_least: bool, met: bool | None) -> None:
    figure = Figure("p", "n", value, target=target, at_least=at_least)
    assert figure.met is met
    assert figure.fields()["met"] is met


@table
def test_numbers_are_shown_with_three_digits(number: float, text: str) -> None:
    assert shown(number) == text


def test_a_row_has_value_spread_target_and_verdict() -> None:
    figure = Figure("cold", "case", 2.5, "x pass", 2.4, 2.6, target=2.0)
    assert row(figure).split() == "case 2.50 x pass (2.40 to 2.60) <= 2.00: NOT MET".split()
    assert row(figure._replace(target=20.0, at_least=True)).endswith(">= 20.0: NOT MET")
    assert row(Figure("cold", "case", 1.0)).split() == ["case", "1.00"]


def test_the_summary_names_what_is_not_met() -> None:
    good = Figure("a", "good", 1.0, target=2.0)
    bad = Figure("b", "bad", 3.0, target=2.0)
    free = Figure("c", "free", 3.0)
    assert summary([good, bad, free]) == "1 of 2 targets met\n  not met: b: bad"
    assert summary([free]) == "0 of 0 targets met"
