"""Versions of prompts: their text never changes, and one of them is active."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from groundwire.errors import ConflictError, NotFoundError
from groundwire_admin.store.history import ACTIVATE, CREATE, PROMPT, add_change, now, person
from groundwire_admin.store.tables import Prompt


def versions(session: Session, name: str) -> list[Prompt]:
    """Return all versions of a prompt, the newest first."""
    query = select(Prompt).where(Prompt.name == name).order_by(Prompt.version.desc())
    return list(session.scalars(query))


def active(session: Session, name: str) -> Prompt:
    """Return the version in use; raises NotFoundError when none is."""
    query = select(Prompt).where(Prompt.name == name, Prompt.active)
    row = session.scalars(query).one_or_none()
    if row is None:
        raise NotFoundError(f"prompt: {name}: no version is active")
    return row


def prompt_of(session: Session, number: int, name: str = "") -> Prompt:
    """Return one version by its id; raises NotFoundError, also for another prompt's."""
    row = session.get(Prompt, number)
    if row is None or (name and row.name != name):
        raise NotFoundError(f"prompt: {number}: no version{f' of {name}' if name else ''} has it")
    return row


def create(
    session: Session,
    name: str,
    content: str,
    *,
    prompt_type: str,
    notes: str,
    tags: Sequence[str],
    who: str,
) -> Prompt:
    """Add the next version; it is not active. Raises ConflictError."""
    newest = session.scalar(select(func.max(Prompt.version)).where(Prompt.name == name)) or 0
    moment = now()
    row = Prompt(
        name=name,
        prompt_type=prompt_type,
        version=newest + 1,
        content=content,
        notes=notes,
        tags=list(tags),
        active=False,
        usage_count=0,
        created_at=moment,
        created_by=person(who),
        updated_at=moment,
    )
    session.add(row)
    try:
        session.flush()
    except IntegrityError:
        raise ConflictError(f"{name}: somebody made version {newest + 1} first") from None
    after = {"content": content, "notes": notes, "tags": list(tags)}
    add_change(
        session, PROMPT, name, CREATE, who=who, version=row.version, before=None, after=after
    )
    return row


def activate(session: Session, row: Prompt, who: str) -> Prompt:
    """Make a version the one in use. Raises ConflictError."""
    if row.active:
        return row
    query = select(Prompt).where(Prompt.name == row.name, Prompt.active).with_for_update()
    before = session.scalars(query).one_or_none()
    if before is not None:
        before.active, before.updated_at = False, now()
        session.flush()
    row.active, row.updated_at = True, now()
    try:
        session.flush()
    except IntegrityError:
        raise ConflictError(f"{row.name}: somebody activated another version") from None
    add_change(
        session,
        PROMPT,
        row.name,
        ACTIVATE,
        who=who,
        version=row.version,
        before={"active": before.version} if before else None,
        after={"active": row.version},
    )
    return row


def count_use(session: Session, name: str, version: int) -> None:
    """Add one to the evaluations that used a version."""
    session.execute(
        update(Prompt)
        .where(Prompt.name == name, Prompt.version == version)
        .values(usage_count=Prompt.usage_count + 1)
        .execution_options(synchronize_session=False)
    )
