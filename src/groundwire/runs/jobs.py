"""Replays of many transcripts, in this process or over several, as plain values."""

from __future__ import annotations

import ntpath
import os
import signal
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.base.errors import NoTranscriptError, TranscriptError
from groundwire.base.model import BLOCK
from groundwire.base.process import collect_rarely
from groundwire.hook.memory import project_of
from groundwire.hook.second_look_state import NOTE, WAKE
from groundwire.report.prose import quote
from groundwire.report.reason import statements_of
from groundwire.runs.digest import why_text
from groundwire.runs.replay import (
    Blocked,
    Look,
    Outcome,
    Statement,
    Tally,
    replay_transcript,
    without_known,
)
from groundwire.runs.replay_report import LINES
from groundwire.settings.runtime import Runtime, load_runtime

_LONGEST_QUOTE = 200


class Wanted(NamedTuple):
    """What is asked of every transcript: turns from ``since`` on; lines, or so many examples.

    ``form`` is what the lines are written in, "" without any. ``named`` are files that must be
    transcripts; others that hold no session are passed over. ``known`` are the fingerprints of
    findings that do not count.
    """

    since: str = ""
    form: str = ""
    examples: int = 0
    named: frozenset[Path] = frozenset()
    known: frozenset[str] = frozenset()


class Replayed(NamedTuple):
    """The replay of one transcript; ``error`` says why it ended early, "" when it did not."""

    tally: Tally
    lines: list[str]
    blocked: list[Blocked]
    error: str = ""
    looked: Sequence[Blocked] = ()


def replay_one(path: Path, runtime: Runtime, wanted: Wanted, look: Look | None = None) -> Replayed:
    """Replay one transcript; one that cannot be read is an ``error``, and counted."""
    tally = Tally(sessions=1)
    lines: list[str] = []
    blocked: list[Blocked] = []
    looked: list[Blocked] = []
    try:
        thresholds = runtime.settings.thresholds
        for one in replay_transcript(path, runtime, wanted.since, look):
            outcome = without_known(one, wanted.known, thresholds) if wanted.known else one
            tally.add(outcome)
            if wanted.form:
                lines += LINES[wanted.form](outcome)
            elif outcome.decision.action == BLOCK and len(blocked) < wanted.examples:
                blocked.append(_blocked_turn(outcome))
            if outcome.look.get("act") in (WAKE, NOTE):
                looked.append(_looked_turn(outcome))
    except TranscriptError as error:
        if isinstance(error, NoTranscriptError) and path not in wanted.named:
            tally.sessions = 0
            return Replayed(tally, lines, blocked)
        tally.unreadable = 1
        return Replayed(tally, lines, blocked, str(error), looked)
    return Replayed(tally, lines, blocked, "", looked)


def _last_name(folder: str) -> str:
    r"""Return the last name of a path, also of one of another system such as ``D:\shop``."""
    basename = ntpath.basename if folder[1:2] == ":" else os.path.basename
    return basename(folder.rstrip("/\\"))


def _looked_turn(outcome: Outcome) -> Blocked:
    turn = outcome.turn
    statements = tuple(
        Statement(
            quote(turn.message[one["offset"] : one["offset"] + one["length"]], _LONGEST_QUOTE),
            one["probability"],
            one["kind"],
            why_text(one["why"], one["missing"], one["call"]),
        )
        for one in outcome.look["statements"]
        if one["act"] in (WAKE, NOTE)
    )
    return _turn(outcome, statements, outcome.look["act"])


def _blocked_turn(outcome: Outcome) -> Blocked:
    turn = outcome.turn
    statements = tuple(
        Statement(quote, match.confidence, match.marker.id, why)
        for match, quote, why in statements_of(turn.message, outcome.decision)
    )
    return _turn(outcome, statements)


def _turn(outcome: Outcome, statements: tuple[Statement, ...], act: str = "") -> Blocked:
    turn = outcome.turn
    return Blocked(
        str(outcome.path),
        _last_name(turn.cwd) or project_of(str(outcome.path)),
        turn.session_id or outcome.path.stem,
        outcome.number,
        turn.timestamp,
        turn.prompt,
        statements,
        act,
    )


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
