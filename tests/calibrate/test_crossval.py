"""Left out by repository: what is predicted never taught the numbers that predict it."""

from __future__ import annotations

import pytest

from groundwire.calibrate.crossval import (
    IN_SAMPLE,
    LEFT_OUT,
    OWN,
    calibrate,
    left_out,
    left_out_with_thresholds,
    split_groups,
)
from groundwire.calibrate.design import Case, read_cases, rows_of
from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.fit import Fitted, Spreads, fit, plan_of
from groundwire.calibrate.predict import Prediction, units_of
from groundwire.calibrate.runtime import shipped_runtime
from groundwire.calibrate.samples import Sample
from groundwire.calibrate.thresholds import Wanted
from groundwire.lexicon.weights import load_model
from groundwire.rules import weights as shipped
from tests.calibrate.synthetic import ALONE, REPOS

RUNTIME = shipped_runtime()
SETTINGS = RUNTIME.settings
PLAN = plan_of(load_model(), Spreads())
#: The numbers in use, as if they had been fitted.
NOW = Fitted(
    {
        "base": shipped.BASE,
        **{f"group {name}": weight for name, weight in shipped.GROUPS.items()},
        **{name: weight for name, (weight, _) in shipped.FEATURES.items()},
        **{f"marker {name}": weight for name, weight in shipped.MARKERS.items()},
    }
)


def confidences(predictions: list[Prediction]) -> list[list[int]]:
    return [[unit.confidence for unit in one.units] for one in predictions]


def test_the_rows_add_up_to_what_the_product_says(cases: list[Case]) -> None:
    seen = 0
    for case in cases:
        said = {match.sentence: match.confidence for match in case.prediction.analysis.matches}
        assert {row.spot: NOW.confidence(row.values) for row in case.rows} == said
        seen += len(said)
    assert seen >= 2 * len(cases)


def test_values_are_read_even_where_they_weigh_nothing(samples: list[Sample]) -> None:
    off = RUNTIME.replace(settings=SETTINGS.replace(features=(("failed_open", 0.0),)))
    [first, *_] = read_cases(samples, off)
    assert any(row.values.get("failed_open") for row in first.rows)


def test_groups(samples: list[Sample]) -> None:
    def groups(*together: str) -> set[str]:
        return {case.group for case in read_cases(samples[::4], RUNTIME, together)}

    assert groups() == set(REPOS)
    assert groups("team/*") == {"team/*", "other/shop"}
    assert groups("*") == {f"session{number}" for number in range(0, 12, 2)}


def test_each_case_is_left_out_once_and_taught_by_other_groups(cases: list[Case]) -> None:
    predicted = []
    for others, own in split_groups(cases):
        assert {case.group for case in others}.isdisjoint(cases[number].group for number in own)
        assert len(others) + len(own) == len(cases)
        predicted += own
    assert sorted(predicted) == list(range(len(cases)))


def test_a_marker_of_one_repository_weighs_nothing_where_it_is_left_out(
    cases: list[Case],
) -> None:
    """In use it would be learnt; left out, its repository sees none of it."""
    own = {
        name
        for case in cases
        if case.group == REPOS[-1]
        for row in case.rows
        for name in row.values
        if ALONE in case.prediction.analysis.text[slice(*row.spot)] and name.startswith("marker")
    }
    own -= {
        name for case in cases if case.group != REPOS[-1] for r in case.rows for name in r.values
    }
    assert own
    learnt = fit(rows_of(cases), PLAN).weights
    assert all(learnt[name] > 0.2 for name in own)
    for others, numbers in split_groups(cases):
        weights = fit(rows_of(others), PLAN).weights
        is_its_own = cases[numbers[0]].group == REPOS[-1]
        assert all(weights.get(name, 0.0) == 0 for name in own) == is_its_own


def flipped(sample: Sample) -> Sample:
    message = sample.message
    labels = {
        unit: label if label.flag is None else label.replace(flag=1 - label.flag)
        for unit, label in message.labels.items()
    }
    return sample.replace(message=message.replace(labels=labels))


def test_a_repository_does_not_learn_from_its_own_labels(samples: list[Sample]) -> None:
    """Turning them round changes the other predictions, not its own."""
    changed = [flipped(one) if one.message.repo == REPOS[0] else one for one in samples]
    before, after = (
        confidences(left_out(read_cases(them, RUNTIME), PLAN, SETTINGS))
        for them in (samples, changed)
    )
    same = [old == new for old, new in zip(before, after, strict=True)]
    assert all(
        is_same for one, is_same in zip(samples, same, strict=True) if one.message.repo == REPOS[0]
    )
    assert not all(same)


def test_thresholds_that_are_left_out_change_no_confidence(cases: list[Case]) -> None:
    """Nor do they know the group: one that nothing reaches leaves the settings as they are."""
    plain = left_out(cases, PLAN, SETTINGS)
    own = left_out_with_thresholds(cases, PLAN, SETTINGS, Wanted(0.5, 1.0))
    assert confidences(plain) == confidences(own)
    assert [one.sample for one in own] == [case.prediction.sample for case in cases]


def test_one_group_is_too_few(samples: list[Sample]) -> None:
    with pytest.raises(CalibrateError, match="needs two repositories or sessions"):
        left_out(read_cases(samples[:2], RUNTIME), PLAN, SETTINGS)


def test_a_calibration_learns_what_the_runs_say(cases: list[Case]) -> None:
    found = calibrate(cases, PLAN, SETTINGS, Wanted())
    assert list(found.columns) == [LEFT_OUT, OWN, IN_SAMPLE]
    claims = [unit for unit in units_of(found.columns[LEFT_OUT]) if unit.number == 1]
    flagged = [unit.confidence for unit in claims if unit.flag]
    assert min(flagged) > max(unit.confidence for unit in claims if not unit.flag)
    assert found.proposal is not None
    assert found.proposal.precision.value >= 0.8
