"""What looking back costs: one agent's history at 500 rows a day, in this process.

    python benchmarks/history.py [--rows N] [--rounds N]

The requirement: 24 hours in 30 ms, 7 days in 100 ms. The counts are checked in every round.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

from groundwire.confidence.composite import CompositeScores, assess
from groundwire.history.append import append_row
from groundwire.history.day_files import day_name
from groundwire.history.read import history_score
from groundwire.history.rows import history_row
from groundwire.settings import SHIPPED

DAY = 86_400
DAYS = 90
AGENTS = 5
NOON = 1_763_208_000.0  # 2025-11-15T12:00:00Z
LIMITS = {24: 30.0, 168: 100.0}  # milliseconds by hours


def fill(folder: Path, rows: int) -> None:
    """Write the day files of the whole retention, evenly spaced."""
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


def main() -> int:
    """Measure the two look-ups and one append, and print median and worst."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder, options.rows)
        for hours, limit in LIMITS.items():
            times = []
            for _ in range(options.rounds):
                begun = time.perf_counter()
                found = history_score(name, "agent-1", NOON, hours)
                times.append(1000 * (time.perf_counter() - begun))
                if abs(found.total - options.rows * hours / 24 / AGENTS) > 1:
                    raise SystemExit(f"{hours} hours: wrong count {found.total}")
            median, worst = statistics.median(times), max(times)
            print(f"{hours:4} h: {median:6.1f} ms, worst {worst:6.1f} ms (limit {limit:.0f} ms)")
        row = history_row(
            assess("patcher", CompositeScores(1, 1, 1, 1), SHIPPED.composite), "a", "b", None, NOON
        )
        times = []
        for _ in range(200):
            begun = time.perf_counter()
            if problem := append_row(name, row, NOON, DAYS):
                raise SystemExit(problem)
            times.append(1000 * (time.perf_counter() - begun))
        print(f"append: {statistics.median(times):6.3f} ms, worst {max(times):6.3f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
