"""Which transcripts a replay reads: files, folders and globs."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from groundwire.errors import TranscriptError

_HEAD, _SPAWNED = 2**16, b'"thread_source":"subagent"'
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def find_transcripts(paths: Iterable[str]) -> list[Path]:
    """Return all transcripts below ``paths``, each once, in a stable order.

    A folder stands for all ``*.jsonl`` below it. Raises TranscriptError for a path that matches
    nothing.
    """
    transcripts: dict[Path, None] = {}
    for path in paths:
        files = list(_expand(path))
        if not files:
            raise TranscriptError(f"{path}: no transcript there; expected *.jsonl files")
        transcripts.update(dict.fromkeys(files))
    return list(transcripts)


def _expand(path: str) -> Iterator[Path]:
    path = os.path.expanduser(path)
    matches = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
    for match in matches:
        if os.path.isdir(match):
            # what is no file either, such as a dead link, is named when it is read
            yield from sorted(file for file in Path(match).rglob("*.jsonl") if not file.is_dir())
        else:
            yield Path(match)


def is_agent_transcript(path: Path) -> bool:
    """Tell whether a transcript is a sub-agent's own, by its place, or by its head in Codex.

    Gemini CLI puts it in a folder beside the session of its caller: ``chats/SESSION/ID.jsonl``.
    """
    folder = "subagents" in path.parts or path.parent.parent.name == "chats"
    if folder or path.name.startswith("agent-") or not path.is_file():
        return folder or path.name.startswith("agent-")
    try:
        with path.open("rb") as file:
            return _SPAWNED in file.read(_HEAD).partition(b"\n")[0].replace(b": ", b":")
    except OSError:
        return False


def parse_since(text: str, now: datetime) -> str:
    """Return the ISO timestamp from which turns count.

    ``text`` is a date (2026-11-01), a timestamp, or an age: 90m, 12h, 7d, 2w. A time without a
    zone is UTC, as in transcripts. Raises TranscriptError for anything else.
    """
    try:
        moment = _moment(text, now)
    except (ValueError, OverflowError):
        raise TranscriptError(
            f"--since: {text!r}: allowed: a date such as 2026-11-01, or an age such as 7d"
        ) from None
    return moment.isoformat(timespec="seconds").removesuffix("+00:00")


def _moment(text: str, now: datetime) -> datetime:
    number, unit = text[:-1], text[-1:]
    if number.isdecimal() and unit in _UNITS:
        return now - timedelta(**{_UNITS[unit]: int(number)})
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
