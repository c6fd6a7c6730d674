"""Whether the hook fires, and how it fares: the decision log and the folders it writes to."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire.base.paths import cache_folder, state_folder
from groundwire.base.settings import Log
from groundwire.commands.checks.finding import NOTE, WARNING, Finding, Surroundings, found
from groundwire.hook.log import CURRENT, LOCK
from groundwire.hook.log_lines import read_log
from groundwire.report.prose import counted, one_line
from groundwire.runs.stats import text_of

_DAYS = 7
_SLOW_MILLISECONDS = 1_000.0
_SHARES = (50, 95, 99)
#: Seconds by which the work of Claude Code may be ahead of the log: a turn that goes on.
_AHEAD = 6 * 3_600
#: Event of what the log says of the server, which is no turn.
_SERVER = "server"
_RESTART = "restart Claude Code, and look at /hooks there"


class Activity:
    """What the decision log says of the last days."""

    def __init__(self, place: Surroundings) -> None:
        """Read the log once; what cannot be read is in ``problems``."""
        folder = state_folder(place.env)
        since = _stamp(place.now - _DAYS * 86_400)
        log = read_log(folder) if folder else None
        self.last: Mapping[str, Any] | None = None
        self.recent: list[Mapping[str, Any]] = []
        for record in log or ():
            if record.get("decision"):
                self.last = record
                if text_of(record, "time") >= since:
                    self.recent.append(record)
        self.skipped = log.skipped if log else 0
        self.problems = list(log.problems) if log else []


def activity_findings(
    place: Surroundings, activity: Activity, *, is_registered: bool
) -> Iterator[Finding]:
    """Yield when the hook fired last, its errors, and how long it took."""
    last = activity.last
    if last is None:
        yield found("log.empty", *((WARNING, _RESTART) if is_registered else (NOTE, "")))
    else:
        yield found(
            "log.last",
            event=text_of(last, "event") or "event",
            time=text_of(last, "time"),
            decision=last["decision"],
            turns=counted(len(activity.recent), "turn"),
            days=_DAYS,
        )
        yield from _silence_findings(place, last, is_registered=is_registered)
        yield from _error_findings(activity.recent)
        yield from _latency_findings(activity.recent)
    if activity.skipped:
        yield found("log.unreadable", count=activity.skipped)
    for problem in activity.problems:
        yield found("log.problem", problem=one_line(problem))


def _silence_findings(
    place: Surroundings, last: Mapping[str, Any], *, is_registered: bool
) -> Iterator[Finding]:
    """Yield whether Claude Code has worked while the hook was silent."""
    newest = newest_transcript(place.env)
    if newest is None or not is_registered:
        return
    if _stamp(newest - _AHEAD) > text_of(last, "time"):
        yield found("log.silent", time=_stamp(newest))


def newest_transcript(env: Mapping[str, str]) -> float | None:
    """Return when the newest transcript of Claude Code was changed; None without any."""
    home = env.get("HOME") or env.get("USERPROFILE")
    base = env.get("CLAUDE_CONFIG_DIR") or (home and os.path.join(home, ".claude"))
    if not base:
        return None
    times: list[float] = []
    for path in Path(base, "projects").glob("*/*.jsonl"):
        try:
            times.append(path.stat().st_mtime)
        except OSError:
            continue
    return max(times, default=None)


def _error_findings(lines: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Yield whether turns ended unchecked; what still stands in the way, other areas tell."""
    records = [one for one in lines if one.get("event") != _SERVER]
    failed = [one for one in records if one.get("error")]
    if not failed:
        yield found("log.no-errors" if records else "log.no-turns", days=_DAYS)
        return
    since = counted(len(records) - 1 - records.index(failed[-1]), "turn")
    yield found(
        "log.errors" if failed[-1] is records[-1] else "log.past-errors",
        failed=counted(len(failed), "turn"),
        all=len(records),
        last=one_line(text_of(failed[-1], "error"), 200),
        since=since,
    )


def _latency_findings(records: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    times = sorted(
        float(value)
        for one in records
        if isinstance(value := one.get("milliseconds"), int | float) and value > 0
    )
    if not times:
        return
    shares = {share: times[min(len(times) - 1, share * len(times) // 100)] for share in _SHARES}
    text = ", ".join(f"{share} % within {value:g} ms" for share, value in shares.items())
    yield found("log.slow" if shares[95] > _SLOW_MILLISECONDS else "log.quick", shares=text)


def folder_findings(place: Surroundings, log: Log) -> Iterator[Finding]:
    """Yield whether log, session state and cache can be written, without writing."""
    if not log.enabled:
        yield found("log.off")
    folders = (("state", state_folder(place.env)), ("cache", cache_folder(place.env)))
    for name, folder in folders:
        if folder is None:
            yield found("log.no-folder", name=name)
            continue
        problem, variable = unwritable(Path(folder)), f"GROUNDWIRE_{name.upper()}_DIR"
        row = "log.unwritable" if problem else "log.writable"
        yield found(row, name=name, folder=folder, problem=problem, variable=variable)
    state = folders[0][1]
    for name in (CURRENT, LOCK) if state else ():
        path = Path(str(state), name)
        if path.is_symlink() or (path.exists() and not path.is_file()):
            yield found("log.no-file", path=path)
        elif path.exists() and not os.access(path, os.W_OK):
            yield found("log.read-only", path=path)


def unwritable(folder: Path) -> str:
    """Return why files cannot be made in a folder, "" when they can; nothing is written."""
    for path in (folder, *folder.parents):
        if path.is_dir():
            able = os.access(path, os.W_OK | os.X_OK)
            return "" if able else f"{path} cannot be written"
        if os.path.lexists(path):
            return f"{path} is no folder"
    return f"{folder} cannot be made"


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(max(0.0, seconds), UTC).isoformat(timespec="seconds")[:19] + "Z"
