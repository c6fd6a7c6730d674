"""Bulk work: prose through the language stages, transcripts through a replay."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.figures import Figure, Quartiles, from_quartiles, quartiles
from benchmarks.growing import hostile, shapes
from benchmarks.messages import crowded, dense
from benchmarks.processes import environment, peak_memory
from benchmarks.prose import EXPECTED, prose
from benchmarks.scale import Scale
from benchmarks.transcripts import expected_actions, write_session
from groundwire.base.process import collect_rarely
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED
from groundwire.language.automaton import Scanner
from groundwire.language.fold import fold
from groundwire.language.markdown import mask
from groundwire.runs.jobs import Wanted, replay_all
from groundwire.runs.replay import Tally
from groundwire.settings.runtime import Runtime
from groundwire.verdict.analysis import analyse

PART = "bulk"
#: Characters that are analysed at a time: no file of prose is longer.
_PIECE = 500_000
_TURNS, _CALLS = 8, 12
_SMALL_TURNS, _SMALL_CALLS = 2, 2
_DISTINCT = 25
_COMMAND = (sys.executable, "-I", "-m", "groundwire", "replay")


def measure(scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield MB a CPU second of ``scan`` and ``replay``, and how replay bears many sessions."""
    yield from _scan(scale)
    yield from _replay(scale, folder)
    yield from _sessions(scale, folder)


def _scan(scale: Scale) -> Iterator[Figure]:
    scanner = Scanner(shipped_rules())
    collect_rarely()  # as the command does
    size = min(_PIECE, scale.prose)
    scanned, plain = [], []
    for number in range(max(1, scale.prose // _PIECE)):
        text = prose(size, number)
        folded = fold(text, mask(text)).text
        begun = time.process_time()
        candidates = scanner.scan(folded)
        scanned.append(size / 1e6 / (time.process_time() - begun))
        begun = time.process_time()
        analysis = analyse(text, scanner, SHIPPED)
        plain.append(time.process_time() - begun)
        found = tuple(match.evidence for match in analysis.matches[: len(EXPECTED)])
        if found != EXPECTED or len(candidates) < len(analysis.matches):
            raise SystemExit(f"wrong matches: {found}")
    yield _rate("scan, automaton stage", quartiles(scanned), 20.0)
    yield _rate("scan, plain prose", quartiles([size / 1e6 / it for it in plain]), 8.0)
    hard = {
        "dense prose": (dense(size), 2.0),
        "every second word a marker": (crowded(size), None),
        "hostile text": (hostile(size // len(shapes())), None),
    }
    for name, (text, wanted) in hard.items():
        begun = time.process_time()
        analyse(text, scanner, SHIPPED)
        spent = (time.process_time() - begun) / len(text)
        yield _rate(f"scan, {name}", quartiles([1e-6 / spent]), wanted)
        against = spent * size / quartiles(plain).median
        limit = None if wanted else 3.0
        yield Figure(PART, f"{name} against plain prose", against, "x", target=limit)


def _rate(name: str, found: Quartiles, target: float | None) -> Figure:
    return from_quartiles(PART, name, found, "MB/CPU s", target=target, at_least=True)


def _replay(scale: Scale, folder: Path) -> Iterator[Figure]:
    files = [folder / "replay" / f"{number}.jsonl" for number in range(_DISTINCT)]
    size = sum(write_session(path, n, _TURNS, _CALLS) for n, path in enumerate(files))
    wanted = expected_actions(range(_DISTINCT), _TURNS)
    settings = SHIPPED.replace(thresholds=SHIPPED.thresholds.replace(stop_from=64))
    runtime = Runtime(settings, Scanner(shipped_rules()))
    rates = []
    for _ in range(max(1, round(scale.replayed * 1e6 / size))):
        begun = time.process_time()
        tally = Tally()
        for one in replay_all(files, runtime, {}, Wanted(), 1):
            tally.merge(one.tally)
        rates.append(size / 1e6 / (time.process_time() - begun))
        found = dict(tally.of("action"))
        if found != wanted:
            raise SystemExit(f"wrong decisions: {found}, not {wanted}")
    yield from_quartiles(
        PART, "replay, one process", quartiles(rates), "MB/CPU s", target=150.0, at_least=True
    )


def _sessions(scale: Scale, folder: Path) -> Iterator[Figure]:
    """Replay many small sessions: in this process one by one, then by the command."""
    root = folder / "sessions"
    size = write_copies(root, scale.sessions)
    files = sorted(root.rglob("*.jsonl"))
    runtime = Runtime(SHIPPED, Scanner(shipped_rules()))
    ends = [time.perf_counter()]
    ends += (time.perf_counter() for _ in replay_all(files, runtime, {}, Wanted(), 1))
    tenth = max(1, len(files) // 10)
    first, last = ends[tenth] - ends[0], ends[-1] - ends[-1 - tenth]
    name = f"{scale.sessions:,} sessions: last tenth against first"
    yield Figure(PART, name, last / first, "x", target=1.1)

    env = environment(folder)
    seconds: dict[int, float] = {}
    for jobs in sorted({1, os.cpu_count() or 1}):
        begun = time.perf_counter()
        peak = _command(root, env, jobs, scale.sessions)
        seconds[jobs] = time.perf_counter() - begun
        rate = size / 1e6 / seconds[jobs]
        yield Figure(PART, f"the command, --jobs {jobs}", rate, "MB/s")
        if jobs == 1:
            few = _command(root / "0", env, jobs, min(1_000, scale.sessions))
            name = f"peak memory against 1,000 sessions ({peak:.0f} MiB)"
            yield Figure(PART, name, peak / few, "x", target=1.2)
    if len(seconds) > 1:
        gain = seconds[1] / min(seconds.values())
        yield Figure(PART, f"gain of --jobs {max(seconds)}", gain, "x", target=1.8, at_least=True)


def _command(root: Path, env: dict[str, str], jobs: int, sessions: int) -> float:
    """Run the replay command over ``root``; return its peak memory in MiB."""
    command = [*_COMMAND, str(root), "--jobs", str(jobs), "--limit", "0"]
    peak, output = peak_memory(command, b"", env)
    wanted = f"{_SMALL_TURNS * sessions} turns in {sessions} transcripts: "
    if wanted.encode() not in output:
        raise SystemExit(f"wrong summary: {output[-300:]!r}")
    return peak


def write_copies(root: Path, count: int) -> int:
    """Write ``count`` sessions, a thousand in a folder, from few distinct ones; return the bytes.

    Each has an id of its own, so nothing tells that their text repeats.
    """
    texts: Sequence[bytes] = []
    path = root / "session.jsonl"
    for number in range(_DISTINCT):
        write_session(path, number, _SMALL_TURNS, _SMALL_CALLS)
        texts = (*texts, path.read_bytes())
    path.unlink()
    written = 0
    for number in range(count):
        text = texts[number % _DISTINCT]
        own = json.loads(text[: text.find(b"\n")])["sessionId"].encode()
        target = root / str(number // 1_000) / f"{number:06}.jsonl"
        target.parent.mkdir(exist_ok=True)
        written += target.write_bytes(text.replace(own, b"%-36d" % number))
    return written
