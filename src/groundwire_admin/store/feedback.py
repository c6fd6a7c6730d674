"""Thumbs up and down: one vote of each person for each judgement or decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from groundwire.errors import ConflictError
from groundwire_admin.store.history import now, person
from groundwire_admin.store.log_rows import clean
from groundwire_admin.store.tables import Feedback

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
