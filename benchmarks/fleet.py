"""A company's transcripts of any size, and what ``fleet`` needs for them beside ``replay``.

    python -m benchmarks.fleet make DIR --gigabytes 50
    python -m benchmarks.fleet measure DIR --fleet .fleet/bin/groundwire

Sessions are made of the turns of ``transcripts.py``, written as they come. Their sizes are drawn
from a log-normal distribution (median 0.6 MB, mean 3 MB), and one
session, the largest, takes a twenty-fifth of all bytes. A tenth are sub-agents' own.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from benchmarks.transcripts import MESSAGES, Session

#: Stands in the prepared turns for the number of a turn; each gets one of its own.
_NUMBER = 2_882_400_001
_PREPARED, _CALLS = 40, (0, 2, 4, 8, 12, 24)
_MEDIAN, _SPREAD = 600_000, 1.8  # bytes; standard deviation of the logarithm
_FIRST, _DAYS, _USERS, _REPOSITORIES = date(2026, 1, 5), 56, 500, 60
_MODELS = (b"claude-opus-5", b"claude-sonnet-5", b"claude-haiku-5")


def prepared() -> list[bytes]:
    """Return turns with every message and number of calls, ready to be given other names."""
    found = []
    for index in range(_PREPARED):
        session = Session(_NUMBER)
        session.random = random.Random(index)
        session.turn(list(MESSAGES)[index % len(MESSAGES)], _CALLS[index % len(_CALLS)])
        found.append("".join(f"{line}\n" for line in session.lines).encode())
    return found


def make(folder: Path, size: int, seed: int = 1) -> tuple[int, int]:
    """Write about ``size`` bytes of sessions below ``folder``; return files and turns."""
    draw, turns, written, files, number = random.Random(seed), prepared(), 0, 0, 0
    while written < size:
        most = size // 25
        wanted = min(int(draw.lognormvariate(0, _SPREAD) * _MEDIAN), most) if files else most
        user, repository = draw.randrange(_USERS), draw.randrange(_REPOSITORIES)
        session = b"5f0c1c6e-0000-4000-8000-%012d" % files
        place = folder / f"u{user:03}" / "projects" / f"-home-u{user:03}-r{repository:02}"
        path = place / f"{session.decode()}.jsonl"
        if draw.random() < 0.1:
            path = place / session.decode() / "subagents" / f"agent-{files:08x}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        day = _FIRST + timedelta(draw.randrange(_DAYS))
        names = (
            (b"5f0c1c6e-0000-4000-8000-%012d" % _NUMBER, session),
            (b'"timestamp":"2026-03-02', b'"timestamp":"%s' % day.isoformat().encode()),
            (b"/home/dev/shop", b"/home/u%03d/r%02d" % (user, repository)),
            (_MODELS[0], draw.choice(_MODELS)),
        )
        with path.open("wb") as file:
            while file.tell() < wanted or not file.tell():
                number += 1
                text = turns[number % len(turns)]
                for old, new in names:
                    text = text.replace(old, new)
                text = text.replace(b"%08x" % _NUMBER, b"%08x" % number)
                file.write(text.replace(b"%d" % _NUMBER, b"%010d" % number))
            written += file.tell()
        files += 1
    return files, number


class Cost(NamedTuple):
    """What a command took: seconds, CPU seconds of all its processes, and the last it said."""

    seconds: float
    cpu: float
    last: str


def cost(command: list[str], env: dict[str, str] | None = None) -> Cost:
    """Run a command in a process session of its own and add up the CPU time of all in it."""
    begun, seen, ended = time.monotonic(), dict[int, int](), threading.Event()
    process = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True
    )

    def watch() -> None:
        while not ended.wait(0.2):
            seen.update(_ticks(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    output, _ = process.communicate()
    ended.set()
    watcher.join()
    if process.returncode:
        raise SystemExit(f"{command} failed")
    cpu = sum(seen.values()) / os.sysconf("SC_CLK_TCK")
    return Cost(time.monotonic() - begun, cpu, output.strip().splitlines()[-1])


def _ticks(session: int) -> Iterator[tuple[int, int]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if int(fields[3]) == session:
                yield int(entry.name), int(fields[11]) + int(fields[12])


def measure(folder: Path, fleet: str, jobs: int) -> None:
    """Print MB/s and CPU seconds of both, on as many processes."""
    size = sum(path.stat().st_size for path in folder.rglob("*.jsonl"))
    with tempfile.TemporaryDirectory(dir=folder.parent) as out:
        commands = {
            "replay": [fleet, "replay", str(folder), "--jobs", str(jobs), "--limit", "0"],
            "fleet": [fleet, "fleet", str(folder), "--out", out, "--master", f"local[{jobs}]"],
        }
        found = {}
        for name, command in commands.items():
            it = found[name] = cost(command)
            rates = f"{size / 1e6 / it.seconds:.1f} MB/s, {size / 1e6 / it.cpu:.1f} MB a CPU second"
            print(f"{name}: {size / 1e9:.2f} GB in {it.seconds:.0f} s, {it.cpu:.0f} CPU s: {rates}")
            print(f"  {it.last}", flush=True)
    first, second = found["replay"], found["fleet"]
    share, cpu = first.seconds / second.seconds, first.cpu / second.cpu
    print(f"fleet against replay: {share:.2f} of its MB/s, {cpu:.2f} of its MB a CPU second")


def main() -> None:
    """Make transcripts or measure."""
    parser = argparse.ArgumentParser(prog="benchmarks.fleet")
    parser.add_argument("what", choices=("make", "measure"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--fleet", default=str(Path(sys.executable).with_name("groundwire")))
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    if given.what == "make":
        files, turns = make(given.folder, int(given.gigabytes * 1e9))
        print(f"{files} files, {turns} turns")
    else:
        measure(given.folder, given.fleet, given.jobs)


if __name__ == "__main__":
    main()
