"""``python -m benchmarks.fuzz --minutes 10``: inputs by the thousand; 1 if an oracle does not hold.

Inputs are changed copies of earlier ones. One with an outcome of a new kind joins the pool, and
what fails is printed, and kept below build/fuzz to be run again with ``--run FILE``. Where atheris
is installed, it leads half of the time.
"""

import argparse
import json
import subprocess
import sys
import time
import traceback
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.mutate import LONGEST, Mutator
from tests.fuzz.targets import TARGETS, corpus

FOUND = Path("build/fuzz")
#: CPU time that an input may take: that of a benign one of its size, times, plus seconds.
TIMES, SPARE = 3.0, 0.2
_MOST_KEPT = 4_000
_SLICE = 15.0
LARGEST = 20_000


class Run:
    """Inputs for one target, made by changing those of its pool."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.target = name, TARGETS[name]
        self.mutator = Mutator(seed, self.target.shape, self.target.words)
        self.pool = corpus(name)
        self.faults: dict[str, bytes] = {}
        self.count = 0
        self.seconds = 0.0
        self.kinds: set[object] = set()
        benign = (self.target.innocent(size) for size in (0, LARGEST))
        self._start, much = (min(self._timed(one) for _ in range(3)) for one in benign)
        self._each = max(0.0, much - self._start) / LARGEST
        self.kinds.clear()

    def replay(self) -> None:
        """Run what the pool holds."""
        for data in self.pool:
            self.attempt(data)

    def some(self, seconds: float, most: int = 1 << 60) -> None:
        """Make and run inputs for so long, at most so many."""
        random, end = self.mutator.random, time.monotonic() + seconds
        while most > 0 and time.monotonic() < end:
            most -= 1
            data = self.mutator(random.choice(self.pool), random.choice(self.pool))
            before = len(self.kinds)
            self.attempt(data)
            if len(self.kinds) > before and len(data) <= 2 * LONGEST:
                if len(self.pool) >= _MOST_KEPT:
                    self.pool.pop(random.randrange(len(self.pool)))
                self.pool.append(data)

    def attempt(self, data: bytes) -> None:
        """Run one input; a fault is kept by the place where it was raised."""
        self.count += 1
        spent = self._timed(data)
        self.seconds += spent
        most = TIMES * (self._start + self._each * len(data)) + SPARE
        if spent > most and all(self._timed(data) > most for _ in range(3)):  # not the machine
            self._keep("too slow", data)

    def _timed(self, data: bytes) -> float:
        begun = time.thread_time()
        try:
            self.kinds.add(self.target.run(data))
        except Exception as error:
            self._keep(f"{type(error).__name__} {_place(error)}", data)
        return time.thread_time() - begun

    def _keep(self, what: str, data: bytes) -> None:
        """Keep the smallest input with this fault."""
        if what not in self.faults:
            print(f"{self.name}: {what}", flush=True)
        self.faults[what] = min(data, self.faults.get(what, data), key=len)
        FOUND.mkdir(parents=True, exist_ok=True)
        name = f"{self.name}-{sha256(what.encode()).hexdigest()[:8]}"
        (FOUND / name).write_bytes(self.faults[what])

    def guide(self, seconds: float, seed: int) -> None:
        """Let atheris look for inputs in a process of its own; what it found joins the pool."""
        folder = FOUND / "guided" / self.name
        command = [sys.executable, "-m", "benchmarks.guided", self.name]
        subprocess.run([*command, str(round(seconds)), str(seed), str(folder)], check=True)
        count, spent = json.loads(folder.with_suffix(".json").read_text("ascii"))
        self.count, self.seconds = self.count + count, self.seconds + spent
        self.pool += [path.read_bytes() for path in sorted(folder.iterdir())][:_MOST_KEPT]

    def __str__(self) -> str:
        each = self.count / max(self.seconds, 1e-9)
        return (
            f"{self.name:12} {self.count:10,} inputs {each:8,.0f}/s "
            f"{len(self.kinds):6,} kinds {len(self.faults):3} faults"
        )


def _place(error: BaseException) -> str:
    """Return where ``error`` was raised, and the opening of what it says."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if "groundwire" in one.filename] or frames
    said = str(error).split(":")[0][:60]
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno} {said!r}"


def main() -> int:
    """Fuzz until the time is up; print what was run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--run", type=Path, help="run this one input, and let it fail")
    options = parser.parse_args()
    if options.run:
        print(TARGETS[options.run.name.partition("-")[0]].run(options.run.read_bytes()))
        return 0
    print(f"seed {options.seed}")
    runs = [Run(name, options.seed) for name in options.targets or TARGETS]
    for run in runs:
        run.replay()
    seconds = 60 * options.minutes
    if find_spec("atheris"):
        seconds /= 2
        for run in runs:
            run.guide(seconds / len(runs), options.seed)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for run in runs:
            run.some(min(_SLICE, max(0.0, end - time.monotonic())))
        print(
            *runs, f"{'all':12} {sum(run.count for run in runs):10,} inputs", sep="\n", flush=True
        )
    return 1 if any(run.faults for run in runs) else 0


if __name__ == "__main__":
    sys.exit(main())
