"""The memory of one session on disk: loop state, earlier turns, and what bounds its stops.

Every stop takes one of the few places of its prompt, an empty file. The prompts share 256 folders,
since each stop looks through the one that it uses.

A missing, torn or foreign file is a fresh memory. Nothing here raises: a state folder that cannot
be used costs the memory, never the turn.
"""

from __future__ import annotations

import os
from stat import S_ISLNK

from groundwire.base import json_codec
from groundwire.base.digest import digest
from groundwire.base.paths import replace_file, take_lock
from groundwire.language.safe import all_hidden
from groundwire.turn.session import Digest, PastRun
from groundwire.verdict.decision import Memory
from groundwire.verdict.related import DEEDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_RUN_TEXTS = ("signature", "kind", "tool", "command", "status", "line", "narrow")


def to_plain(digest: Digest) -> dict[str, Any]:
    """Return ``digest`` as data for JSON, without secrets."""
    plain = {name: getattr(digest, name) for name in Digest._fields}
    runs = [{name: getattr(run, name) for name in PastRun._fields} for run in digest.runs]
    hidden: dict[str, Any] = all_hidden({**plain, "runs": runs})
    return hidden


def from_plain(plain: Any) -> Digest | None:
    """Build a digest from decoded JSON; None when it has another shape: then nothing is known."""
    try:
        return Digest(
            runs=tuple(map(_run, plain["runs"])),
            edited=_texts(plain["edited"]),
            paths=_texts(plain["paths"]),
            commits=_texts(plain["commits"]),
            figures=_texts(plain["figures"]),
            whole=plain["whole"] is True,
            used=plain["used"] is True,
            deeds=_texts(plain.get("deeds", DEEDS)),
        )
    except (TypeError, KeyError, ValueError):
        return None


def _run(plain: dict[str, Any]) -> PastRun:
    texts = {name: str(plain[name]) for name in _RUN_TEXTS}
    passed, total = (_count(plain[name]) for name in ("passed", "total"))
    return PastRun(**texts, passed=passed, total=total, edited=_texts(plain["edited"]))


def _count(value: Any) -> int | None:
    return None if value is None else int(value)


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(str(value) for value in values)


_PLACE_SECONDS = 3600


def takes_place(folder: str, name: str, most: int, now: float) -> bool | None:
    """Take one of ``most`` places for a stop; False when all are taken, None without a ``folder``.

    ``name`` is what the stops are counted by. A place is free again after an hour. Two processes
    never get the same one.
    """
    mark = digest(name.encode("utf-8", "replace"))
    places = os.path.join(folder, mark[:2])
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        status = os.lstat(folder)
        if S_ISLNK(status.st_mode) or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
            return None  # somebody else made it
        os.makedirs(places, 0o700, exist_ok=True)
        forget(places, "stop-", _PLACE_SECONDS, now)
        for number in range(most):
            try:
                path = f"{places}/stop-{mark}-{number}"
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            except FileExistsError:
                continue
            return True
    except (OSError, ValueError):
        return None
    return False


def forget(folder: str, prefix: str, seconds: float, now: float) -> None:
    """Remove the files of a folder that are older than this, but no locks. Raises OSError."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(prefix) or entry.name[0] == ".":
                continue
            try:
                if now - entry.stat().st_mtime > seconds:
                    os.unlink(entry)
            except FileNotFoundError:  # another process was faster
                continue


UNKNOWN = "unknown"


def project_of(transcript: str) -> str:
    """Return the project that a transcript belongs to, as its folder is called.

    Claude Code keeps transcripts in ``projects/<project>/``; elsewhere it is the file's folder.
    """
    parts = transcript.replace("\\", "/").split("/")
    if "projects" in parts[:-2]:
        return parts[parts.index("projects") + 1] or UNKNOWN
    return parts[-2] if len(parts) > 1 and parts[-2] else UNKNOWN


_FORMAT = 1
_LOCK_SECONDS = 3.0  # a holder needs milliseconds
_LARGEST_FILE = 1 << 20


class SessionState:
    """Exclusive access to the memory of one session, from ``open`` to ``close``.

    The lock makes two registered copies of the hook take turns, so that the second one sees what
    the first has sent back; whoever does not get it saves nothing. It is held for a decision, never
    for a wait. A few sessions share one of sixteen locks, which are never removed. ``name`` is that
    of the session's file, where its id is not known.
    """

    def __init__(self, folder: str | None, session_id: str, name: str = "") -> None:
        self.problem = ""
        self.memory = Memory()
        self._lock: int | None = None
        self._path = ""
        if folder is None:
            self.problem = "no home folder, so no session state"
            return
        self._path = _memory_path(folder, session_id, name)
        sessions, name = os.path.split(self._path)
        try:
            os.makedirs(sessions, 0o700, exist_ok=True)
            lock = os.path.join(sessions, f".lock-{name[0]}")
            self._lock = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            if not take_lock(self._lock, _LOCK_SECONDS):
                raise OSError("another process holds its lock")
            self.memory = _read(self._path)
        except (OSError, ValueError) as error:  # ValueError: a name that no system takes
            self.problem = f"session state: {error}"

    def save(self, memory: Memory) -> None:
        """Replace the file by ``memory``; a failure is kept in ``problem``."""
        if memory == self.memory or self.problem:
            return
        try:
            data = json_codec.dumps(_plain_memory(memory)).encode()
            if len(data) > _LARGEST_FILE:
                raise OSError(f"{len(data)} bytes; allowed: {_LARGEST_FILE}")
            replace_file(self._path, data)
            self.memory = memory
        except OSError as error:
            self.problem = f"session state: {error}"

    def close(self) -> None:
        """Give the lock back."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def read_memory(folder: str, session_id: str) -> Memory:
    """Return the memory of a session as it is now, without waiting for its lock; never raises."""
    try:
        return _read(_memory_path(folder, session_id))
    except (OSError, ValueError):
        return Memory()


def _memory_path(folder: str, session_id: str, name: str = "") -> str:
    name = name or f"{digest(session_id.encode('utf-8', 'surrogatepass'))}.json"
    return os.path.join(folder, "sessions", name)


def _read(path: str) -> Memory:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return Memory()
    with open(descriptor, "rb") as file:
        data = file.read(_LARGEST_FILE)
    try:
        return _restored_memory(json_codec.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError):
        return Memory()


def _plain_memory(memory: Memory) -> dict[str, Any]:
    fields = {name: getattr(memory, name) for name in Memory._fields}
    if memory.digest is not None:
        fields["digest"] = to_plain(memory.digest)
    return {"format": _FORMAT, **fields}


def _restored_memory(plain: dict[str, Any]) -> Memory:
    """Build a memory from decoded JSON; raises when it has another shape."""
    if plain["format"] != _FORMAT:
        return Memory()
    key = plain["settings_key"]
    models = plain.get("models")
    return Memory(
        tuple(str(mark) for mark in plain["sent"]),
        tuple((str(prompt), int(count)) for prompt, count in plain["blocks"]),
        tuple(
            (str(prompt), int(calls), tuple(str(word) for word in words))
            for prompt, calls, words in plain["claims"]
        ),
        key if isinstance(key, str) else None,
        tuple(str(name) for name in plain["told"]),
        tuple((str(name), str(value)) for name, value in plain.get("environment", ())),
        _past_digest(plain.get("digest")),
        models if isinstance(models, dict) else None,
        str(plain.get("mode", "")),
    )


def _past_digest(plain: Any) -> Digest | None:
    if plain is None:
        return None

    return from_plain(plain)
