"""The hook as it is registered, from exec to exit, paired with starting the bare interpreter."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from benchmarks.figures import Figure, from_quartiles, ratios
from benchmarks.messages import EXPECTED, message
from benchmarks.processes import BARE, HOOK, Case, environment, interleaved, peak_memory
from benchmarks.scale import Scale
from benchmarks.sessions import write_session

PART = "cold hook"
NORMAL = "5 KB message, 1 MB transcript"
LARGE = "5 KB message, 300 MB transcript"
LONG = "500 KB message"
ALONE = "5 KB message alone"
SILENT = "5 KB message without a finding"
OTHER = "another event"
#: Size of a message, whether it makes a claim, and which transcript stands beside it.
CASES = {
    NORMAL: (5_000, True, "normal"),
    LARGE: (5_000, True, "large"),
    LONG: (500_000, True, ""),
    ALONE: (5_000, True, ""),
    SILENT: (5_000, False, ""),
    OTHER: (0, False, ""),
}
TARGETS = {NORMAL: 3.0, LONG: 12.0, ALONE: 2.0, SILENT: 2.0, OTHER: 1.5}
MEMORY = {NORMAL: 16.0, LARGE: 16.0, LONG: 25.0}
_SESSIONS = count()


def measure(scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield the figures of the hook as multiples of ``python -I -S -c pass``."""
    env = environment(folder)
    normal, large = folder / "normal.jsonl", folder / "large.jsonl"
    write_session(normal, 1, 200, message(5_000))
    write_session(large, scale.large_transcript, 200, message(5_000))
    paths = {"": "", "normal": str(normal), "large": str(large)}
    cases = {"bare": Case(BARE)}
    for name, (size, finds, transcript) in CASES.items():
        stdin = _stdin(size, finds, paths[transcript])
        cases[name] = Case(HOOK, stdin, check_found if finds else _check_silent)
    if node := shutil.which("node"):
        cases["node -e 0"] = Case((node, "-e", "0"))
    seconds = interleaved(cases, scale.rounds, env)
    bare = seconds.pop("bare")
    for name, spent in seconds.items():
        found = ratios(spent, bare)
        yield from_quartiles(PART, name, found, "x pass", target=TARGETS.get(name))
    against = ratios(seconds[LARGE], seconds[NORMAL])
    yield from_quartiles(PART, "300 MB against 1 MB transcript", against, "x", target=1.1)
    for name, limit in MEMORY.items():
        case = cases[name]
        peak, output = peak_memory(case.command, case.stdin(), env)
        case.check(output)
        yield Figure(PART, f"peak memory, {name}", peak, "MiB", target=limit)


def stop_event(text: str, transcript: str) -> bytes:
    """Return a Stop event of a new session with this message; without one, another event."""
    fields = {
        "hook_event_name": "Stop" if text else "Notification",
        "session_id": f"bench-{next(_SESSIONS)}",
        "cwd": "/home/dev/app",
        "last_assistant_message": text,
        "transcript_path": transcript,
    }
    return json.dumps(fields).encode()


def _stdin(size: int, finds: bool, transcript: str) -> Callable[[], bytes]:
    text = message(size, finds)
    return lambda: stop_event(text, transcript)


def check_found(output: bytes) -> None:
    """Stop the run when an answer lacks what stands at the beginning of the message."""
    found = [match["evidence"] for match in json.loads(output or b"{}").get("matches", [])]
    if tuple(found[: len(EXPECTED)]) != EXPECTED:
        raise SystemExit(f"wrong answer: {output[:300]!r}")


def _check_silent(output: bytes) -> None:
    if output:
        raise SystemExit(f"wrong answer: {output[:300]!r}")
