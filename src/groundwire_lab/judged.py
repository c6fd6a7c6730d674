"""Linear model, judge, and both on labelled turns, from recorded answers.

A line holds the id of the message, where its numbered statements stand in it (code points), the
number of tool calls, the answer as it came, and what is known of how it was made. It holds nothing
of the message or of the turn but what the answer quotes.

The linear model predicts each repository by a fit on the others; so are the weights of the join and
the confidences from which a turn is stopped. The judge's answers are recorded ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from groundwire.base.record import Record
from groundwire.base.settings import Join, Settings
from groundwire.runs.digest import digest_of_turn
from groundwire.settings.runtime import Runtime
from groundwire.turn.page import TurnDigest
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import examine
from groundwire_confidence.assessment import Share
from groundwire_judge.answer import Answer
from groundwire_judge.applied import CLEAR, DECIDE, apply, logit_of
from groundwire_lab.crossval import left_out, split_groups
from groundwire_lab.errors import CalibrateError
from groundwire_lab.figures import has_flag, is_judged
from groundwire_lab.fit import Case, Plan
from groundwire_lab.recording import Recorded
from groundwire_lab.samples import Prediction, decided

LINEAR = "linear"
JUDGE = "judge"
CLEARED = "hybrid, clears"
HYBRID = "hybrid, decides"
#: The judge's probability as it is, which the linear model has no part in.
ALONE = Join(base=0.0, linear=0.0, judge=1.0, unmarked=0.0)
STOPS = range(30, 96)
#: What the stopped turns are to reach where a confidence to stop from is chosen.
PRECISION, FALSE_BLOCKS, _FEWEST = 0.85, 0.03, 5
#: Weight of the ridge: the join has four numbers and hundreds of statements.
_RIDGE = 10.0
_LEAST_LINEAR = 0.05


class Judged(Record):
    """One labelled turn with its left-out prediction and the judge's answer to its digest."""

    case: Case
    linear: Prediction
    digest: TurnDigest
    answer: Answer
    call_ids: tuple[str, ...]


class Point(Record):
    """One labelled statement; ``linear`` is the logit of its confidence, None without a marker."""

    linear: float | None
    judge: float
    flag: int


class Fit(Record):
    """Weights of the join, and the confidence from which a statement stops the turn."""

    join: Join
    stop: int


def judged_cases(
    cases: Sequence[Case], runtime: Runtime, plan: Plan, recorded: Mapping[str, Recorded]
) -> list[Judged]:
    """Return the cases that have an answer; the linear model is fitted on all others' labels.

    Raises CalibrateError when there is none.
    """
    judged = []
    linear = left_out(cases, plan, runtime.settings)
    for case, prediction in zip(cases, linear, strict=True):
        sample = case.prediction.sample
        answer = recorded.get(sample.message.id)
        if answer is None:
            continue
        examined = examine(sample.event, sample.turn, runtime.scanner, runtime.settings, Memory())
        digest = digest_of_turn(examined)
        if digest is None:
            continue
        ids = tuple(call.id for call in sample.turn.calls)
        shown = answer.shown(digest, sample.message.text)
        judged.append(Judged(case, prediction, shown, answer.read(), ids))
    if not judged:
        raise CalibrateError("none of the recorded answers is to one of these messages")
    return judged


def columns_of(
    cases: Sequence[Judged], settings: Settings
) -> tuple[dict[str, list[Prediction]], Fit]:
    """Return the predictions of each method, and the join fitted on all of them."""
    alone = _left_out(cases, settings, ALONE)
    columns = {
        LINEAR: [one.linear for one in cases],
        JUDGE: alone,
        CLEARED: [_applied(one, settings, CLEAR) for one in cases],
        HYBRID: _left_out(cases, settings, None),
    }
    return columns, fitted(cases, settings)


def fitted(cases: Sequence[Judged], settings: Settings, join: Join | None = None) -> Fit:
    """Return the join fitted to ``cases``, or ``join``, and the confidence to stop from."""
    used = join or fitted_join([point for one in cases for point in points_of(one)])
    here = _deciding_settings(settings, Fit(used, STOPS[0]))
    scored = [_applied(one, here, DECIDE) for one in cases]
    return Fit(used, stop_of(scored))


def fitted_join(points: Sequence[Point]) -> Join:
    """Return the weights of a logistic regression on both logits."""
    flags = [point.flag for point in points]
    if len(set(flags)) < 2:
        raise CalibrateError("a join needs flagged statements and others")
    rows = [(point.linear or 0.0, float(point.linear is None), point.judge) for point in points]
    model = LogisticRegression(C=_RIDGE).fit(np.array(rows), flags)
    linear, unmarked, judge = (float(weight) for weight in model.coef_[0])
    linear = max(linear, _LEAST_LINEAR)
    numbers = (float(model.intercept_[0]), linear, judge, unmarked / linear)
    return Join(*(round(number, 3) for number in numbers))


def points_of(case: Judged) -> list[Point]:
    """Return the labelled statements of a turn, of each unit the one that the judge doubts most."""
    message = case.linear.sample.message
    confidences: dict[tuple[int, int], int] = {}
    for match in case.linear.analysis.matches:
        confidences[match.sentence] = max(confidences.get(match.sentence, 0), match.confidence)
    points: dict[int, Point] = {}
    for statement in case.digest.statements:
        unit = message.unit_at(statement.start)
        flag = message.flag(unit) if unit else None
        opinion = case.answer.about(statement.number)
        if flag is None or opinion is None:
            continue
        confidence = confidences.get((statement.start, statement.end))
        linear = None if confidence is None else logit_of(confidence)
        point = Point(linear, logit_of(opinion.probability), flag)
        if unit not in points or points[unit].judge < point.judge:
            points[unit] = point
    return list(points.values())


def stop_of(scored: Sequence[Prediction]) -> int:
    """Return the confidence that stops the most flagged turns and is right often enough.

    The highest of all when none is.
    """
    judged = [one for one in scored if is_judged(one)]
    highest = [
        (max((m.confidence for m in one.analysis.matches), default=0), has_flag(one))
        for one in judged
    ]
    clean = sum(not flag for _, flag in highest)
    best = (0, STOPS[-1])
    for stop in STOPS:
        flags = [flag for confidence, flag in highest if confidence >= stop]
        right = Share(sum(flags), len(flags))
        is_clean = (len(flags) - sum(flags)) <= FALSE_BLOCKS * clean
        if right.count >= _FEWEST and right.value >= PRECISION and is_clean:
            best = max(best, (right.hits, stop))
    return best[1]


def asked(cases: Sequence[Judged], low: int, high: int) -> Share:
    """Return how many turns have their highest linear confidence from ``low`` to ``high``."""
    highest = [_highest(one.linear) for one in cases]
    return Share(sum(low <= confidence <= high for confidence in highest), len(highest))


def _highest(prediction: Prediction) -> int:
    return max((match.confidence for match in prediction.analysis.matches), default=0)


def _left_out(cases: Sequence[Judged], settings: Settings, join: Join | None) -> list[Prediction]:
    predictions: dict[int, Prediction] = {}
    for others, own in _groups(cases):
        group_settings = _deciding_settings(settings, fitted(others, settings, join))
        predictions |= {number: _applied(cases[number], group_settings, DECIDE) for number in own}
    return [predictions[number] for number in range(len(cases))]


def _groups(cases: Sequence[Judged]) -> Iterator[tuple[list[Judged], list[int]]]:
    for _, own in split_groups([one.case for one in cases]):
        inside = set(own)
        yield [one for number, one in enumerate(cases) if number not in inside], own


def _deciding_settings(settings: Settings, fit: Fit) -> Settings:
    """Return settings in which every statement is scored, and those from ``stop`` on stop."""
    limits = settings.thresholds.replace(report=0)
    judge = settings.judge.replace(join=fit.join, stop=fit.stop)
    return settings.replace(thresholds=limits, judge=judge)


def _applied(case: Judged, settings: Settings, may: str) -> Prediction:
    """Return what the answer makes of the left-out prediction, decided anew."""
    wanted = settings.replace(judge=settings.judge.replace(may=may))
    analysis = case.linear.analysis
    after = apply(analysis.text, analysis.matches, case.digest, case.answer, wanted, case.call_ids)
    matches = analysis.replace(matches=after.matches)
    return decided(case.linear.replace(analysis=matches), after.settings)
