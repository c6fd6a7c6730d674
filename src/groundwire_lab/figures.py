"""How good the confidences are: ranking, calibration, decisions, and the reference beside them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sklearn.metrics import average_precision_score, roc_auc_score  # type: ignore[import-untyped]

from groundwire.base.model import BLOCK, VERDICTS
from groundwire.base.record import Record
from groundwire.report.json_output import match_fields
from groundwire_confidence.assessment import Share
from groundwire_lab.errors import CalibrateError
from groundwire_lab.samples import Prediction, Unit, units_of

#: Confidence from which the mean confidence is compared with the share that is flagged.
_GAP_FROM = 30
_BINS = 10
NO_VERDICT = "no verdict"


class Group(Record):
    """Units with a match that belong together: their mean confidence, and how many are flagged."""

    name: str
    mean: float
    flagged: Share


def figures(predictions: Sequence[Prediction], report: int) -> dict[str, float]:
    """Return the figures of ``predictions``; NaN where there is nothing to compute one from.

    Units: sentences with a flag; their score is the highest confidence, 0 without a match. A unit
    is predicted from ``report`` on. ``auroc_judged``: units that raters looked at one by one.
    ``gap_from_30``: mean confidence minus share flagged. ``block_*``: messages by their decision;
    one whose only candidates for a flag are disputed is left out.
    """
    units = units_of(predictions)
    hit = [unit for unit in units if unit.confidence >= report]
    right = sum(unit.flag for unit in hit)
    flagged = sum(unit.flag for unit in units)
    return {
        "units": len(units),
        "flagged": flagged,
        "marked_units": sum(unit.best is not None for unit in units),
        "precision": Share(right, len(hit)).value,
        "recall": Share(right, flagged).value,
        "average_precision": average_precision(units),
        "auroc": auroc(units),
        "auroc_judged": auroc([unit for unit in units if unit.judged]),
        "auroc_marked": auroc([unit for unit in units if unit.best]),
        "brier_skill": brier_skill(units),
        "ece": _calibration_error(units),
        "gap_from_30": _gap(units),
        **_block_figures(predictions),
    }


def average_precision(units: Sequence[Unit]) -> float:
    """Return the area under precision over recall, by steps; equal scores count together."""
    flags = [unit.flag for unit in units]
    scores = [unit.confidence for unit in units]
    return float(average_precision_score(flags, scores)) if any(flags) else nan


def auroc(units: Sequence[Unit]) -> float:
    """Return the chance that a flagged unit scores above another one; ties count half."""
    flags = [unit.flag for unit in units]
    if len(set(flags)) < 2:
        return nan
    return float(roc_auc_score(flags, [unit.confidence for unit in units]))


def brier_skill(units: Sequence[Unit]) -> float:
    """Return 1 minus the squared error relative to that of the base rate; above 0 is useful."""
    if not any(unit.flag for unit in units):
        return nan
    base = sum(unit.flag for unit in units) / len(units)
    ours = sum((unit.confidence / 100 - unit.flag) ** 2 for unit in units)
    theirs = sum((base - unit.flag) ** 2 for unit in units)
    return 1 - ours / theirs if theirs else nan


def reliability(units: Sequence[Unit]) -> list[Group]:
    """Return the bins of ten confidences that hold units with a match, from low to high."""
    bins: dict[str, list[Unit]] = {f"{10 * n}-{10 * n + 9}": [] for n in range(_BINS - 1)}
    bins[f"{10 * (_BINS - 1)}-100"] = []
    names = list(bins)
    for unit in units:
        if unit.best:
            bins[names[min(_BINS - 1, unit.confidence // 10)]].append(unit)
    return grouped(bins)


def by_verdict(units: Sequence[Unit]) -> list[Group]:
    """Return the units with a match by the verdict of their highest one."""
    groups: dict[str, list[Unit]] = {status: [] for status in (*VERDICTS, NO_VERDICT)}
    for unit in units:
        if unit.best:
            verdict = unit.best.verdict
            groups[verdict.status if verdict else NO_VERDICT].append(unit)
    return grouped(groups)


def grouped(groups: Mapping[str, Sequence[Unit]]) -> list[Group]:
    """Return the groups that hold any units."""
    return [
        Group(
            name,
            sum(unit.confidence for unit in units) / len(units),
            Share(sum(unit.flag for unit in units), len(units)),
        )
        for name, units in groups.items()
        if units
    ]


def recall_by_kind(predictions: Sequence[Prediction], report: int) -> dict[str, Share]:
    """Return how many flagged sentences there are of each rated kind, and how many are found."""
    hits_by_kind: dict[str, list[bool]] = {}
    for prediction in predictions:
        for unit in prediction.units:
            if unit.flag:
                kind = prediction.sample.message.labels[unit.number].kind
                hits_by_kind.setdefault(kind, []).append(unit.confidence >= report)
    return {kind: Share(sum(hits), len(hits)) for kind, hits in sorted(hits_by_kind.items())}


def _calibration_error(units: Sequence[Unit]) -> float:
    bins = reliability(units)
    count = sum(group.flagged.count for group in bins)
    error = sum(abs(group.mean / 100 - group.flagged.value) * group.flagged.count for group in bins)
    return error / count if count else nan


def _gap(units: Sequence[Unit]) -> float:
    high = [unit for unit in units if unit.confidence >= _GAP_FROM]
    if not high:
        return nan
    return sum(unit.confidence / 100 - unit.flag for unit in high) / len(high)


def _block_figures(predictions: Sequence[Prediction]) -> dict[str, float]:
    judged = [prediction for prediction in predictions if is_judged(prediction)]
    blocked = [prediction for prediction in judged if prediction.decision.action == BLOCK]
    right = sum(has_flag(prediction) for prediction in blocked)
    flagged = sum(has_flag(prediction) for prediction in judged)
    return {
        "messages": len(predictions),
        "messages_judged": len(judged),
        "blocked": len(blocked),
        "block_precision": Share(right, len(blocked)).value,
        "block_recall": Share(right, flagged).value,
        "false_block_rate": Share(len(blocked) - right, len(judged) - flagged).value,
    }


def has_flag(prediction: Prediction) -> bool:
    """Tell whether one of the message's units is flagged."""
    return any(unit.flag for unit in prediction.units)


def is_judged(prediction: Prediction) -> bool:
    """Tell whether the message as a whole counts: flagged, or without a disputed unit."""
    disputed = any(label.flag is None for label in prediction.sample.message.labels.values())
    return has_flag(prediction) or not disputed


SCRIPT = "score.py"
_SECONDS = 600


class Measured(Record):
    """Figures by name, and the 95 % intervals of some of them."""

    figures: dict[str, float]
    intervals: dict[str, tuple[float, float]]


def find_script(labels: Path) -> Path | None:
    """Return the reference that stands in the folder of ``labels`` or beside it."""
    place = labels.resolve()
    folder = place if place.is_dir() else place.parent
    return next((path for f in (folder, folder.parent) if (path := f / SCRIPT).is_file()), None)


def measure(predictions: Sequence[Prediction], report: int, script: Path | None) -> Measured:
    """Return the figures by ``script``, or without one by groundwire itself (no intervals).

    Raises CalibrateError when the script fails.
    """
    if script is None:
        return Measured(figures(predictions, report), {})
    values = _run(predictions, report, script)
    intervals = values.pop("ci95", {})
    numbers = {name: value for name, value in values.items() if not isinstance(value, dict)}
    return Measured(numbers, {name: (low, high) for name, (low, high) in intervals.items()})


def _run(predictions: Sequence[Prediction], report: int, script: Path) -> dict[str, Any]:
    with TemporaryDirectory(prefix="groundwire-") as folder:
        gold, predicted = Path(folder, "gold.jsonl"), Path(folder, "predictions.jsonl")
        _write(gold, [one.sample.message.fields() for one in predictions])
        _write(predicted, [_prediction_fields(one) for one in predictions])
        arguments = [script, gold, predicted, "--report", str(report), "--json"]
        process = subprocess.run(  # noqa: S603 - the script that the user keeps beside the labels
            [sys.executable, *map(str, arguments)],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    if process.returncode:
        lines = process.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise CalibrateError(f"{script}: exit status {process.returncode}: {lines[-1]}")
    values: dict[str, Any] = json.loads(process.stdout)
    return values


def _prediction_fields(prediction: Prediction) -> dict[str, Any]:
    return {
        "id": prediction.sample.message.id,
        "decision": prediction.decision.action,
        "matches": [match_fields(match) for match in prediction.analysis.matches],
    }


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="ascii")
