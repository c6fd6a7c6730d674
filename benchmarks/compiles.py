"""A change of settings: the one turn that compiles them, in a locked process of its own."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.cold import check_found, stop_event
from benchmarks.figures import Figure, from_quartiles, quartiles
from benchmarks.messages import message
from benchmarks.processes import HOOK, environment
from benchmarks.scale import Scale

PART = "settings"


def measure(scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield the seconds that a turn takes with settings that nobody compiled yet, and after."""
    home = folder / "settings-home"
    config = home / ".config" / "groundwire" / "config.toml"
    config.parent.mkdir(parents=True)
    log = home / ".local" / "state" / "groundwire" / "decisions.jsonl"
    env = environment(home)
    first, second = [], []
    for number in range(scale.compiles):
        config.write_text(f"notify = false\n# {number}\n", encoding="utf-8")
        first.append(_turn(env))
        second.append(_turn(env))
    notes = [json.loads(line)["notes"] for line in log.read_text(encoding="utf-8").splitlines()]
    late = sum("settings are not compiled yet" in note for found in notes for note in found)
    yield from_quartiles(PART, "turn that compiles them", quartiles(first), "s", target=0.6)
    yield from_quartiles(PART, "turn after it", quartiles(second), "s")
    yield Figure(PART, "turns that did not get them in time", late, target=0)


def _turn(env: dict[str, str]) -> float:
    event = stop_event(message(5_000), "")
    begun = time.perf_counter()
    done = subprocess.run(HOOK, input=event, env=env, capture_output=True, check=True)
    spent = time.perf_counter() - begun
    check_found(done.stdout)
    return spent
