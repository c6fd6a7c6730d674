"""``python -m benchmarks``: measure, print each figure beside its target, write JSON and a chart.

A target that is not met is printed and fails nothing, since times differ between machines; a wrong
answer fails. With ``--short`` every benchmark runs once, and counted instructions are held against
their targets.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import (
    bulk,
    cold,
    compiles,
    growth,
    history,
    instructions,
    peer,
    resident,
    stages,
    steepness,
)
from benchmarks.figures import Figure, row, summary
from benchmarks.machine import machine
from benchmarks.scale import SHORT, Scale

PARTS: dict[str, Callable[[Scale, Path], Iterator[Figure]]] = {
    "cold": cold.measure,
    "instructions": instructions.measure,
    "steepness": steepness.measure,
    "stages": stages.measure,
    "growth": growth.measure,
    "compiles": compiles.measure,
    "bulk": bulk.measure,
    "history": history.measure,
    "resident": resident.measure,
}
#: What repeats to about a percent, so that it can fail.
COUNTED = (instructions.PART, steepness.PART)
#: Ignored by git.
OUTPUT = Path(__file__).parent / "results"


def main(arguments: list[str]) -> int:
    """Measure the parts that are asked for; 1 when a count of instructions is over its target."""
    options = _options(arguments)
    scale = SHORT if options.short else Scale()
    if options.soak is not None:
        scale = scale._replace(soaked=options.soak)
    if options.sessions is not None:
        scale = scale._replace(sessions=options.sessions)
    options.out.mkdir(parents=True, exist_ok=True)
    figures: list[Figure] = []
    begun = time.monotonic()
    parts = {name: PARTS[name] for name in options.parts or ([] if options.peer else PARTS)}
    if options.peer:
        parts[peer.PART] = lambda scale, place: peer.measure(scale, place, options.peer.resolve())
    for name, measure in parts.items():
        print(f"\n{name}", flush=True)
        with tempfile.TemporaryDirectory() as place:
            for figure in measure(scale, Path(place)):
                if options.short and figure.part not in COUNTED:
                    # too few samples to say anything about a target
                    figure = figure._replace(target=None)  # noqa: PLW2901
                print(f"  {row(figure)}", flush=True)
                figures.append(figure)
            for chart in Path(place).glob("*.png"):
                shutil.copy(chart, options.out)
    print(f"\n{summary(figures)}; {time.monotonic() - begun:.0f} s in all")
    found = {"machine": machine(), "figures": [figure.fields() for figure in figures]}
    name = "short.json" if options.short else "results.json"
    (options.out / name).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    over = [one for one in figures if one.part in COUNTED and one.met is False]
    return 1 if options.short and over else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--short", action="store_true", help="each benchmark once and small")
    parser.add_argument("--peer", type=Path, help="folder of another plugin with a Stop hook")
    parser.add_argument("--soak", type=int, help="requests while the server's memory is watched")
    parser.add_argument("--sessions", type=int, help="sessions that are replayed")
    parser.add_argument("--out", type=Path, default=OUTPUT, help="folder of the results")
    options = parser.parse_args(arguments)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}; allowed: {', '.join(PARTS)}")
    return options


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
