"""Calculated confidences, the judge's kept answers, and the A/B groups of sessions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from groundwire.errors import FileError, NotFoundError, StoreError
from groundwire_admin.store.database import Store, insert_new
from groundwire_admin.store.history import now
from groundwire_admin.store.log_rows import clean
from groundwire_admin.store.tables import Assignment, CachedAnswer, Feedback, Judgement

CHAT, SAMPLE = "chat", "sample"
_SESSION_CHARACTERS = 200


def session_name(session_id: str) -> str:
    """Return the name of a session as it is kept."""
    return clean(session_id, _SESSION_CHARACTERS)


def add(db: Session, **fields: Any) -> Judgement:
    """Keep one calculated confidence."""
    row = Judgement(at=now(), **fields)
    db.add(row)
    db.flush()
    return row


def judgement_of(session: Session, number: int) -> Judgement:
    """Return one judgement; raises NotFoundError."""
    row = session.get(Judgement, number)
    if row is None:
        raise NotFoundError(f"judgement: {number}: does not exist")
    return row


def page(
    session: Session, *, limit: int, below: int | None = None, purpose: str = ""
) -> list[Judgement]:
    """Return the newest judgements first."""
    query = select(Judgement).order_by(Judgement.id.desc()).limit(limit)
    if below is not None:
        query = query.where(Judgement.id < below)
    if purpose:
        query = query.where(Judgement.purpose == purpose)
    return list(session.scalars(query))


def assign(session: Session, session_id: str, group: str, bucket: int) -> Assignment:
    """Return the group of a session; the first one that it was put in stays."""
    name = session_name(session_id)
    fresh = {"session": name, "group": group, "bucket": bucket, "at": now()}
    session.execute(insert_new(session, Assignment), fresh)
    return session.get_one(Assignment, name)


def group_sizes(session: Session) -> dict[str, int]:
    """Return the number of sessions of each group."""
    query = select(Assignment.group, func.count()).group_by(Assignment.group)
    return {group: int(count) for group, count in session.execute(query)}


class Judged(NamedTuple):
    """What the A/B report needs of one judgement."""

    score: float
    fell_back: bool
    cost: float | None
    tokens: int
    milliseconds: float
    cached: bool
    up: int
    down: int


def of_group(
    session: Session, group: str, since: datetime | None, until: datetime
) -> Sequence[Judged]:
    """Return the chat judgements of the sessions of a group, from ``since`` until ``until``.

    They are those that the group's method was asked for: what was scored before the test began,
    or while it was off, does not count.
    """
    tokens = func.coalesce(Judgement.input_tokens, 0) + func.coalesce(Judgement.output_tokens, 0)
    ups = func.count(Feedback.id).filter(Feedback.vote > 0)
    downs = func.count(Feedback.id).filter(Feedback.vote < 0)
    # an answer of the formula, or one without the judge, in place of what was asked for
    alone = (Judgement.requested_method != "formula") & Judgement.llm_score.is_(None)
    columns = (Judgement.score, alone, Judgement.cost, tokens)
    rest = (Judgement.milliseconds, Judgement.cached, ups, downs)
    query = (
        select(*columns, *rest)
        .join(Assignment, Assignment.session == Judgement.session)
        .outerjoin(Feedback, Feedback.judgement_id == Judgement.id)
        .where(Assignment.group == group, Judgement.requested_method == group)
        .where(Judgement.purpose == CHAT, Judgement.at >= Assignment.at, Judgement.at < until)
        .group_by(Judgement.id)
    )
    if since is not None:
        query = query.where(Judgement.at >= since)
    return [Judged(*row) for row in session.execute(query)]


def spent(session: Session) -> list[dict[str, Any]]:
    """Return method, provider and model with the number of judgements, tokens and dollars."""
    columns = (Judgement.method, Judgement.provider, Judgement.model)
    sums = (
        func.count().label("judgements"),
        func.coalesce(func.sum(Judgement.input_tokens), 0).label("input_tokens"),
        func.coalesce(func.sum(Judgement.output_tokens), 0).label("output_tokens"),
        func.sum(Judgement.cost).label("cost"),
    )
    query = select(*columns, *sums).group_by(*columns).order_by(*columns)
    return [dict(row) for row in session.execute(query).mappings()]


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
        fresh = {"content_hash": key, "at": now(), "answer": _cleaned(fields)}
        try:
            with self._store.write() as session:
                session.execute(insert_new(session, CachedAnswer), fresh)
        except StoreError as error:
            raise FileError(str(error)) from None


def _cleaned(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields with texts as a database takes them."""
    return {
        name: clean(value, len(value)) if isinstance(value, str) else value
        for name, value in fields.items()
    }
