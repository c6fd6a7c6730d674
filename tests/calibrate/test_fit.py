"""The fit finds known parameters again, keeps its limits, and is drawn to its start."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.fit import Goal, Observation, active_limits, fit, fit_vector, loss
from groundwire.calibrate.limits import BANDS, broken, limits
from groundwire.calibrate.parameters import START, changes, named, settings_of, vector_of
from groundwire.model import Verdict
from groundwire.scoring import Circumstances, score
from groundwire.settings import SHIPPED, Settings
from tests.calibrate.synthetic import TRUTH, distance, draw


@pytest.fixture(scope="module")
def many() -> list[Observation]:
    return draw(TRUTH, 12_000, seed=3)


def test_the_truth_lies_within_the_limits() -> None:
    assert broken(vector_of(TRUTH)) == []
    assert broken(vector_of(START)) == []


def test_known_parameters_are_found_again(many: list[Observation]) -> None:
    found = fit(many, Goal(vector_of(START), 0.01))
    for change in changes(TRUTH, found):
        allowed = 0.05 if change.key.startswith("strengths") else 0.35
        assert change.after == pytest.approx(change.before, abs=allowed), change.key
    assert distance(found, TRUTH) < distance(START, TRUTH) / 2


def test_the_fit_is_the_best_one_within_the_limits(many: list[Observation]) -> None:
    """Moving away from it, towards other parameters that keep the limits, never helps."""
    some = many[:600]
    goal = Goal(vector_of(START), 0.5)
    best = fit_vector(some, goal)
    lowest = loss(some, goal, best)
    towards = [vector_of(START), vector_of(TRUTH), vector_of(SHIPPED)]
    for other in towards:
        for step in (0.001, 0.01, 0.1):
            moved = best + step * (other - best)
            assert broken(moved) == []  # the limits are convex
            assert loss(some, goal, moved) >= lowest - 1e-5


def hostile(seed: int) -> list[Observation]:
    """Return labels that want every limit broken: what is sure is not flagged, the rest is."""
    kept = draw(START, 300, seed)
    return [Observation(one.rows, int(not one.flag)) for one in kept]


@pytest.mark.parametrize("shrinkage", [0.0, 0.1, 2.0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_limits_hold_whatever_the_labels_say(seed: int, shrinkage: float) -> None:
    found = fit(hostile(seed), Goal(vector_of(START), shrinkage))
    assert broken(vector_of(found)) == []
    assert active_limits(found) != []
    for band in BANDS:
        confidence, _ = score(band.strength, None, band.seen, found)
        assert band.lowest <= confidence <= band.highest, band.name


def test_what_is_sure_stays_sure() -> None:
    found = fit(hostile(4), Goal(vector_of(START), 0.0))
    seen = Circumstances(200)

    def at(status: str) -> int:
        return score("medium", Verdict(status), seen, found)[0]

    order = ["contradicted", "unsupported", "qualified", "not_checkable", "supported"]
    confidences = [at(status) for status in order]
    assert confidences == sorted(confidences, reverse=True)
    assert at("qualified") >= at("earlier") >= at("supported")
    assert at("contradicted") >= SHIPPED.thresholds.block > 49 >= at("supported")


def test_more_shrinkage_stays_closer_to_the_start(many: list[Observation]) -> None:
    some = many[:800]
    distances = [
        distance(settings_of(fit_vector(some, Goal(vector_of(START), pull))), START)
        for pull in (0.1, 3.0, 30.0, 1000.0, 100_000.0)
    ]
    assert distances == sorted(distances, reverse=True)
    assert distances[0] > 0.5
    assert distances[-1] < 0.01


def test_the_result_has_two_decimals(many: list[Observation]) -> None:
    found = fit(many[:500], Goal(vector_of(START)))
    for change in changes(SHIPPED, found):
        assert change.after == round(change.after, 2)


def test_settings_that_are_not_fitted_stay(many: list[Observation]) -> None:
    base = SHIPPED.replace(mode="report", kinds_off=("certainty_language",), notify=True)
    found = fit(many[:500], Goal(vector_of(START)), base)
    kept: dict[str, Any] = {
        name: getattr(found, name)
        for name in Settings._fields
        if name not in ("weights", "strengths", "verdicts", "context")
    }
    assert kept == {name: getattr(base, name) for name in kept}


def test_the_highest_match_of_a_sentence_counts() -> None:
    """A sentence with a contradicted and a supported claim teaches about the contradicted one."""
    chance = random.Random(5)
    single = draw(START, 400, 5)
    supported = np.array([row.rows[0] for row in draw(START, 400, 6)])
    lowest = vector_of(START)
    doubled = [
        Observation(np.vstack([one.rows, low]), one.flag)
        if float(low @ lowest) < float(one.rows[0] @ lowest) - 3
        else one
        for one, low in zip(single, supported, strict=True)
    ]
    assert sum(len(one.rows) == 2 for one in doubled) > 20
    chance.shuffle(doubled)
    goal = Goal(lowest, 50.0)  # strong enough that no order of two matches changes
    assert fit_vector(doubled, goal) == pytest.approx(fit_vector(single, goal), abs=1e-3)


@pytest.mark.parametrize("flag", [0, 1])
def test_labels_of_one_sort_teach_nothing(flag: int) -> None:
    same = [Observation(one.rows, flag) for one in draw(START, 30, 1)]
    with pytest.raises(CalibrateError, match="a fit needs flagged ones and others"):
        fit(same, Goal(vector_of(START)))


def test_nothing_to_learn_from() -> None:
    with pytest.raises(CalibrateError, match="0 of 0 labelled sentences"):
        fit([], Goal(vector_of(START)))


def test_every_limit_has_a_name_of_its_own() -> None:
    names = [limit.name for limit in limits()]
    assert len(set(names)) == len(names)


def test_a_fit_is_reproducible(many: list[Observation]) -> None:
    goal = Goal(vector_of(START))
    assert fit(many[:400], goal) == fit(many[:400], goal)


def test_kept_parameters_stay_where_they_start(many: list[Observation]) -> None:
    kept = named(["strengths", "weights.text_length"])
    found = fit(many, Goal(vector_of(START), 0.01, kept))
    moved = {change.key for change in changes(START, found) if change.before != change.after}
    assert moved
    assert moved.isdisjoint(kept)
