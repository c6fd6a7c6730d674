"""The numbers that are fitted: as a vector of logits, and as settings.

A parameter is named by its key in a settings file. The vector holds what a parameter contributes
to the sum of ``groundwire.scoring``, so that the sum is linear in it:

- ``strengths.*``, ``verdicts.*``, ``context.*``: the contribution itself (weight * value);
- ``weights.*`` of a factor whose values are fixed: the weight. For ``evidence_proximity`` the fixed
  value is that of a reference nearby on bare text.

Only products of weight and value can be told from data, so the weights of ``pattern_strength`` and
``context`` are 1 in the settings that come out.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log

import numpy as np
import numpy.typing as npt

from groundwire.bare import DENSITY_VALUE, LENGTH_VALUE, NEARBY_VALUE, STACKING_VALUE
from groundwire.model import Factor, Match
from groundwire.record import Record
from groundwire.scoring import POSITION_VALUE, SIGNALS_VALUE, TURN_VALUE
from groundwire.settings import SHIPPED, Context, Settings, Strengths, Verdicts, Weights

Vector = npt.NDArray[np.float64]

_STRENGTH, _EVIDENCE, _CONTEXT = "pattern_strength", "evidence_proximity", "context"
_FREE = (_STRENGTH, _CONTEXT)  # factors that have a value of their own for each case
NAMES: tuple[str, ...] = (
    *(f"strengths.{name}" for name in Strengths._fields),
    *(f"weights.{name}" for name in Weights._fields if name not in _FREE),
    *(f"verdicts.{name}" for name in Verdicts._fields),
    *(f"context.{name}" for name in Context._fields),
)
INDEX = {name: number for number, name in enumerate(NAMES)}
#: A usual value of the factor behind each fitted weight: what a weight of 1 is worth in logits.
WORTH = {
    "weights.text_length": LENGTH_VALUE,
    "weights.evidence_proximity": abs(NEARBY_VALUE),
    "weights.context_density": DENSITY_VALUE,
    "weights.category_stacking": STACKING_VALUE,
    "weights.signals": SIGNALS_VALUE,
    "weights.position": POSITION_VALUE,
    "weights.turn_length": TURN_VALUE,
}
#: Values of ``context`` under which an analysis tells every milder use apart.
_APART = Context(*(-1.0 - number for number in range(len(Context._fields))))
#: The settings as they were before any label was seen (DESIGN section 5); the shipped defaults
#: are fitted from here.
START = Settings(
    weights=Weights(**dict.fromkeys(Weights._fields, 1.0)),
    strengths=Strengths(faint=0.35, weak=0.65, medium=0.70, strong=0.75, certainty=0.35),
    verdicts=Verdicts(
        contradicted=3.5,
        unsupported=0.5,
        qualified=-0.5,
        not_checkable=-1.5,
        earlier=-1.5,
        supported=-4.0,
    ),
    context=Context(legitimate=-0.9, plan=-1.8),
)


def named(keys: Iterable[str]) -> tuple[str, ...]:
    """Return the parameters of keys and whole tables of the settings; ValueError names a wrong one.

    >>> named(["context", "weights.signals"])
    ('weights.signals', 'context.legitimate', 'context.plan')
    """
    wanted = tuple(keys)
    for key in wanted:
        if not any(name == key or name.startswith(f"{key}.") for name in NAMES):
            allowed = ", ".join((*dict.fromkeys(name.split(".")[0] for name in NAMES), *NAMES))
            raise ValueError(f"{key}: no fitted key or table; allowed are {allowed}")
    return tuple(n for n in NAMES if n in wanted or n.split(".")[0] in wanted)


class Change(Record):
    """One fitted key of the settings with its values before and after."""

    key: str
    before: float
    after: float


def logit(probability: float) -> float:
    """Return the log-odds of a probability between 0 and 1, both excluded."""
    return log(probability / (1 - probability))


def reading(settings: Settings = SHIPPED) -> Settings:
    """Return ``settings`` changed so that the factors of a match tell which case each of them is.

    Values do not depend on the weights, strengths and verdicts in use.
    """
    return settings.replace(context=_APART)


def row_of_match(match: Match) -> Vector:
    """Return what each parameter is multiplied by in the sum of ``match``.

    ``match`` comes from an analysis under ``reading``.
    """
    status = match.verdict.status if match.verdict else ""
    return row_of_factors(match.marker.strength, status, match.factors)


def row_of_factors(strength: str, status: str, factors: Iterable[Factor]) -> Vector:
    """Return the same for factors that ``score`` gave under ``reading``; "" is no verdict."""
    row = np.zeros(len(NAMES))
    row[INDEX[f"strengths.{strength}"]] = 1.0
    for factor in factors:
        if factor.name == _EVIDENCE and status:
            row[INDEX[f"verdicts.{status}"]] = 1.0
        elif factor.name == _CONTEXT and factor.value:
            name = next(n for n in Context._fields if getattr(_APART, n) == factor.value)
            row[INDEX[f"context.{name}"]] = 1.0
        elif factor.name not in _FREE:
            row[INDEX[f"weights.{factor.name}"]] = factor.value
    return row


def vector_of(settings: Settings) -> Vector:
    """Return the parameters that give the same sums as ``settings``."""
    weights = settings.weights
    values = {f"weights.{name}": getattr(weights, name) for name in Weights._fields}
    for name in Strengths._fields:
        prior = logit(getattr(settings.strengths, name))
        values[f"strengths.{name}"] = weights.pattern_strength * prior
    for name in Verdicts._fields:
        values[f"verdicts.{name}"] = weights.evidence_proximity * getattr(settings.verdicts, name)
    for name in Context._fields:
        values[f"context.{name}"] = weights.context * getattr(settings.context, name)
    return np.array([values[name] for name in NAMES])


def settings_of(vector: Vector, base: Settings = SHIPPED, digits: int | None = None) -> Settings:
    """Return ``base`` with the parameters of ``vector``, rounded to ``digits`` if given."""

    def rounded(value: float) -> float:
        # "+ 0.0" turns a rounded -0.0 into 0.0
        return value if digits is None else round(value, digits) + 0.0

    value = {name: float(vector[number]) for name, number in INDEX.items()}
    weights = {name: rounded(value.get(f"weights.{name}", 1.0)) for name in Weights._fields}
    evidence = weights[_EVIDENCE]

    def verdict(name: str) -> float:
        return rounded(value[f"verdicts.{name}"] / evidence)

    def prior(name: str) -> float:
        return rounded(1 / (1 + exp(-value[f"strengths.{name}"])))

    return base.replace(
        weights=Weights(**weights),
        strengths=Strengths(*map(prior, Strengths._fields)),
        verdicts=Verdicts(*map(verdict, Verdicts._fields)),
        context=Context(*(rounded(value[f"context.{name}"]) for name in Context._fields)),
    )


def changes(before: Settings, after: Settings) -> list[Change]:
    """Return every number that a fit can set, with both of its values."""
    found = []
    for table in ("weights", "strengths", "verdicts", "context"):
        old, new = getattr(before, table), getattr(after, table)
        found += [
            Change(f"{table}.{name}", getattr(old, name), getattr(new, name))
            for name in type(new)._fields
        ]
    return found
