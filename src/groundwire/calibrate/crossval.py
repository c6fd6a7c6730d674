"""Predictions for every message by settings that never saw its session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sklearn.model_selection import GroupKFold  # type: ignore[import-untyped]

from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.fit import Goal, fit_vector, observe, require_both
from groundwire.calibrate.parameters import reading, settings_of
from groundwire.calibrate.predict import Prediction, predict, units_of
from groundwire.calibrate.samples import Sample
from groundwire.calibrate.thresholds import propose
from groundwire.record import Record
from groundwire.service.full import Runtime
from groundwire.settings import Settings


class Folds(Record):
    """How to cross-validate; with ``precision`` thresholds are chosen in each fold as well."""

    count: int = 10
    seed: int = 1
    precision: float | None = None


def split_sessions(
    samples: Sequence[Sample], folds: Folds
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the positions to learn from and to predict; a session is on one side only.

    Raises CalibrateError when there are fewer than two sessions.
    """
    sessions = [sample.message.session for sample in samples]
    distinct = len(set(sessions))
    if distinct < 2:
        raise CalibrateError(f"{distinct} session; cross-validation needs two or more")
    splitter = GroupKFold(min(folds.count, distinct), shuffle=True, random_state=folds.seed)
    for learn, predicted in splitter.split(samples, groups=sessions):
        yield [int(n) for n in learn], [int(n) for n in predicted]


def out_of_fold(
    samples: Sequence[Sample], runtime: Runtime, goal: Goal, folds: Folds
) -> list[Prediction]:
    """Return a prediction for each sample, in order, by a fit on other sessions.

    ``runtime`` gives the scanner and the settings that are not fitted.
    """
    read = predict(samples, runtime.replace(settings=reading(runtime.settings)))
    found: dict[int, Prediction] = {}
    for learn, predicted in split_sessions(samples, folds):
        observations = observe(units_of(read[number] for number in learn))
        require_both(observations)
        settings = settings_of(fit_vector(observations, goal), runtime.settings)
        if folds.precision is not None:
            settings = _with_thresholds([samples[n] for n in learn], runtime, settings, folds)
        fitted = runtime.replace(settings=settings)
        held_out = predict((samples[number] for number in predicted), fitted)
        found.update(zip(predicted, held_out, strict=True))
    return [found[number] for number in range(len(samples))]


def _with_thresholds(
    samples: Sequence[Sample], runtime: Runtime, settings: Settings, folds: Folds
) -> Settings:
    """Return ``settings`` with thresholds chosen on ``samples``, if any reach the precision."""
    predictions = predict(samples, runtime.replace(settings=settings))
    proposal = propose(predictions, folds.precision or 0.0, settings.thresholds)
    return settings.replace(thresholds=proposal.thresholds) if proposal else settings
