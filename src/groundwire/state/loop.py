"""The memory of one session on disk: one small JSON file, replaced atomically, under a lock.

A missing, torn or foreign file is a fresh memory. Nothing here raises: a state folder that cannot
be used costs the memory, never the turn.
"""

from __future__ import annotations

import os

from groundwire import json_codec
from groundwire.decision import Memory
from groundwire.digest import digest
from groundwire.state.paths import replace_file, take_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from groundwire.evidence.session import Digest

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
        from groundwire.state.past import to_plain

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
    from groundwire.state.past import from_plain  # a session's first turns have none

    return from_plain(plain)
