"""One calibration from labelled samples to everything that is reported about it."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.calibrate.crossval import Folds, out_of_fold
from groundwire.calibrate.fit import DEFAULT_SHRINKAGE, Goal, fit, observe
from groundwire.calibrate.parameters import reading, vector_of
from groundwire.calibrate.predict import Prediction, predict, units_of
from groundwire.calibrate.samples import Sample
from groundwire.calibrate.thresholds import Proposal, propose
from groundwire.record import Record
from groundwire.service.full import Runtime
from groundwire.settings import SHIPPED, Settings

DEFAULT_PRECISION = 0.8


class Plan(Record):
    """How to calibrate: where the fit starts and is drawn to, and how it is measured.

    ``kept``: names of ``parameters`` that stay where they start.
    """

    start: Settings = SHIPPED
    shrinkage: float = DEFAULT_SHRINKAGE
    folds: Folds = Folds()
    precision: float = DEFAULT_PRECISION
    kept: tuple[str, ...] = ()

    @property
    def goal(self) -> Goal:
        """Return what the fit is drawn to."""
        return Goal(vector_of(self.start), self.shrinkage, self.kept)


class Calibration(Record):
    """What came out: the fitted settings, and the predictions before, in fold and out of fold.

    ``own_thresholds``: out of fold, with thresholds for the wanted precision that were chosen in
    the same folds. ``proposal`` is chosen on ``out_of_fold``.
    """

    settings: Settings
    before: list[Prediction]
    in_fold: list[Prediction]
    out_of_fold: list[Prediction]
    own_thresholds: list[Prediction]
    proposal: Proposal | None


def calibrate(samples: Sequence[Sample], runtime: Runtime, plan: Plan) -> Calibration:
    """Fit the settings of ``runtime`` to ``samples`` and measure them; raises CalibrateError."""
    settings = fitted(samples, runtime, plan)
    held_out = out_of_fold(samples, runtime, plan.goal, plan.folds)
    own = out_of_fold(samples, runtime, plan.goal, plan.folds.replace(precision=plan.precision))
    return Calibration(
        settings,
        predict(samples, runtime),
        predict(samples, runtime.replace(settings=settings)),
        held_out,
        own,
        propose(held_out, plan.precision, runtime.settings.thresholds),
    )


def fitted(samples: Sequence[Sample], runtime: Runtime, plan: Plan) -> Settings:
    """Return the settings of ``runtime`` with the numbers that fit ``samples`` best."""
    read = predict(samples, runtime.replace(settings=reading(runtime.settings)))
    return fit(observe(units_of(read)), plan.goal, runtime.settings)
