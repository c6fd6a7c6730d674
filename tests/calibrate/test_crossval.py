"""Cross-validation: no session is on both sides, and no message learns from its own label."""

from __future__ import annotations

import pytest

from groundwire.calibrate.crossval import Folds, out_of_fold, split_sessions
from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.fit import Goal
from groundwire.calibrate.parameters import START, vector_of
from groundwire.calibrate.predict import units_of
from groundwire.calibrate.run import Plan, calibrate
from groundwire.calibrate.runtime import shipped_runtime
from groundwire.calibrate.samples import Sample, read_samples
from tests.calibrate.synthetic import write_set

RUNTIME = shipped_runtime()
GOAL = Goal(vector_of(START))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    return read_samples(write_set(tmp_path_factory.mktemp("set")))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("count", [2, 5, 10, 100])
def test_sessions_are_never_mixed(samples: list[Sample], count: int, seed: int) -> None:
    predicted: list[int] = []
    for learn, held_out in split_sessions(samples, Folds(count, seed)):
        known = {samples[number].message.session for number in learn}
        unknown = {samples[number].message.session for number in held_out}
        assert known
        assert not known & unknown
        assert sorted([*learn, *held_out]) == list(range(len(samples)))
        predicted += held_out
    assert sorted(predicted) == list(range(len(samples)))


def test_a_seed_gives_the_same_folds_and_another_one_others(samples: list[Sample]) -> None:
    first, again, other = (list(split_sessions(samples, Folds(4, seed))) for seed in (1, 1, 2))
    assert first == again != other


def flipped(sample: Sample) -> Sample:
    message = sample.message
    labels = {
        unit: label if label.flag is None else label.replace(flag=1 - label.flag)
        for unit, label in message.labels.items()
    }
    return sample.replace(message=message.replace(labels=labels))


def test_a_message_does_not_learn_from_its_own_session(samples: list[Sample]) -> None:
    """Turning a session's labels round changes the other predictions, not its own."""
    session = samples[0].message.session
    changed = [flipped(s) if s.message.session == session else s for s in samples]
    before = out_of_fold(samples, RUNTIME, GOAL, Folds(4))
    after = out_of_fold(changed, RUNTIME, GOAL, Folds(4))
    confidences = [
        [[unit.confidence for unit in one.units] for one in found] for found in (before, after)
    ]
    same = [
        old == new
        for sample, old, new in zip(samples, *confidences, strict=True)
        if sample.message.session == session
    ]
    assert same
    assert all(same)
    assert confidences[0] != confidences[1]


def test_predictions_come_in_the_order_of_the_samples(samples: list[Sample]) -> None:
    found = out_of_fold(samples, RUNTIME, GOAL, Folds(3))
    assert [one.sample for one in found] == samples


def test_one_session_is_too_few(samples: list[Sample]) -> None:
    with pytest.raises(CalibrateError, match="1 session; cross-validation needs two or more"):
        out_of_fold(samples[:2], RUNTIME, GOAL, Folds())


def test_thresholds_of_a_fold_change_decisions_and_no_confidence(samples: list[Sample]) -> None:
    plain = out_of_fold(samples, RUNTIME, GOAL, Folds(3))
    chosen = out_of_fold(samples, RUNTIME, GOAL, Folds(3, precision=0.5))
    assert [u.confidence for u in units_of(plain)] == [u.confidence for u in units_of(chosen)]


def test_a_calibration_learns_what_the_runs_say(samples: list[Sample]) -> None:
    found = calibrate(samples, RUNTIME, Plan(start=START, folds=Folds(4)))
    flagged = [unit.confidence for unit in units_of(found.out_of_fold) if unit.flag]
    claims = [u.confidence for u in units_of(found.out_of_fold) if u.judged and not u.flag]
    assert min(flagged) > max(claims)
    assert found.proposal is not None
    assert found.proposal.reached.value == 1.0
