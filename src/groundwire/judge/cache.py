"""Judgements by a digest of everything that they depend on: the same question is asked once."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from groundwire.digest import digest_parts
from groundwire.errors import FileError
from groundwire.judge.protocol import Question

#: File of the cache folder.
CACHE = "judgements.db"
_SCHEMA = "1"


class JudgementCache(Protocol):
    """Keeps JSON-safe fields under a key of 32 hexadecimal characters; thread-safe."""

    def get(self, key: str) -> dict[str, Any] | None:
        """Return what is kept under ``key``; None when there is nothing."""
        ...

    def put(self, key: str, fields: dict[str, Any]) -> None:
        """Keep ``fields`` under ``key``."""
        ...


def cache_key(question: Question, address: str = "") -> str:
    """Return the digest of a question: model, sampling and every character that is sent.

    ``address`` tells servers apart that give the same name to different models.
    """
    settings = question.settings
    limits = f"{settings.temperature!r} {settings.max_tokens}"
    parts = (_SCHEMA, settings.provider, address, settings.model, limits)
    return digest_parts((*parts, question.system, question.content))


class SqliteCache:
    """Keeps judgements in one SQLite file, which several processes may share.

    The file holds scores and replies of models, no questions. A damaged file raises FileError.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file, readable by its owner only; raises FileError."""
        self._path = path
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600)
            self._database = sqlite3.connect(path, timeout=1.0, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise FileError(f"{path}: no cache of judgements: {error}") from None
        try:
            with self._database:
                self._database.execute(
                    "create table if not exists judgements (key text primary key, fields text)"
                )
        except sqlite3.Error as error:
            self._database.close()
            raise FileError(f"{path}: no cache of judgements: {error}") from None

    def get(self, key: str) -> dict[str, Any] | None:
        """Return what is kept under ``key``; None when there is nothing. Raises FileError."""
        query = "select fields from judgements where key = ?"
        try:
            with self._lock:
                row = self._database.execute(query, (key,)).fetchone()
            fields = json.loads(row[0]) if row else None
        except (sqlite3.Error, ValueError) as error:
            raise FileError(f"{self._path}: no cache of judgements: {error}") from None
        return fields if isinstance(fields, dict) else None

    def put(self, key: str, fields: dict[str, Any]) -> None:
        """Keep ``fields`` under ``key``; raises FileError."""
        statement = "insert or replace into judgements values (?, ?)"
        try:
            with self._lock, self._database:
                self._database.execute(statement, (key, json.dumps(fields)))
        except sqlite3.Error as error:
            raise FileError(f"{self._path}: no cache of judgements: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()
