"""Many transcripts, in this process or over several; the results come in the order of the files."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from groundwire.errors import TranscriptError
from groundwire.replay.job import Replayed, Wanted, replay_one
from groundwire.replay.run import Look
from groundwire.service.collector import collect_rarely
from groundwire.service.runtime import Runtime, load_runtime

#: Less than so many bytes are read by one process before others would have started.
SMALL = 64 << 20
#: Transcripts that are at work or done ahead of the one whose turn it is, for each process.
_AHEAD = 4


def choose_jobs(wanted: int, files: Sequence[Path]) -> int:
    """Return the number of processes: ``wanted``, or for 0 as many as are of use."""
    if wanted:
        return min(wanted, len(files))
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(usable or 1, len(files)) if sum(map(size_of, files)) > SMALL else 1


def size_of(path: Path) -> int:
    """Return the size of a file in bytes, 0 when that cannot be told."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def replay_all(
    files: Sequence[Path],
    runtime: Runtime,
    flags: Mapping[str, Any],
    wanted: Wanted,
    jobs: int,
    look: Look | None = None,
) -> Iterator[Replayed]:
    """Yield what each of ``files`` gives, in their order, holding a few of them at a time.

    A ``look`` is made in this process. The other processes load the settings by ``flags``, as
    ``runtime`` was. Raises TranscriptError when a process dies.
    """
    if jobs > 1 and look is None:
        yield from _in_processes(files, flags, wanted, jobs)
        return
    collect_rarely()
    for path in files:
        yield replay_one(path, runtime, wanted, look)


def _in_processes(
    files: Sequence[Path], flags: Mapping[str, Any], wanted: Wanted, jobs: int
) -> Iterator[Replayed]:
    # "spawn": a fork would copy the thread that draws the progress bar in an unknown state
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _start_process, (dict(flags), wanted))
    waiting: deque[tuple[Path, Future[Replayed]]] = deque()
    try:
        for path in files:
            waiting.append((path, pool.submit(_replay_in_process, path)))
            if len(waiting) >= jobs * _AHEAD:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())
    finally:
        pool.shutdown(cancel_futures=True)


def _result(path: Path, future: Future[Replayed]) -> Replayed:
    try:
        return future.result()
    except BrokenProcessPool:
        raise TranscriptError(f"{path}: a process ended at or near this transcript") from None


class _Process:
    """What one of several processes needs for every transcript."""

    runtime: Runtime
    wanted: Wanted


def _start_process(flags: dict[str, Any], wanted: Wanted) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others
    _Process.runtime = load_runtime(flags)
    _Process.wanted = wanted
    collect_rarely()


def _replay_in_process(path: Path) -> Replayed:
    return replay_one(path, _Process.runtime, _Process.wanted)
