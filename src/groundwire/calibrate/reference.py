"""The figures of ``score.py``, the reference that stands beside a labelled set."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.figures import figures
from groundwire.calibrate.predict import Prediction
from groundwire.record import Record
from groundwire.render.hook_json import match_fields

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
