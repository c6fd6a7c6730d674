"""The judge's answers, kept in the database so that an equal question costs nothing."""

from __future__ import annotations

from typing import Any

from groundwire.errors import FileError, StoreError
from groundwire_admin.store.database import Store, insert_new
from groundwire_admin.store.history import now
from groundwire_admin.store.log_rows import cleaned
from groundwire_admin.store.tables import CachedAnswer


class DatabaseCache:
    """The judge's answers in the database, for ``groundwire.judge``; raises FileError."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> dict[str, Any] | None:
        """Return what is kept under ``key``; None when there is nothing."""
        try:
            with self._store.read() as session:
                row = session.get(CachedAnswer, key)
                return dict(row.answer) if row else None
        except StoreError as error:
            raise FileError(str(error)) from None

    def put(self, key: str, fields: dict[str, Any]) -> None:
        """Keep ``fields`` under ``key``; what is there already stays."""
        fresh = {"content_hash": key, "at": now(), "answer": cleaned(fields)}
        try:
            with self._store.write() as session:
                session.execute(insert_new(session, CachedAnswer), fresh)
        except StoreError as error:
            raise FileError(str(error)) from None
