"""The fit: it finds what was planted, keeps signs and priors, and touches nothing else."""

from __future__ import annotations

import random
from math import exp

import numpy as np
import pytest

from groundwire.calibrate.design import Row
from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.fit import Fitted, Plan, Spreads, Term, fit, plan_in_use, plan_of
from groundwire.evidence.weigh import BASE
from groundwire.lexicon.weights import load_model
from groundwire.rules import weights as shipped
from groundwire.settings import SHIPPED

MODEL = load_model()
#: Without own spreads, so that those of a plan hold.
MODEL = MODEL.model_copy(
    update={"feature": [one.model_copy(update={"spread": None}) for one in MODEL.feature]}
)
WIDE = Spreads(100.0, 100.0, 100.0, 100.0)
TRUTH = Fitted(
    {
        **dict.fromkeys(shipped.FEATURES, 0.0),
        BASE: -1.0,
        "strength": 0.8,
        "failed_open": 3.0,
        "passed_fresh": -1.5,
        "group guess": 1.0,
        "marker one": 2.0,
    }
)


def drawn(count: int, truth: Fitted = TRUTH, seed: int = 1) -> list[Row]:
    """Return claims with random values, flagged with the chance that ``truth`` gives them."""
    chance = random.Random(seed)
    rows = []
    for number in range(count):
        values = {"strength": chance.uniform(-1, 2)}
        for name in ("failed_open", "passed_fresh", "group guess", "marker one", "marker two"):
            if chance.random() < 0.3:
                values[name] = 1.0
        logit = sum(truth.weights.get(name, 0.0) * it for name, it in values.items())
        share = 1 / (1 + exp(-truth.weights[BASE] - logit))
        rows.append(Row((number, number + 1), int(chance.random() < share), values))
    return rows


def test_planted_weights_are_found() -> None:
    found = fit(drawn(6000), plan_of(MODEL, WIDE)).weights
    for name, weight in TRUTH.weights.items():
        if weight:
            assert found[name] == pytest.approx(weight, abs=0.35), name
    assert found["marker two"] == pytest.approx(0.0, abs=0.35)


def test_what_no_claim_shows_stays_at_its_prior() -> None:
    found = fit(drawn(300), plan_of(MODEL, Spreads())).weights
    for one in MODEL.feature:
        if one.name not in ("strength", "failed_open", "passed_fresh"):
            assert found[one.name] == one.prior
    assert "marker three" not in found


def test_a_weight_never_goes_beyond_its_sign() -> None:
    """Failures that are never flagged and passes that always are: both weigh nothing."""
    against = {**TRUTH.weights, "failed_open": -3.0, "passed_fresh": 3.0}
    found = fit(drawn(2000, Fitted(against)), plan_of(MODEL, WIDE)).weights
    assert found["failed_open"] == found["passed_fresh"] == 0.0
    assert found["marker one"] > 1.0  # what has no sign may be anything


def test_a_narrow_spread_holds_the_prior() -> None:
    rows = drawn(500)
    narrow = fit(rows, plan_of(MODEL, Spreads(1e-4, 1e-4, 1e-4, 1e-4))).weights
    for one in MODEL.feature:
        assert narrow[one.name] == pytest.approx(one.prior, abs=0.002)
    assert narrow["marker one"] == pytest.approx(0.0, abs=0.002)
    own = MODEL.feature[0].model_copy(update={"spread": 1e-4})
    mixed = MODEL.model_copy(update={"feature": [own, *MODEL.feature[1:]]})
    held = fit(rows, plan_of(mixed, WIDE)).weights
    assert held["strength"] == pytest.approx(own.prior, abs=0.002)
    assert abs(held["passed_fresh"] + 2.0) > 0.1


def test_the_rarer_a_marker_the_closer_to_nothing() -> None:
    rows = drawn(400)
    flagged = [Row((n, n), 1, {"strength": 0.0, "marker rare": 1.0}) for n in range(20)]
    plan = plan_of(MODEL, Spreads())
    once, often = (fit([*rows, *flagged[:count]], plan).weights["marker rare"] for count in (1, 20))
    assert 0.05 < once < often / 2


def test_the_fit_is_the_minimum_of_its_loss() -> None:
    """Written out for one feature and searched by brute force."""
    rows = [Row((0, 1), flag, {"a": value}) for flag, value in [(1, 1.0), (1, 0.5), (0, 1.0)]]
    plan = Plan({BASE: Term(-1.0, 0.0), "a": Term(2.0, 0.7)}, Term(0.0, 0.0))

    def loss(weight: float) -> float:
        logits = np.array([-1.0 + weight * row.values["a"] for row in rows])
        flags = np.array([row.flag for row in rows])
        misfit = np.log1p(np.exp(logits)) - flags * logits
        return float(misfit.sum() + ((weight - 2.0) / 0.7) ** 2 / 2)

    best = min(np.arange(-3, 5, 0.001), key=loss)
    assert fit(rows, plan).weights["a"] == pytest.approx(best, abs=0.0015)


def test_what_a_plan_is_without_weighs_nothing() -> None:
    plan = plan_of(MODEL, WIDE).without(("failed_open", "marker ", "group "))
    found = fit(drawn(500), plan).weights
    gone = [name for name in found if name.startswith(("marker ", "group "))]
    assert len(gone) > 2
    assert not any(found[name] for name in ("failed_open", *gone))
    assert found["passed_fresh"]
    assert found["failed_other"]


def test_for_settings_only_features_move() -> None:
    settings = SHIPPED.replace(features=(("strength", 0.9),))
    found = fit(drawn(500), plan_in_use(MODEL, settings, Spreads(feature=1e-4))).weights
    assert found[BASE] == shipped.BASE
    assert {name: found[f"group {name}"] for name in shipped.GROUPS} == shipped.GROUPS
    assert found["marker one"] == 0.0
    assert found["strength"] == pytest.approx(0.9, abs=0.002)
    free = fit(drawn(500), plan_in_use(MODEL, settings, Spreads(feature=5.0))).weights
    assert abs(free["failed_open"] - found["failed_open"]) > 0.1


@pytest.mark.parametrize("flag", [0, 1])
def test_one_sort_of_claims_teaches_nothing(flag: int) -> None:
    rows = [Row((0, 1), flag, {"strength": 1.0})] * 3
    with pytest.raises(CalibrateError, match="a fit needs flagged ones and others"):
        fit(rows, plan_of(MODEL, Spreads()))
