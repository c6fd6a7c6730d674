"""What no fit may break, as linear limits in logits.

The user's bands on bare text, an order among strengths, verdicts and milder uses, and floors for
facts that are sure but too rare in any labelled set to be weighed by their number.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import inf

import numpy as np

from groundwire.calibrate.parameters import (
    INDEX,
    NAMES,
    Vector,
    logit,
    reading,
    row_of_factors,
)
from groundwire.record import Record
from groundwire.scan.filters import MILDER
from groundwire.scoring import Circumstances, score

#: Verdicts from the most to the least suspicious; those of one row are not ordered.
_VERDICT_ORDER = (
    ("contradicted",),
    ("unsupported",),
    ("qualified",),
    ("not_checkable", "earlier"),
    ("supported",),
)
_STRENGTH_ORDER = ("faint", "weak", "medium", "strong")
#: Lowest and highest contribution, in logits, of what is sure. Contradicted: a claim that stood at
#: even odds becomes one of 92 %. Supported: one of 12 %.
_CONTRADICTED_FLOOR = 2.5
_SUPPORTED_CEILING = -2.0
#: Half a step of the second decimal, to which weights and values are rounded in the end.
_ROUNDING = 0.005


class Band(Record):
    """Confidences (0-100, inclusive) that a match on bare text has to stay within."""

    name: str
    strength: str
    seen: Circumstances
    lowest: int
    highest: int = 100


class Limit(Record):
    """``lowest <= row @ vector <= highest``; ``slack`` keeps it true after rounding."""

    name: str
    row: Vector
    lowest: float
    highest: float
    slack: float = 0.0


_SHORT, _MEDIUM, _LONG = 40, 140, 200
_PAIR = Circumstances(_SHORT, neighbours=1, stacked=True)  # in one sentence
#: DESIGN section 5, "the user's bands"; a faint word alone says nothing (section 5, strengths).
BANDS = (
    Band("a weak marker alone is 75", "weak", Circumstances(_SHORT), 75, 75),
    Band("weak with a cause is 90-100", "weak", _PAIR, 90),
    Band("a cause with weak is 90-100", "strong", _PAIR, 90),
    Band("one strong marker is 70-89", "strong", Circumstances(_SHORT), 70, 89),
    Band("strong in 140 words is 70-89", "strong", Circumstances(_MEDIUM), 70, 89),
    Band("strong, evidence nearby, is 50-69", "strong", Circumstances(_SHORT, True), 50, 69),
    Band("weak, long, evidence nearby, is below 50", "weak", Circumstances(_LONG, True), 0, 49),
    Band("a certainty marker alone is 47", "certainty", Circumstances(_SHORT), 47, 47),
    Band("certainty with a cause is 77", "certainty", _PAIR, 77, 77),
    Band("a faint marker alone is below 50", "faint", Circumstances(_SHORT), 0, 49),
)


def limits() -> list[Limit]:
    """Return all limits of a fit."""
    return [*map(_of_band, BANDS), *_orders(), *_floors()]


def broken(vector: Vector, tolerance: float = 1e-6) -> list[str]:
    """Return the names of the limits that ``vector`` does not keep."""
    return [
        limit.name
        for limit in limits()
        if not limit.lowest - tolerance <= limit.row @ vector <= limit.highest + tolerance
    ]


def bounds(vector: Vector) -> list[tuple[float, float]]:
    """Return what each parameter may be by itself, so that the settings stay in their ranges."""
    ranges = {"strengths": (-4.0, 4.0), "weights": (0.0, 5.0)}
    found = [ranges.get(name.partition(".")[0], (-6.0, 6.0)) for name in NAMES]
    # verdict values are divided by this weight, and a settings file allows values up to 10
    found[INDEX["weights.evidence_proximity"]] = (0.6, 2.0)
    assert len(found) == len(vector)
    return found


def _of_band(band: Band) -> Limit:
    _, factors = score(band.strength, None, band.seen, reading())
    row = row_of_factors(band.strength, "", factors)
    lowest = logit((band.lowest - 0.5) / 100) if band.lowest else -inf
    highest = logit((band.highest + 0.5) / 100) if band.highest < 100 else inf
    weights = [abs(row[number]) for name, number in INDEX.items() if name.startswith("weights.")]
    return Limit(band.name, row, lowest, highest, _ROUNDING * sum(weights))


def _orders() -> Iterator[Limit]:
    for low, high in pairwise(_STRENGTH_ORDER):
        yield _at_least(f"{high} >= {low}", {f"strengths.{high}": 1, f"strengths.{low}": -1})
    for higher, lower in pairwise(_VERDICT_ORDER):
        for high in higher:
            for low in lower:
                yield _at_least(f"{high} >= {low}", {f"verdicts.{high}": 1, f"verdicts.{low}": -1})
    mildest_first = ("", *MILDER)
    for strict, milder in pairwise(mildest_first):
        row = {f"context.{milder}": -1.0}
        if strict:
            row[f"context.{strict}"] = 1.0
        yield _at_least(f"{milder} is milder than {strict or 'nothing'}", row)


def _floors() -> Iterator[Limit]:
    contradicted = {"verdicts.contradicted": 1.0}
    yield _at_least("contradicted is sure", contradicted, _CONTRADICTED_FLOOR, 2 * _ROUNDING)
    supported = {"verdicts.supported": -1.0}
    yield _at_least("supported is sure", supported, -_SUPPORTED_CEILING, 2 * _ROUNDING)


def _at_least(
    name: str, coefficients: dict[str, float], lowest: float = 0.0, slack: float = 0.0
) -> Limit:
    row = np.zeros(len(NAMES))
    for key, coefficient in coefficients.items():
        row[INDEX[key]] = coefficient
    return Limit(name, row, lowest, inf, slack)
