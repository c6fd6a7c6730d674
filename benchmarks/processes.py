"""Whole processes: their seconds in interleaved rounds, and their peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import groundwire

BARE = (sys.executable, "-I", "-S", "-c", "pass")
#: The command that ``groundwire install`` registers.
HOOK = (sys.executable, "-I", "-S", str(Path(groundwire.__file__).parent / "hook" / "run.py"))
#: Runs the command behind it and says how much memory that had at most, in KiB: what the kernel
#: reports of a child holds the parent's own size when it was started, so the parent is small.
_MEASURED = """
import os, resource, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
status = os.waitpid(child, 0)[1]
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
os.write(2, b"PEAK %d" % (peak // (1024 if sys.platform == "darwin" else 1)))
os._exit(os.waitstatus_to_exitcode(status))
"""


class Case(NamedTuple):
    """A command, what it reads in each round, and how its output is checked."""

    command: Sequence[str]
    stdin: Callable[[], bytes] = bytes
    check: Callable[[bytes], None] = lambda _: None


def environment(home: Path) -> dict[str, str]:
    """Return a cleared environment: some machines set variables that slow interpreters down."""
    return {"HOME": str(home), "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}


def interleaved(
    cases: Mapping[str, Case], rounds: int, env: Mapping[str, str]
) -> dict[str, list[float]]:
    """Return the seconds of each case in each round; every round runs all of them once.

    Absolute times differ from minute to minute, so only samples of one round are compared. One
    round before them fills the system's caches.
    """
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(rounds + 1):
        for name, case in cases.items():
            data = case.stdin()
            begun = time.perf_counter()
            done = subprocess.run(
                case.command, input=data, env=env, capture_output=True, check=True
            )
            spent = time.perf_counter() - begun
            case.check(done.stdout)
            if number:
                seconds[name].append(spent)
    return seconds


def peak_memory(command: Sequence[str], data: bytes, env: Mapping[str, str]) -> tuple[float, bytes]:
    """Return the peak memory of a command in MiB, and what it printed."""
    wrapped = [sys.executable, "-I", "-S", "-c", _MEASURED, *command]
    done = subprocess.run(wrapped, input=data, env=env, capture_output=True, check=True)
    return int(done.stderr.rpartition(b"PEAK ")[2]) / 1024, done.stdout
