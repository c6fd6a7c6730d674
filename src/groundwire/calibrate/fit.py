"""Fitting the numbers of the settings to labelled sentences.

The loss is that of a logistic regression on the highest match of each sentence: the sum of the log
losses plus ``shrinkage / 2`` for each squared logit that a parameter moves away from where it
started, under the limits of ``groundwire.calibrate.limits``. For a given choice of matches that is
convex. Floors and ceilings of ``score`` ("printed contradictions are at least 95") are left to
``score``; the fit sees the sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, floor

import numpy as np
from scipy.optimize import LinearConstraint, minimize  # type: ignore[import-untyped]
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.limits import bounds, broken, limits
from groundwire.calibrate.parameters import (
    INDEX,
    NAMES,
    WORTH,
    Vector,
    logit,
    row_of_match,
    settings_of,
    vector_of,
)
from groundwire.calibrate.predict import Unit
from groundwire.record import Record
from groundwire.settings import SHIPPED, Settings

#: 1 is a normal prior with a spread of one logit around the start.
DEFAULT_SHRINKAGE = 1.0
DIGITS = 2
_MOST_ROUNDS = 20
#: Priors whose bands are one confidence wide, so that few pairs of rounded ones keep them.
_TIGHT = ("strengths.weak", "strengths.certainty")
#: The matrices are tiny: on a busy machine, threads that wait for each other cost a hundredfold.
_THREADS = ThreadpoolController()
_SCALE = np.array([WORTH.get(name, 1.0) for name in NAMES])


class Observation(Record):
    """One labelled sentence: a row of ``parameters`` for each of its matches, and its flag."""

    rows: Vector  # matches x parameters
    flag: int


class Goal(Record):
    """What a fit is drawn to: the start, and how strongly (0: not at all).

    The parameters in ``kept`` stay where they start.
    """

    start: Vector
    shrinkage: float = DEFAULT_SHRINKAGE
    kept: tuple[str, ...] = ()


def observe(units: Sequence[Unit]) -> list[Observation]:
    """Return the sentences that have a match; their analysis was made under ``reading``."""
    return [
        Observation(np.array([row_of_match(match) for match in unit.matches]), unit.flag)
        for unit in units
        if unit.matches
    ]


def fit(observations: Sequence[Observation], goal: Goal, base: Settings = SHIPPED) -> Settings:
    """Return ``base`` with the fitted numbers, rounded to two decimals; every limit holds.

    Raises CalibrateError when there is nothing to learn from, or the limits cannot be kept.
    """
    require_both(observations)
    vector = fit_vector(observations, goal)
    return _rounded(observations, goal, vector, base)


def require_both(observations: Sequence[Observation]) -> None:
    """Raise CalibrateError unless there are flagged sentences and others."""
    flagged = sum(one.flag for one in observations)
    if not 0 < flagged < len(observations):
        raise CalibrateError(
            f"{flagged} of {len(observations)} labelled sentences with a match are flagged; "
            "a fit needs flagged ones and others"
        )


def fit_vector(
    observations: Sequence[Observation], goal: Goal, fixed: dict[str, float] | None = None
) -> Vector:
    """Return the fitted parameters; those in ``fixed`` keep their value.

    Which match of a sentence is the highest depends on the parameters, so both are found in turn.
    """
    flags = np.array([one.flag for one in observations], dtype=float)
    vector = goal.start
    chosen: list[int] = []
    for _ in range(_MOST_ROUNDS):
        before, chosen = chosen, [int(np.argmax(one.rows @ vector)) for one in observations]
        if chosen == before:
            break
        rows = np.array(
            [one.rows[number] for one, number in zip(observations, chosen, strict=True)]
        )
        vector = _solve(rows, flags, goal, fixed or {})
    return vector


def loss(observations: Sequence[Observation], goal: Goal, vector: Vector) -> float:
    """Return what the fit makes small: log loss of the highest matches plus the shrinkage."""
    rows = np.array([one.rows[int(np.argmax(one.rows @ vector))] for one in observations])
    flags = np.array([one.flag for one in observations], dtype=float)
    return _loss(vector, rows, flags, goal)[0]


def active_limits(settings: Settings, reach: float = 0.02) -> list[str]:
    """Return the names of the limits that ``settings`` stands at, within ``reach`` logits."""
    vector = vector_of(settings)
    found = []
    for limit in limits():
        total = float(limit.row @ vector)
        reached = reach + limit.slack
        if min(total - limit.lowest, limit.highest - total) <= reached:
            found.append(limit.name)
    return found


def _solve(rows: Vector, flags: Vector, goal: Goal, fixed: dict[str, float]) -> Vector:
    """Return the best parameters; only those that may move are shown to the solver."""
    kept = {name: float(goal.start[INDEX[name]]) for name in goal.kept}
    vector = goal.start.copy()
    for name, value in {**fixed, **kept}.items():
        vector[INDEX[name]] = value
    free = [number for name, number in INDEX.items() if name not in kept and name not in fixed]
    ranges = [bounds(goal.start)[number] for number in free]

    def loss_of(part: Vector) -> tuple[float, Vector]:
        vector[free] = part
        value, gradient = _loss(vector, rows, flags, goal)
        return value, gradient[free]

    with _THREADS.limit(limits=1, user_api="blas"):
        result = minimize(
            loss_of,
            np.clip(vector[free], *np.transpose(ranges)),
            jac=True,
            method="SLSQP",
            bounds=ranges,
            constraints=_constraints(vector, free),
            options={"maxiter": 500, "ftol": 1e-9},
        )
    if not result.success:
        raise CalibrateError(f"the fit found no values within the limits: {result.message}")
    vector[free] = result.x
    return vector


def _loss(vector: Vector, rows: Vector, flags: Vector, goal: Goal) -> tuple[float, Vector]:
    """Return the loss and its gradient."""
    sums = rows @ vector
    moved = _SCALE * (vector - goal.start)
    value = float(np.sum(np.logaddexp(0.0, sums) - flags * sums))
    value += goal.shrinkage / 2 * float(moved @ moved)
    chances = 1 / (1 + np.exp(-np.clip(sums, -700, 700)))
    gradient = rows.T @ (chances - flags) + goal.shrinkage * _SCALE * moved
    return value, gradient


def _constraints(vector: Vector, free: list[int]) -> list[LinearConstraint]:
    """Return the limits on the ``free`` parameters, the others having their value in ``vector``."""
    wanted = [limit for limit in limits() if np.any(limit.row[free])]
    if not wanted:
        return []
    rows = np.array([limit.row for limit in wanted])
    rest = rows @ vector - rows[:, free] @ vector[free]
    lowest = np.array([limit.lowest + limit.slack for limit in wanted])
    highest = np.array([limit.highest - limit.slack for limit in wanted])
    return [LinearConstraint(rows[:, free], lowest - rest, highest - rest)]


def _rounded(
    observations: Sequence[Observation], goal: Goal, vector: Vector, base: Settings
) -> Settings:
    """Round the priors first and fit the rest again, since a step of a prior is large."""
    for reach in (0, 1):
        best: tuple[float, Settings] | None = None
        for fixed in _grids(vector, reach, goal.kept):
            try:
                again = fit_vector(observations, goal, fixed)
            except CalibrateError:  # these priors leave the others no room
                continue
            settings = settings_of(again, base, DIGITS)
            rounded = vector_of(settings)
            value = loss(observations, goal, rounded)
            if not broken(rounded) and (best is None or value < best[0]):
                best = value, settings
        if best:
            return best[1]
    raise CalibrateError("no values of two decimals keep all limits; try more shrinkage")


def _grids(vector: Vector, reach: int, kept: Sequence[str]) -> Iterator[dict[str, float]]:
    """Yield choices of rounded priors, as logits: the neighbours of each, or ``reach`` more."""
    choices = {}
    for name, number in INDEX.items():
        if name.startswith("strengths.") and name not in kept:
            percent = 100 / (1 + float(np.exp(-vector[number])))
            more = reach if name in _TIGHT else 0
            steps = range(max(1, floor(percent) - more), min(99, ceil(percent) + more) + 1)
            choices[name] = [logit(step / 100) for step in steps]
    for one in product(*choices.values()):
        yield dict(zip(choices, one, strict=True))
