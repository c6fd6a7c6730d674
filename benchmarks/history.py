"""What looking back costs: one agent's history at 1,000 rows a day beside as many of another.

The requirement: 24 hours in 30 ms, 7 days in 100 ms, in this process.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, from_quartiles, quartiles
from benchmarks.scale import Scale
from groundwire.base.settings import SHIPPED
from groundwire_confidence.composite.formula import CompositeScores, assess
from groundwire_confidence.history import append_row, day_name
from groundwire_confidence.history_read import history_row, history_score

PART = "history"
DAY = 86_400
ROWS = 2_000
DAYS = 9
AGENTS = 2
NOON = 1_763_208_000.0  # 2025-11-15T12:00:00Z
LIMITS = {24: 30.0, 168: 100.0}  # milliseconds by hours


def fill(folder: Path, rows: int) -> None:
    """Write the day files, evenly spaced."""
    settings = SHIPPED.composite
    for day in range(DAYS):
        start = NOON - (day + 0.5) * DAY
        lines = []
        for number in range(rows):
            share = 0.6 + 0.4 * (number % 7) / 6
            assessment = assess("patcher", CompositeScores(share, share, share, share), settings)
            moment = start + number * DAY / rows
            row = history_row(assessment, f"agent-{number % AGENTS}", "patcher", None, moment)
            lines.append(json.dumps(row) + "\n")
        (folder / day_name(start)).write_text("".join(lines), encoding="ascii")


def measure(scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield the milliseconds of the two look-ups and of one append; counts are checked."""
    place = folder / "history"
    place.mkdir()
    fill(place, ROWS)
    for hours, limit in LIMITS.items():
        times = []
        for _ in range(scale.history):
            begun = time.perf_counter()
            found = history_score(str(place), "agent-1", NOON, hours)
            times.append(1000 * (time.perf_counter() - begun))
            if abs(found.total - ROWS * hours / 24 / AGENTS) > 1:
                raise SystemExit(f"{hours} hours: wrong count {found.total}")
        yield from_quartiles(PART, f"{hours} hours", quartiles(times), "ms", target=limit)
    assessment = assess("patcher", CompositeScores(1, 1, 1, 1), SHIPPED.composite)
    row = history_row(assessment, "a", "b", None, NOON)
    times = []
    for _ in range(10 * scale.history):
        begun = time.perf_counter()
        if problem := append_row(str(place), row, NOON, DAYS):
            raise SystemExit(problem)
        times.append(1000 * (time.perf_counter() - begun))
    yield from_quartiles(PART, "append", quartiles(times), "ms")
