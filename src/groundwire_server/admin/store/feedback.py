"""Votes of people, and the judge's answers that are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from groundwire.base.errors import ConflictError, FileError, StoreError
from groundwire_server.admin.store.database import Store, insert_new
from groundwire_server.admin.store.history import now, person
from groundwire_server.admin.store.log_rows import clean, cleaned
from groundwire_server.admin.store.tables import CachedAnswer, Feedback

#: The column of Feedback that names what a vote is about.
OF_DECISION, OF_JUDGEMENT = Feedback.decision_id, Feedback.judgement_id
NOTE_CHARACTERS = 2_000
Subject = InstrumentedAttribute[Any]


def keep_vote(
    session: Session, subject: Subject, key: object, vote: int, who: str, note: str
) -> None:
    """Keep, change or (with 0) take back a person's vote: right (1) or wrong (-1)?"""
    mine = select(Feedback).where(Feedback.who == person(who), subject == key)
    row = session.scalar(mine) or Feedback(**{subject.key: key})
    if not vote:
        if row.id is not None:
            session.delete(row)
        return
    row.at, row.who, row.vote, row.note = now(), person(who), vote, clean(note, NOTE_CHARACTERS)
    session.add(row)
    try:
        session.flush()
    except IntegrityError:
        raise ConflictError("feedback: the same vote is being kept already") from None


def votes(session: Session, subject: Subject, keys: Sequence[object], who: str) -> dict[Any, int]:
    """Return the votes of a person by decision or judgement."""
    query = select(subject, Feedback.vote).where(Feedback.who == person(who), subject.in_(keys))
    return {row[0]: row[1] for row in session.execute(query)}


class DatabaseCache:
    """The judge's answers in the database, for ``groundwire_judge``; raises FileError."""

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
