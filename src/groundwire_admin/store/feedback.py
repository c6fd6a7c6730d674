"""Thumbs up and down: one vote of each person for each judgement or decision."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from groundwire.errors import ConflictError
from groundwire.model import PASS
from groundwire_admin.store.history import now, person
from groundwire_admin.store.tables import DecisionMatch, DecisionRow, Feedback, Judgement

UP, DOWN, NONE = 1, -1, 0


def vote_on_decision(session: Session, row: DecisionRow, vote: int, who: str, note: str) -> None:
    """Keep, change or (with ``NONE``) take back a vote: was the hook right?"""
    mine = select(Feedback).where(Feedback.who == person(who), Feedback.decision_id == row.id)
    _vote(session, session.scalar(mine), Feedback(decision_id=row.id), vote, who, note)


def vote_on_judgement(session: Session, row: Judgement, vote: int, who: str, note: str) -> None:
    """Keep, change or (with ``NONE``) take back a vote: was the answer right?"""
    mine = select(Feedback).where(Feedback.who == person(who), Feedback.judgement_id == row.id)
    _vote(session, session.scalar(mine), Feedback(judgement_id=row.id), vote, who, note)


def _vote(
    session: Session, old: Feedback | None, fresh: Feedback, vote: int, who: str, note: str
) -> None:
    if vote == NONE:
        if old is not None:
            session.delete(old)
        return
    row = old or fresh
    row.at, row.who, row.vote, row.note = now(), person(who), vote, note
    session.add(row)
    try:
        session.flush()
    except IntegrityError:
        raise ConflictError("feedback: the same vote is being kept already") from None


def votes_on_decisions(session: Session, identities: Iterable[str], who: str) -> dict[str, int]:
    """Return the votes of a person by decision."""
    query = select(Feedback.decision_id, Feedback.vote).where(
        Feedback.who == person(who), Feedback.decision_id.in_(list(identities))
    )
    return {str(identity): vote for identity, vote in session.execute(query)}


def votes_on_judgements(session: Session, numbers: Iterable[int], who: str) -> dict[int, int]:
    """Return the votes of a person by judgement."""
    query = select(Feedback.judgement_id, Feedback.vote).where(
        Feedback.who == person(who), Feedback.judgement_id.in_(list(numbers))
    )
    return {int(number): vote for number, vote in session.execute(query) if number is not None}


def judged(session: Session) -> list[tuple[float, int]]:
    """Return score and vote of every vote on a judgement."""
    query = select(Judgement.score, Feedback.vote).join(
        Feedback, Feedback.judgement_id == Judgement.id
    )
    return [(score, vote) for score, vote in session.execute(query)]


def decided(session: Session) -> list[tuple[int, int]]:
    """Return the largest confidence and the vote of every vote on what was found.

    A decision that let the turn pass is left out: a vote for it says that there was nothing.
    """
    largest = (
        select(DecisionMatch.decision_id, func.max(DecisionMatch.confidence).label("confidence"))
        .group_by(DecisionMatch.decision_id)
        .subquery()
    )
    query = (
        select(largest.c.confidence, Feedback.vote)
        .join(Feedback, Feedback.decision_id == largest.c.decision_id)
        .join(DecisionRow, DecisionRow.id == largest.c.decision_id)
        .where(DecisionRow.decision != PASS)
    )
    return [(confidence, vote) for confidence, vote in session.execute(query)]
