"""The hook's decisions, as they were taken in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, func, or_, select
from sqlalchemy.orm import Session

from groundwire.base.errors import NotFoundError
from groundwire.base.model import PASS
from groundwire.base.record import Record
from groundwire.hook.second_look_state import NOTE, WAKE
from groundwire_server.admin.store.history import person
from groundwire_server.admin.store.log_rows import clean
from groundwire_server.admin.store.tables import DecisionMatch, DecisionRow, Feedback, LookRow

#: What holds of the turn of a second look.
_LOOKED_AT = (
    LookRow.session == DecisionRow.session,
    LookRow.message_id == DecisionRow.message_id,
    LookRow.message_id != "",
)


class Filter(Record):
    """Which decisions are meant; what is empty or None leaves everything in.

    ``flagged`` leaves out the turns that passed and that no second look woke or noted, ``unvoted``
    those that this person voted on.
    """

    decision: str = ""
    flagged: bool = False
    kind: str = ""
    agent_type: str | None = None  # "" is the main agent
    session: str = ""
    since: datetime | None = None
    until: datetime | None = None
    unvoted: str = ""


def page(session: Session, wanted: Filter, *, limit: int, below: str = "") -> list[DecisionRow]:
    """Return the newest decisions first; ``below`` is the id that the page before ended with."""
    # ids begin with the time, so their order is that of the decisions
    query = select(DecisionRow).where(*conditions(wanted))
    query = query.order_by(DecisionRow.id.desc()).limit(limit)
    if below:
        query = query.where(DecisionRow.id < below)
    return list(session.scalars(query))


def newer(session: Session, wanted: Filter, identity: str) -> DecisionRow | None:
    """Return the decision that stands before ``identity`` in the list, None for the first."""
    query = select(DecisionRow).where(*conditions(wanted), DecisionRow.id > identity)
    return session.scalars(query.order_by(DecisionRow.id).limit(1)).one_or_none()


def count(session: Session, wanted: Filter) -> int:
    """Return how many decisions are meant."""
    query = select(func.count()).select_from(DecisionRow).where(*conditions(wanted))
    return session.scalar(query) or 0


def decision_of(session: Session, identity: str) -> DecisionRow:
    """Return one decision; raises NotFoundError."""
    row = session.get(DecisionRow, identity)
    if row is None:
        raise NotFoundError(f"decision: {identity[:80]!r}: does not exist")
    return row


def looks_at(session: Session, rows: Sequence[DecisionRow]) -> dict[str, LookRow]:
    """Return the last second look at each of these turns, by the id of its decision."""
    query = select(DecisionRow.id, LookRow).join(LookRow, and_(*_LOOKED_AT)).order_by(LookRow.id)
    query = query.where(DecisionRow.id.in_([row.id for row in rows]))
    return {row[0]: row[1] for row in session.execute(query)}


def look_of(session: Session, identity: str) -> LookRow:
    """Return one second look; raises NotFoundError."""
    row = session.get(LookRow, identity)
    if row is None:
        raise NotFoundError(f"second look: {identity[:80]!r}: does not exist")
    return row


def conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    """Return what holds of the decisions that are meant."""
    clauses: list[ColumnElement[bool]] = []
    if wanted.decision:
        clauses.append(DecisionRow.decision == wanted.decision)
    if wanted.flagged:
        told = (*_LOOKED_AT, LookRow.act.in_((WAKE, NOTE)))
        clauses.append(or_(DecisionRow.decision != PASS, exists().where(*told)))
    if wanted.kind:
        of_kind = (DecisionMatch.decision_id == DecisionRow.id, DecisionMatch.kind == wanted.kind)
        clauses.append(exists().where(*of_kind))
    if wanted.agent_type is not None:
        clauses.append(DecisionRow.agent_type == clean(wanted.agent_type, 200))
    if wanted.session:
        clauses.append(DecisionRow.session == clean(wanted.session, 200))
    if wanted.unvoted:
        voted = (Feedback.decision_id == DecisionRow.id, Feedback.who == person(wanted.unvoted))
        clauses.append(~exists().where(*voted))
    if wanted.since is not None:
        clauses.append(DecisionRow.at >= wanted.since)
    if wanted.until is not None:
        clauses.append(DecisionRow.at < wanted.until)
    return clauses
