"""From labelled messages to what a fit sees: for each claim its named values, flag and group.

The values are those that the product itself adds up. They are read off its explanation while every
feature and every group weighs 1, so that none is left out for weighing nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.predict import Prediction, Spot, predict
from groundwire.calibrate.samples import Sample
from groundwire.evidence.weigh import GROUP, MARKER, telling
from groundwire.model import Match
from groundwire.record import Record
from groundwire.rules import weights as shipped
from groundwire.service.runtime import Runtime


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
