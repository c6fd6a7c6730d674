"""Thresholds: the most flagged turns at the wanted precision, by one statement or together."""

from __future__ import annotations

import pytest

from groundwire.calibrate.predict import Prediction, decided
from groundwire.calibrate.thresholds import FEWEST, Wanted, propose
from groundwire.confidence.share import Share
from groundwire.model import BLOCK
from groundwire.settings import SHIPPED
from tests.calibrate.synthetic import prediction

Turn = tuple[int | None, list[int]]  # flag of its first statement, confidences of all


def many(count: int, flag: int | None, *confidences: int) -> list[Turn]:
    return [(flag, list(confidences))] * count


def turns(*rows: Turn, status: str = "qualified") -> list[Prediction]:
    return [
        prediction(
            f"turn{number}",
            [(flag if at == 0 else 0, [(one, status)]) for at, one in enumerate(them)],
        )
        for number, (flag, them) in enumerate(rows)
    ]


def stopped(predictions: list[Prediction], wanted: Wanted) -> list[int]:
    """Return which turns the proposed thresholds stop, by the product's own decision."""
    found = propose(predictions, SHIPPED, wanted)
    assert found is not None
    again = [decided(one, SHIPPED.replace(thresholds=found.thresholds)) for one in predictions]
    hits = [number for number, one in enumerate(again) if one.decision.action == BLOCK]
    assert found.precision.count == len(hits)
    return hits


def test_the_most_flagged_turns_that_keep_the_precision() -> None:
    rows = many(4, 1, 90) + many(1, 0, 88) + many(4, 1, 80) + many(5, 0, 70)
    assert stopped(turns(*rows), Wanted(0.8, 1.0)) == list(range(9))
    assert stopped(turns(*rows), Wanted(0.6, 1.0)) == list(range(9))  # 5 more would bring nothing


def test_clean_turns_that_may_be_stopped() -> None:
    rows = many(6, 1, 90) + many(1, 0, 88) + many(4, 1, 80) + many(9, 0, 10)
    assert len(stopped(turns(*rows), Wanted(0.8, 0.1))) == 11
    assert len(stopped(turns(*rows), Wanted(0.8, 0.09))) == 6


def test_statements_count_together() -> None:
    """Four doubts stop a turn that none of them would stop alone."""
    rows = many(6, 1, 42, 41, 40, 39) + many(6, 0, 60)
    assert stopped(turns(*rows), Wanted(0.9, 0.0)) == list(range(6))


def test_too_few_turns_say_nothing() -> None:
    rows = many(FEWEST - 1, 1, 90) + many(9, 0, 60)
    assert propose(turns(*rows), SHIPPED, Wanted()) is None


def test_disputed_turns_do_not_count() -> None:
    rows = many(5, 1, 90) + many(5, None, 95)
    found = propose(turns(*rows), SHIPPED, Wanted(1.0, 0.0))
    assert found is not None
    assert found.precision == found.recall == Share(5, 5)


@pytest.mark.parametrize("mode", ["enforce", "report", "off"])
def test_the_mode_makes_no_difference(mode: str) -> None:
    rows = many(5, 1, 90) + many(5, 0, 60)
    found = propose(turns(*rows), SHIPPED.replace(mode=mode), Wanted())
    assert found is not None
    assert found.recall == Share(5, 5)


def test_bare_text_has_a_threshold_of_its_own() -> None:
    rows = many(9, 1, 90)
    assert propose(turns(*rows, status=""), SHIPPED, Wanted()) is None
