"""The fit: it finds what was planted, keeps signs and priors, and touches nothing else."""

import random
import shutil
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire.base.model import BLOCK
from groundwire.base.rules import weights as shipped
from groundwire.base.settings import SHIPPED
from groundwire.settings.patterns.read import shipped_folder
from groundwire.settings.patterns.weights import load_accusers, load_model, weights_source
from groundwire.verdict.accused import NOTHING_LOOKED as UNSEEN
from groundwire.verdict.assess import BASE
from groundwire_lab.crossval import IN_SAMPLE, OWN, calibrate, left_out
from groundwire_lab.errors import CalibrateError
from groundwire_lab.fit import (
    LEFT_OUT,
    Case,
    Fitted,
    Plan,
    Row,
    Spreads,
    Term,
    fit,
    plan_of,
    read_cases,
    rows_of,
)
from groundwire_lab.runtime import shipped_runtime
from groundwire_lab.samples import Sample, decided, units_of
from groundwire_lab.thresholds import Wanted, propose
from groundwire_lab.write import refitted, spreads_of, write_model
from tests.calibrate.synthetic import REPOS, prediction
from tests.support.tables import rows, tables

MODEL = load_model()
#: Without own spreads, so that those of a plan hold.
BARE = MODEL.model_copy(
    update={"feature": [one.model_copy(update={"spread": None}) for one in MODEL.feature]}
)
WIDE = Spreads(100.0, 100.0, 100.0, 100.0)
TRUTH = Fitted(dict.fromkeys(shipped.FEATURES, 0.0) | tables(__file__)["truth"])


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
    found = fit(drawn(6000), plan_of(BARE, WIDE)).weights
    for name, weight in TRUTH.weights.items():
        if weight:
            assert found[name] == pytest.approx(weight, abs=0.35), name
    assert found["marker two"] == pytest.approx(0.0, abs=0.35)


def test_what_no_claim_shows_stays_at_its_prior() -> None:
    found = fit(drawn(300), plan_of(BARE, Spreads())).weights
    for one in MODEL.feature:
        if one.name not in ("strength", "failed_open", "passed_fresh"):
            assert found[one.name] == one.prior
    assert "marker three" not in found


def test_a_weight_never_goes_beyond_its_sign() -> None:
    """Failures that are never flagged and passes that always are: both weigh nothing."""
    against = {**TRUTH.weights, "failed_open": -3.0, "passed_fresh": 3.0}
    found = fit(drawn(2000, Fitted(against)), plan_of(BARE, WIDE)).weights
    assert found["failed_open"] == found["passed_fresh"] == 0.0
    assert found["marker one"] > 1.0  # what has no sign may be anything


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


RUNTIME = shipped_runtime()
SETTINGS = RUNTIME.settings
PLAN = plan_of(MODEL, Spreads())
#: The numbers in use, as if they had been fitted.
NOW = Fitted(
    {
        "base": shipped.BASE,
        **{f"group {name}": weight for name, weight in shipped.GROUPS.items()},
        **{name: weight for name, (weight, _) in shipped.FEATURES.items()},
        **{f"marker {name}": weight for name, weight in shipped.MARKERS.items()},
    }
)


def test_the_rows_add_up_to_what_the_product_says(cases: list[Case]) -> None:
    seen = 0
    for case in cases:
        matches = case.prediction.analysis.matches
        said = {match.sentence: match.confidence for match in matches}
        facts = {one.sentence for one in matches if one.accuser or one.verdict == UNSEEN}
        rows_ = {row.spot: NOW.confidence(row.values) for row in case.rows}
        assert rows_.keys() == said.keys()
        assert all(rows_[at] == said[at] for at in said if at not in facts)
        seen += len(said)
    assert seen >= 2 * len(cases)


def flipped(sample: Sample) -> Sample:
    message = sample.message
    labels = {
        unit: label if label.flag is None else label.replace(flag=1 - label.flag)
        for unit, label in message.labels.items()
    }
    return sample.replace(message=message.replace(labels=labels))


def unseen(samples: list[Sample]) -> list[list[int]]:
    """Return the confidences of each message, by a fit without its repository."""
    found = left_out(read_cases(samples, RUNTIME), PLAN, SETTINGS)
    return [[unit.confidence for unit in one.units] for one in found]


def test_a_repository_does_not_learn_from_its_own_labels(samples: list[Sample]) -> None:
    """Turning them round changes the other predictions, not its own."""
    own = [one.message.repo == REPOS[0] for one in samples]
    changed = [flipped(one) if it else one for one, it in zip(samples, own, strict=True)]
    found = zip(own, unseen(samples), unseen(changed), strict=True)
    stays = {(is_own, before == after) for is_own, before, after in found}
    assert (True, False) not in stays
    assert (False, False) in stays


def test_a_calibration_learns_what_the_runs_say(cases: list[Case]) -> None:
    found = calibrate(cases, PLAN, SETTINGS, Wanted())
    assert list(found.columns) == [LEFT_OUT, f"{LEFT_OUT}, {OWN}", IN_SAMPLE]
    claims = [unit for unit in units_of(found.columns[LEFT_OUT]) if unit.number == 1]
    flagged = [unit.confidence for unit in claims if unit.flag]
    assert min(flagged) > max(unit.confidence for unit in claims if not unit.flag)
    assert found.proposal is not None
    assert found.proposal.precision.value >= 0.8


def stopped(wanted: list[float], groups: list[list[Any]]) -> list[int]:
    """Return which turns the proposed thresholds stop, by the product's own decision.

    A group is how many turns, the flag of their first statement, the confidences of all.
    """
    turns = [one for count, *one in groups for _ in range(count)]
    predictions = []
    for number, (flag, confidences) in enumerate(turns):
        flags = [flag, *[0] * len(confidences[1:])]
        rows = list(zip(flags, confidences, strict=True))
        predictions.append(prediction(f"turn{number}", rows, "qualified"))
    proposed = propose(predictions, SHIPPED, Wanted(*wanted))
    assert proposed is not None
    again = [decided(one, SHIPPED.replace(thresholds=proposed.thresholds)) for one in predictions]
    hits = [number for number, one in enumerate(again) if one.decision.action == BLOCK]
    assert proposed.precision.count == len(hits)
    return hits


test_row = rows(
    __file__,
    CalibrateError,
    stopped=stopped,
    one_sort_of_claims=lambda flag: fit([Row((0, 1), flag, {"strength": 1.0})] * 3, PLAN),
)


def test_written_files_reload_to_the_same_numbers(cases: list[Case], tmp_path: Path) -> None:
    """And what was set by hand stays."""
    folder = Path(shutil.copytree(shipped_folder("model", "weights"), tmp_path / "model"))
    before = {name: (folder / name).read_text() for name in ("weights.toml", "markers.toml")}
    spreads = Spreads(0.7, 0.6, 0.5)
    fitted = fit(rows_of(cases), plan_of(MODEL, spreads))
    made = refitted(MODEL, fitted, cases, spreads)
    write_model(folder, made)
    again = load_model(folder)
    assert again == made
    told = {"base": again.base, **{one.name: one.weight for one in again.feature}}
    told |= {f"group {name}": it for name, it in again.groups.items()}
    told |= {f"marker {name}": it.weight for name, it in again.markers.items()}
    written, wanted = (sorted(it for it in w.items() if it[1]) for w in (told, fitted.weights))
    assert written == wanted
    compiled: dict[str, dict[str, float]] = {}
    exec(weights_source(again, load_accusers()), compiled)
    assert compiled["MARKERS"] == {n: it.weight for n, it in again.markers.items() if it.weight}
    assert (again.prior, spreads_of(again)) == (MODEL.prior, spreads)
    kept = ("name", "doc", "sign", "prior", "spread", "label")
    for one, own in zip(again.feature, MODEL.feature, strict=True):
        assert [getattr(one, key) for key in kept] == [getattr(own, key) for key in kept]
    for name, text in before.items():
        comment = text[: text.index("\n", text.rindex("\n#") + 1) + 1]
        assert (folder / name).read_text().startswith(comment)
    labels = [it for case in cases for it in case.prediction.sample.message.labels.values()]
    assert again.fitted["flagged"] == sum(label.flag == 1 for label in labels)
