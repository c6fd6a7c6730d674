"""How often a judge is asked: limits a day, and one process at a time for one question.

All sessions of a user count together, in one small file of the state folder. After three failures
in a row nobody is asked for ten minutes. Each of this is told to the user once a day.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from groundwire.base import json_codec
from groundwire.base.paths import replace_file, take_lock
from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from groundwire.base.settings import Judge


_FILE = "judge.lock"
_STEP = 0.02
#: Hexadecimal digits of a key that give the byte of the file which stands for it.
_DIGITS = 7


@asynccontextmanager
async def alone(folder: str | None, key: str, deadline: float) -> AsyncIterator[None]:
    """Hold the lock of ``key`` in a block, or go on without it when it cannot be had.

    ``deadline``, by ``time.monotonic``, ends the wait for another process. Each key is one byte of
    one file, so nothing is left to be removed.
    """
    descriptor = _open_file(folder)
    try:
        if descriptor is not None:
            await _lock(descriptor, int(key[:_DIGITS], 16), deadline)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _open_file(folder: str | None) -> int | None:
    if folder is None:
        return None
    try:
        return os.open(os.path.join(folder, _FILE), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None


async def _lock(descriptor: int, at: int, deadline: float) -> None:
    try:
        import fcntl
    except ImportError:  # no POSIX: two copies ask twice
        return
    while time.monotonic() < deadline:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
        except (BlockingIOError, PermissionError):
            await asyncio.sleep(_STEP)
        except OSError:
            return
        else:
            return


FAILURES = 3
OFF_SECONDS = 600.0
_LIMITS_FILE, _LOCK = "judge.json", "judge.lock"
_LOCK_SECONDS = 0.5
_LARGEST = 10_000


class Usage(Record):
    """What the judge was asked on ``day``, and whether it is to be left alone until ``off_until``.

    ``failures`` are those in a row, ``told`` what the user was told on this day. ``month_cost`` is
    what the selective method spent in ``month``.
    """

    day: str = ""
    calls: int = 0
    cost: float = 0.0
    failures: int = 0
    off_until: float = 0.0
    told: tuple[str, ...] = ()
    month: str = ""
    month_cost: float = 0.0


class Gate(Record):
    """Whether a judge may be asked: ``refusal`` says why not, ``text`` is for the user."""

    refusal: str = ""
    text: str = ""


def take(folder: str | None, settings: Judge, now: float) -> Gate:
    """Count one request to the judge, if there may be one; ``now`` is in seconds of the epoch.

    Without a state folder nothing can be counted, so nobody is asked.
    """
    if not folder:
        return Gate("there is no state folder to count requests in")
    gates: list[Gate] = []

    def counted(usage: Usage) -> Usage:
        gate, usage = _gate(usage, settings, now)
        gates.append(gate)
        return usage if gate.refusal else usage.replace(calls=usage.calls + 1)

    try:
        _change(folder, now, counted)
    except OSError as error:
        return Gate(f"requests cannot be counted: {error.strerror or error}")
    return gates[0]


def settle(
    folder: str, now: float, *, problem: str = "", cached: bool = False, cost: float | None = None
) -> str:
    """Count what became of a request; return what the user is told, or "".

    ``problem`` says why there was no answer. A cached answer is not counted as a request.
    """
    messages: list[str] = []

    def settled(usage: Usage) -> Usage:
        usage = usage.replace(
            calls=usage.calls - (1 if cached and usage.calls else 0),
            cost=usage.cost + (cost or 0.0),
            failures=usage.failures + 1 if problem else 0,
        )
        if usage.failures < FAILURES:
            return usage
        usage = usage.replace(failures=0, off_until=now + OFF_SECONDS)
        text = f"the judge failed {FAILURES} times in a row and is left alone for 10 minutes: "
        return _with_message(usage, "breaker", text + problem, messages)

    try:
        _change(folder, now, settled)
    except OSError:
        return ""
    return "".join(messages)


def used_today(folder: str, now: float) -> tuple[int, float]:
    """Return the requests of today and their dollars; nothing where none can be read."""
    try:
        usage = _read(os.path.join(folder, _LIMITS_FILE))
    except OSError:
        return 0, 0.0
    is_today = usage.day == time.strftime("%Y-%m-%d", time.localtime(now))
    return (usage.calls, usage.cost) if is_today else (0, 0.0)


def spent_this_month(folder: str, now: float) -> float:
    """Return the dollars that ``spend`` counted in this month; raises OSError."""
    usage = _read(os.path.join(folder, _LIMITS_FILE))
    return usage.month_cost if usage.month == _month(now) else 0.0


def spend(folder: str, now: float, dollars: float) -> None:
    """Count dollars of this month; raises OSError."""

    def counted(usage: Usage) -> Usage:
        before = usage.month_cost if usage.month == _month(now) else 0.0
        return usage.replace(month=_month(now), month_cost=before + dollars)

    _change(folder, now, counted)


def _month(now: float) -> str:
    return time.strftime("%Y-%m", time.localtime(now))


def _gate(usage: Usage, settings: Judge, now: float) -> tuple[Gate, Usage]:
    if now < usage.off_until:
        return Gate(f"it failed {FAILURES} times in a row and is left alone"), usage
    for name, used, most in (
        ("calls_per_day", usage.calls, settings.calls_per_day),
        ("cost_per_day", usage.cost, settings.cost_per_day),
    ):
        if used >= most:
            messages: list[str] = []
            text = f"the judge is not asked any more today: [judge] {name} is {most:g}."
            usage = _with_message(usage, name, text, messages)
            return Gate(f"{name} is reached", "".join(messages)), usage
    return Gate(), usage


def _with_message(usage: Usage, name: str, text: str, told: list[str]) -> Usage:
    """Add ``text`` to ``told`` unless the user was told ``name`` on this day."""
    if name in usage.told:
        return usage
    told.append(text)
    return usage.replace(told=(*usage.told, name))


def _change(folder: str, now: float, change: Callable[[Usage], Usage]) -> None:
    """Replace the usage of today by what ``change`` makes of it; raises OSError."""
    os.makedirs(folder, 0o700, exist_ok=True)
    lock = os.open(os.path.join(folder, _LOCK), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        take_lock(lock, _LOCK_SECONDS)  # a count that another holds for so long goes on without it
        path = os.path.join(folder, _LIMITS_FILE)
        stored = _read(path)
        today = time.strftime("%Y-%m-%d", time.localtime(now))
        fresh = stored.replace(day=today, calls=0, cost=0.0, failures=0, told=())
        usage = stored if stored.day == today else fresh
        changed = change(usage)
        if changed != stored:
            fields = {name: getattr(changed, name) for name in Usage._fields}
            replace_file(path, json_codec.dumps(fields).encode())
    finally:
        os.close(lock)


def _read(path: str) -> Usage:
    """Return the usage in a file; a new one when it is missing or damaged. Raises OSError."""
    try:
        with open(path, "rb") as file:
            plain = json_codec.loads(file.read(_LARGEST))
    except (FileNotFoundError, ValueError):
        return Usage()
    try:
        return _usage(plain)
    except (KeyError, TypeError, ValueError):
        return Usage()


def _usage(plain: Mapping[str, Any]) -> Usage:
    return Usage(
        str(plain["day"]),
        int(plain["calls"]),
        float(plain["cost"]),
        int(plain["failures"]),
        float(plain["off_until"]),
        tuple(str(name) for name in plain["told"]),
        str(plain.get("month", "")),
        float(plain.get("month_cost", 0.0)),
    )
