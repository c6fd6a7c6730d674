"""From labelled messages to what a fit sees, and fitting the numbers of the model.

The values are those that the product itself adds up. They are read off its explanation while every
feature and every group weighs 1, so that none is left out for weighing nothing.

The loss is that of a logistic regression: the sum of the log losses plus half the squared distance
of each number from its prior, in spreads. A feature whose labels speak against its sign weighs 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from math import inf

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize  # type: ignore[import-untyped]
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from groundwire.base.model import Match, percent
from groundwire.base.record import Record
from groundwire.base.rules import weights as shipped
from groundwire.base.settings import Settings
from groundwire.settings.patterns.weights import Model
from groundwire.settings.runtime import Runtime
from groundwire.verdict.assess import BASE, GROUP, MARKER, telling
from groundwire_lab.errors import CalibrateError
from groundwire_lab.samples import Prediction, Sample, Spot, predict


class Row(Record):
    """One claim: where it stands, what raters said (None: disputed), and its values by name."""

    spot: Spot
    flag: int | None
    values: dict[str, float]


class Case(Record):
    """One labelled message: what is said of it now, the rows of its claims, and its group.

    Messages of one group are left out together. On bare text there are no rows.
    """

    prediction: Prediction
    rows: tuple[Row, ...]
    group: str


def read_cases(
    samples: Sequence[Sample], runtime: Runtime, together: Sequence[str] = ()
) -> list[Case]:
    """Return the cases of ``samples``, in order, grouped by repository.

    Repositories that match one glob of ``together`` are one group. When all messages are of one
    repository, their sessions are the groups.
    """
    repos = [_repository(sample.message.repo, together) for sample in samples]
    if len(set(repos)) < 2:
        repos = [sample.message.session for sample in samples]
    return [
        Case(now, _rows(read), group)
        for now, read, group in zip(
            predict(samples, runtime), _read_predictions(samples, runtime), repos, strict=True
        )
    ]


def rows_of(cases: Iterable[Case]) -> list[Row]:
    """Return the rows of all cases that have a flag."""
    return [row for case in cases for row in case.rows if row.flag is not None]


def require_both(rows: Sequence[Row]) -> None:
    """Raise CalibrateError unless there are flagged claims and others."""
    flagged = sum(row.flag or 0 for row in rows)
    if not 0 < flagged < len(rows):
        raise CalibrateError(
            f"{flagged} of {len(rows)} labelled claims are flagged; "
            "a fit needs flagged ones and others"
        )


def _repository(name: str, together: Sequence[str]) -> str:
    return next((glob for glob in together if fnmatchcase(name, glob)), name)


def _read_predictions(samples: Sequence[Sample], runtime: Runtime) -> list[Prediction]:
    each_at_1 = tuple((name, 1.0) for name in shipped.FEATURES)
    groups, shipped.GROUPS = shipped.GROUPS, dict.fromkeys(shipped.GROUPS, 1.0)
    try:
        settings = runtime.settings.replace(features=each_at_1)
        return predict(samples, runtime.replace(settings=settings))
    finally:
        shipped.GROUPS = groups


def _rows(prediction: Prediction) -> tuple[Row, ...]:
    sentences: dict[Spot, list[Match]] = {}
    for match in prediction.analysis.matches:
        if match.verdict:
            sentences.setdefault(match.sentence, []).append(match)
    return tuple(_row(prediction, spot, matches) for spot, matches in sentences.items())


def _row(prediction: Prediction, spot: Spot, matches: Sequence[Match]) -> Row:
    message = prediction.sample.message
    values = {
        factor.name: factor.value
        for factor in matches[0].factors
        if factor.name in shipped.FEATURES or factor.name.startswith(GROUP)
    }
    values |= {f"{MARKER}{one.id}": 1.0 for one in telling(match.marker for match in matches)}
    unit = message.unit_at(matches[0].offset)
    return Row(spot, message.flag(unit) if unit else None, values)


LEFT_OUT = "left out"
PARTLY = "part fitted elsewhere"
DIGITS = 3
_MOST_STEPS = 2000
#: The vectors are short: on a busy machine, threads that wait for each other cost a hundredfold.
_THREADS = ThreadpoolController()
Vector = npt.NDArray[np.float64]


class Spreads(Record):
    """How far a number may easily move from its prior, in logits: one standard deviation."""

    feature: float = 0.8
    group: float = 0.3
    marker: float = 0.8
    base: float = 2.0


class Term(Record):
    """One number of the model: its prior, its spread (0: it stays), and where it has to stay."""

    prior: float
    spread: float
    low: float = -inf
    high: float = inf


class Plan(Record):
    """What is fitted: the terms by name, and the one of any marker that has none of its own.

    ``held`` names the numbers that stay as they are in use. These may have been fitted to the very
    labels that they are measured on, so nothing is called left out then.
    """

    terms: Mapping[str, Term]
    marker: Term
    held: str = ""

    @property
    def title(self) -> str:
        """Return what a prediction by a fit on the other groups is called."""
        return PARTLY if self.held else LEFT_OUT

    def without(self, names: Sequence[str]) -> Plan:
        """Return the plan with the terms whose name begins with one of ``names`` held at 0."""
        gone = Term(0.0, 0.0)
        terms = {name: gone if _is_of(name, names) else term for name, term in self.terms.items()}
        return self.replace(terms=terms, marker=gone if _is_of(MARKER, names) else self.marker)

    def with_weights(self, weights: Mapping[str, float]) -> Plan:
        """Return the plan with these numbers held where they are."""
        held = {name: Term(weight, 0.0) for name, weight in weights.items()}
        return self.replace(terms={**self.terms, **held}, held=", ".join(weights))


class Fitted(Record):
    """The numbers of a model."""

    weights: Mapping[str, float]

    def confidence(self, values: Mapping[str, float]) -> int:
        """Return the confidence (0-100) of a claim with these values."""
        weights = self.weights
        return percent(
            weights[BASE] + sum(weights.get(name, 0.0) * it for name, it in values.items())
        )


def plan_of(model: Model, spreads: Spreads) -> Plan:
    """Return the plan that fits every number of ``model`` from its prior."""
    terms = {BASE: Term(model.prior.base, spreads.base)}
    for name, prior in model.prior.groups.items():
        terms[f"{GROUP}{name}"] = Term(prior, spreads.group)
    for one in model.feature:
        terms[one.name] = _signed(one.prior, one.spread or spreads.feature, one.sign)
    return Plan(terms, Term(0.0, spreads.marker))


def plan_in_use(model: Model, settings: Settings, spreads: Spreads) -> Plan:
    """Return the plan that fits the features alone, from what they weigh now."""
    own = dict(settings.features)
    terms = {BASE: Term(shipped.BASE, 0.0)}
    terms |= {f"{GROUP}{name}": Term(it, 0.0) for name, it in shipped.GROUPS.items()}
    terms |= {f"{MARKER}{name}": Term(it, 0.0) for name, it in shipped.MARKERS.items()}
    for one in model.feature:
        start = own.get(one.name, one.weight)
        terms[one.name] = _signed(start, one.spread or spreads.feature, one.sign)
    return Plan(terms, Term(0.0, 0.0), "base, groups and markers")


def fit(rows: Sequence[Row], plan: Plan) -> Fitted:
    """Return the numbers that fit ``rows`` best, rounded; raises CalibrateError with one sort."""
    require_both(rows)
    seen = {name for row in rows for name in row.values}
    terms = {**dict.fromkeys(sorted(seen), plan.marker), **plan.terms}
    start = np.array([_clamp(term.prior, term) for term in terms.values()])
    names = [name for name, term in terms.items() if term.spread]
    free = np.array([bool(term.spread) for term in terms.values()])
    values, flags = _matrix(rows, list(terms))
    fixed = values[:, ~free] @ start[~free]
    numbers = start.copy()
    numbers[free] = _solve(values[:, free], flags, fixed, [terms[name] for name in names])
    rounded = (round(float(it), DIGITS) for it in numbers)
    return Fitted(dict(zip(terms, rounded, strict=True)))


def _solve(values: csr_matrix, flags: Vector, fixed: Vector, terms: Sequence[Term]) -> Vector:
    priors = np.array([term.prior for term in terms])
    spreads = np.array([term.spread for term in terms])

    def loss(vector: Vector) -> tuple[float, Vector]:
        logits = fixed + values @ vector
        away = (vector - priors) / spreads
        errors = 1 / (1 + np.exp(-logits)) - flags
        misfit = (np.logaddexp(0, logits) - flags * logits).sum()
        return float(misfit + away @ away / 2), values.T @ errors + away / spreads

    with _THREADS.limit(limits=1):
        solution = minimize(
            loss,
            np.array([_clamp(term.prior, term) for term in terms]),
            jac=True,
            method="L-BFGS-B",
            bounds=[(term.low, term.high) for term in terms],
            options={"maxiter": _MOST_STEPS, "ftol": 1e-11, "gtol": 1e-6},
        )
    return np.asarray(solution.x)


def _matrix(rows: Sequence[Row], names: Sequence[str]) -> tuple[csr_matrix, Vector]:
    column = {name: number for number, name in enumerate(names)}
    cells = [
        (number, column[name], value)
        for number, row in enumerate(rows)
        for name, value in {BASE: 1.0, **row.values}.items()
    ]
    at, of, values = zip(*cells, strict=True)
    shape = (len(rows), len(names))
    return csr_matrix((values, (at, of)), shape), np.array([row.flag for row in rows], dtype=float)


def _signed(prior: float, spread: float, sign: int) -> Term:
    return Term(prior, spread, 0.0) if sign > 0 else Term(prior, spread, high=0.0)


def _clamp(value: float, term: Term) -> float:
    return min(max(value, term.low), term.high)


def _is_of(name: str, names: Sequence[str]) -> bool:
    """Tell whether ``name`` is one of ``names``, or begins with one that ends with a space."""
    return any(name == one or (one.endswith(" ") and name.startswith(one)) for one in names)
