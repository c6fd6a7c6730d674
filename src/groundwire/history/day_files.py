"""The day files of the history: ``confidences-YYYY-MM-DD.jsonl``, one for each day in UTC.

Times are seconds since the epoch; timestamps are UTC with a ``Z`` at the end.
"""

from __future__ import annotations

import os
import time

from groundwire.state.paths import home_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PREFIX, _SUFFIX = "confidences-", ".jsonl"
_DAY = 86_400
_SHAPE = "####-##-##T##:##:##"
_DIGITS = str.maketrans("0123456789", "#" * 10)


def history_folder(setting: str, env: Mapping[str, str]) -> str | None:
    """Return the folder that the setting names, with ``~`` as the home; None without a home."""
    if setting != "~" and not setting.startswith("~/"):
        return os.path.abspath(setting)
    home = home_folder(env)
    return os.path.join(home, setting[2:]) if home else None


def timestamp(seconds: float) -> str:
    """Return a moment as it stands in a row: ``2025-11-15T10:30:00Z``."""
    return f"{_moment(seconds)}Z"


def comparable(stamp: object) -> str:
    """Return a timestamp to the second, which sorts by time; "" for what is none in UTC."""
    if not isinstance(stamp, str) or stamp[:19].translate(_DIGITS) != _SHAPE:
        return ""
    zone = stamp[19:]
    if zone[:1] == ".":
        zone = zone[1:].lstrip("0123456789")
    return stamp[:19] if zone in ("Z", "+00:00") else ""


def moments(since: float, until: float) -> tuple[str, str]:
    """Return the two ends of a window as ``comparable`` timestamps."""
    return _moment(since), _moment(until)


def day_name(seconds: float) -> str:
    """Return the name of the file that a moment belongs to."""
    return f"{_PREFIX}{_moment(seconds)[:10]}{_SUFFIX}"


def files_between(names: list[str], since: float, until: float) -> list[str]:
    """Return those of ``names`` that are day files of a window, oldest first."""
    first, last = day_name(since), day_name(until)
    return sorted(name for name in names if first <= name <= last and day_of(name))


def day_of(name: str) -> str:
    """Return the date of a day file (YYYY-MM-DD); "" for any other file."""
    day = name[len(_PREFIX) : -len(_SUFFIX)]
    right = name == f"{_PREFIX}{day}{_SUFFIX}" and day.translate(_DIGITS) == _SHAPE[:10]
    return day if right and day.isascii() else ""


def expired(names: list[str], now: float, days: int) -> list[str]:
    """Return those of ``names`` that are day files and hold only rows older than ``days`` days."""
    oldest = day_of(day_name(now - days * _DAY))
    return sorted(name for name in names if "" < day_of(name) < oldest)


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
