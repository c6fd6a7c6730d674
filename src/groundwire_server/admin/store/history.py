"""Who changed what, and when; rows are only ever added."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from groundwire.base.errors import NotFoundError
from groundwire_server.admin.store.tables import Change

CONFIG, OPTION, PROMPT, HOOK = "config", "option", "prompt", "hook"
CREATE, SAVE, ACTIVATE, RESTORE = "create", "save", "activate", "restore"
_WHO_CHARACTERS = 100


def now() -> datetime:
    """Return this moment, UTC."""
    return datetime.now(UTC)


def person(who: str) -> str:
    """Return the name of who makes a change, as it is kept."""
    return who.strip()[:_WHO_CHARACTERS] or "unknown"


def add_change(  # noqa: PLR0913 - one argument per column
    session: Session,
    kind: str,
    target: str,
    action: str,
    *,
    who: str,
    version: int,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any],
    restored: int | None = None,
) -> Change:
    """Add one row; ``restored`` is the change whose document was put back."""
    change = Change(
        at=now(),
        who=person(who),
        action=action,
        kind=kind,
        target=target,
        version=version,
        restored=restored,
        before=None if before is None else dict(before),
        after=dict(after),
    )
    session.add(change)
    session.flush()
    return change


def changes(
    session: Session, kind: str = "", target: str = "", *, limit: int = 50, below: int | None = None
) -> list[Change]:
    """Return the newest changes first; ``below`` is the id that the page before ended with."""
    query = select(Change).order_by(Change.id.desc()).limit(limit)
    if kind:
        query = query.where(Change.kind == kind)
    if target:
        query = query.where(Change.target == target)
    if below is not None:
        query = query.where(Change.id < below)
    return list(session.scalars(query))


def change_of(session: Session, number: int, kind: str) -> Change:
    """Return one change; raises NotFoundError for another kind too."""
    change = session.get(Change, number)
    if change is None or change.kind != kind:
        raise NotFoundError(f"history: {number}: no change of a {kind} has this number")
    return change
