"""Predictions for every message by numbers that never saw its repository."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from groundwire.base.record import Record
from groundwire.base.rules import weights as shipped
from groundwire.base.settings import Settings
from groundwire.verdict.assess import GROUP, MARKER
from groundwire_lab.errors import CalibrateError
from groundwire_lab.figures import figures
from groundwire_lab.fit import Case, Fitted, Plan, fit, rows_of
from groundwire_lab.samples import Prediction, decided, with_confidences
from groundwire_lab.thresholds import Proposal, Wanted, propose

OWN = "thresholds too"
IN_SAMPLE = "fitted (in sample)"
_FEWEST_GROUPS = 3  # to leave out one of those that are left


class Calibration(Record):
    """The fitted numbers, the predictions by how they came about, and proposed thresholds."""

    fitted: Fitted
    columns: dict[str, Sequence[Prediction]]
    proposal: Proposal | None


def calibrate(cases: Sequence[Case], plan: Plan, settings: Settings, wanted: Wanted) -> Calibration:
    """Fit ``plan`` to ``cases`` and measure it; raises CalibrateError.

    Turns are stopped at the thresholds of ``settings``; in the second column at ones that were
    chosen without the group that is predicted.
    """
    fitted = fit(rows_of(cases), plan)
    without = left_out(cases, plan, settings)
    columns: dict[str, Sequence[Prediction]] = {plan.title: without}
    if len({case.group for case in cases}) >= _FEWEST_GROUPS:
        columns[f"{plan.title}, {OWN}"] = left_out_with_thresholds(cases, plan, settings, wanted)
    columns[IN_SAMPLE] = [predicted(case, fitted, settings) for case in cases]
    return Calibration(fitted, columns, propose(without, settings, wanted))


def split_groups(cases: Sequence[Case]) -> Iterator[tuple[list[Case], list[int]]]:
    """Yield for each group the cases of the others, and its own positions.

    Raises CalibrateError when there is one group only.
    """
    groups = sorted({case.group for case in cases})
    if len(groups) < 2:
        raise CalibrateError("1 session; to leave one out needs two repositories or sessions")
    for group in groups:
        own = [number for number, case in enumerate(cases) if case.group == group]
        yield [case for case in cases if case.group != group], own


def left_out(cases: Sequence[Case], plan: Plan, settings: Settings) -> list[Prediction]:
    """Return a prediction for each case, in order, by a fit on the other groups."""
    predictions: dict[int, Prediction] = {}
    for others, own in split_groups(cases):
        fitted = fit(rows_of(others), plan)
        predictions |= {number: predicted(cases[number], fitted, settings) for number in own}
    return [predictions[number] for number in range(len(cases))]


def left_out_with_thresholds(
    cases: Sequence[Case], plan: Plan, settings: Settings, wanted: Wanted
) -> list[Prediction]:
    """Return the same, with thresholds of each group chosen on the others, left out in turn."""
    predictions: dict[int, Prediction] = {}
    for others, own in split_groups(cases):
        fitted = fit(rows_of(others), plan)
        chosen = propose(left_out(others, plan, settings), settings, wanted)
        group_settings = settings.replace(thresholds=chosen.thresholds) if chosen else settings
        predictions |= {number: predicted(cases[number], fitted, group_settings) for number in own}
    return [predictions[number] for number in range(len(cases))]


def predicted(case: Case, fitted: Fitted, settings: Settings) -> Prediction:
    """Return what is said of a case with these numbers."""
    confidences = {row.spot: fitted.confidence(row.values) for row in case.rows}
    if not confidences:
        return decided(case.prediction, settings)
    return with_confidences(case.prediction, confidences, settings)


#: The figures that are compared.
COMPARED = (
    "average_precision", "auroc_judged", "brier_skill", "gap_from_30",
    "blocked", "block_precision", "block_recall", "false_block_rate",
)  # fmt: skip
WHOLE = "everything"
_WORDS = ("strength", "company", "whole")
_MESSAGE = ("close", "around", "cheer")


def parts() -> dict[str, tuple[str, ...]]:
    """Return what is taken away in turn: sets of terms, then every feature by itself."""
    turn = [name for name in shipped.FEATURES if name not in (*_WORDS, *_MESSAGE)]
    return {
        "words of the sentence": _WORDS,
        "the message": _MESSAGE,
        "facts of the turn": tuple(turn),
        "groups of claims": (GROUP,),
        "single markers": (MARKER,),
        **{name: (name,) for name in shipped.FEATURES},
    }


def ablation(
    cases: Sequence[Case], plan: Plan, settings: Settings
) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Yield the left-out figures of everything, then without each part."""
    report = settings.thresholds.report
    yield WHOLE, figures(left_out(cases, plan, settings), report)
    for name, gone in parts().items():
        yield f"- {name}", figures(left_out(cases, plan.without(gone), settings), report)
