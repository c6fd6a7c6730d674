"""Judgements by a digest of everything that they depend on: the same question is asked once.

Beside them, for as long as the settings say, what a judge was shown of the last turns.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from groundwire.base.digest import digest_parts
from groundwire.base.errors import FileError
from groundwire_judge.protocol import Question

#: File of the cache folder.
CACHE = "judgements.db"
_SCHEMA = "1"
_ONLY_LAST = """
    delete from questions
    where rowid not in (select rowid from questions order by rowid desc limit ?)
"""


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

    The file holds scores and replies of models, and only the questions that ``keep_question`` is
    given. A damaged file raises FileError.
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
                self._database.execute(
                    "create table if not exists questions (key text primary key, content text)"
                )
        except sqlite3.Error as error:
            self._database.close()
            raise FileError(f"{path}: no cache of judgements: {error}") from None

    def get(self, key: str) -> dict[str, Any] | None:
        """Return what is kept under ``key``; None when there is nothing. Raises FileError."""
        text = self._one("select fields from judgements where key = ?", key)
        try:
            fields = json.loads(text) if text else None
        except ValueError as error:
            raise FileError(f"{self._path}: no cache of judgements: {error}") from None
        return fields if isinstance(fields, dict) else None

    def put(self, key: str, fields: dict[str, Any]) -> None:
        """Keep ``fields`` under ``key``; raises FileError."""
        self._write(("insert or replace into judgements values (?, ?)", (key, json.dumps(fields))))

    def question(self, key: str) -> str:
        """Return what was asked under ``key``; "" when that is not kept. Raises FileError."""
        return self._one("select content from questions where key = ?", key)

    def keep_question(self, key: str, content: str, most: int) -> None:
        """Keep what is asked under ``key``, and only the last ``most``; raises FileError."""
        self._write(
            ("insert or replace into questions values (?, ?)", (key, content)),
            (_ONLY_LAST, (most,)),
        )

    def _one(self, query: str, key: str) -> str:
        try:
            with self._lock:
                row = self._database.execute(query, (key,)).fetchone()
        except sqlite3.Error as error:
            raise FileError(f"{self._path}: no cache of judgements: {error}") from None
        return row[0] if row and isinstance(row[0], str) else ""

    def _write(self, *statements: tuple[str, tuple[str | int, ...]]) -> None:
        try:
            with self._lock, self._database:
                for statement, values in statements:
                    self._database.execute(statement, values)
        except sqlite3.Error as error:
            raise FileError(f"{self._path}: no cache of judgements: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._database.close()
