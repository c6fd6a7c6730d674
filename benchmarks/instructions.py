"""Machine instructions of the hook and of each stage, counted by valgrind's callgrind.

They repeat to about a percent where times differ by half, so they can be held against a budget:
``budget.json`` has the instructions of each stage as a multiple of ``python -I -S -c pass`` of the
same interpreter. ``python -m benchmarks.instructions`` writes it anew. Without valgrind nothing is
counted, and that is said.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import ahocorasick

import groundwire
from benchmarks.cold import check_found, stop_event
from benchmarks.figures import Figure
from benchmarks.messages import message
from benchmarks.processes import BARE, HOOK, environment
from benchmarks.scale import Scale
from benchmarks.sessions import write_session

PART = "instructions"
BUDGET = Path(__file__).with_name("budget.json")
#: Each process does what the one before it does, and one stage more.
STAGES = ("imports", "mask", "fold", "scan", "filter", "read", "timeline", "assess", "score")
_COUNTED = Path(__file__).with_name("counted.py")
_SIZE = 5_000
#: The hook with a processor clock that stands still: under callgrind all takes fifty times as long,
#: and a turn's time would be up before everything was looked at.
_UNHURRIED = (
    "import sys, time; time.thread_time = lambda: 0.0; __file__ = sys.argv[1]; "
    "exec(compile(open(__file__).read(), __file__, 'exec'))"
)
_HOOK = (*HOOK[:-1], "-c", _UNHURRIED, HOOK[-1])
#: No stage is held to less than this, in multiples of a bare start: the counts of small ones
#: differ by what one more memory block or hash collision takes.
_SMALLEST = 0.02


class Budget(NamedTuple):
    """What each stage may take, by its name; ``margin`` is the part that it may go over."""

    python: str
    margin: float
    stages: dict[str, float]

    def limit(self, stage: str) -> float | None:
        """Return the most that a stage may take; None for a stage without a budget."""
        known = self.stages.get(stage)
        if known is None:
            return None
        # another interpreter does the same work with other instructions
        margin = self.margin if self.python == _python() else 2 * self.margin
        return max(known * (1 + margin), known + _SMALLEST)


def measure(_scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield the counts as multiples of a bare start, beside what the budget allows."""
    if not shutil.which("valgrind"):
        print("  no valgrind here (apt-get install valgrind): nothing is counted")
        return
    budget = read_budget()
    bare, counts = count_all(folder)
    yield Figure(PART, "python -I -S -c pass", bare / 1e6, "million")
    for name, count in counts.items():
        yield Figure(PART, name, count / bare, "x pass", target=budget.limit(name))


def count_all(folder: Path) -> tuple[int, dict[str, int]]:
    """Return the instructions of a bare start, and of the hook and each stage."""
    env = environment(folder)
    transcript = folder / "counted.jsonl"
    write_session(transcript, 1, 200, message(_SIZE))
    text = folder / "message.txt"
    text.write_text(message(_SIZE), encoding="utf-8")
    sources = Path(groundwire.__file__).parent.parent
    libraries = Path(ahocorasick.__file__).parent
    start = [sys.executable, "-I", "-S", str(_COUNTED), str(sources), str(libraries)]

    def of_hook(said: str, path: str) -> int:
        return count(_HOOK, stop_event(said, path), env, finds=bool(said))

    def until(stage: str) -> int:
        command = [*start, stage, str(text), str(transcript)]
        subprocess.run(command, env=env, check=True)  # byte code is written by the first run
        return count(command, b"", env)

    with ThreadPoolExecutor(2) as pool:  # counts do not mind company
        bare_one = pool.submit(count, BARE, b"", env)
        hooks = {
            "hook, another event": pool.submit(of_hook, "", ""),
            "hook, 5 KB message": pool.submit(of_hook, message(_SIZE), ""),
            "hook, and 1 MB transcript": pool.submit(of_hook, message(_SIZE), str(transcript)),
        }
        stages = dict(zip(STAGES, pool.map(until, STAGES), strict=True))
    bare = bare_one.result()
    counts = {name: one.result() - bare for name, one in hooks.items()}
    differences = {later: stages[later] - stages[before] for before, later in pairwise(STAGES)}
    return bare, {**counts, **differences}


def count(command: Sequence[str], data: bytes, env: dict[str, str], finds: bool = False) -> int:
    """Return the instructions of one process."""
    counted = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(counted, input=data, env=env, capture_output=True, check=True)
    if finds:
        check_found(done.stdout)
    found = re.search(rb"Collected : (\d+)", done.stderr)
    if not found:
        raise SystemExit(f"valgrind counted nothing: {done.stderr[-300:]!r}")
    return int(found[1])


def read_budget(path: Path = BUDGET) -> Budget:
    """Return the committed budget."""
    return Budget(**json.loads(path.read_text(encoding="utf-8")))


def _python() -> str:
    return ".".join(platform.python_version_tuple()[:2])


def main() -> int:
    """Count, and write what was counted as the new budget."""
    margin = read_budget().margin if BUDGET.exists() else 0.15
    with tempfile.TemporaryDirectory() as place:
        bare, counts = count_all(Path(place))
    stages = {name: round(count / bare, 3) for name, count in counts.items()}
    budget = Budget(_python(), margin, stages)
    BUDGET.write_text(json.dumps(budget._asdict(), indent=1) + "\n", encoding="utf-8")
    for name, share in stages.items():
        print(f"{name:28} {share:.3f} x pass")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
