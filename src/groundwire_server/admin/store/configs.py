"""Configurations by environment and profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from groundwire.base.errors import ConflictError, NotFoundError
from groundwire.settings.choices import ALL
from groundwire_confidence.calculation import CONFIG_NAME
from groundwire_server.admin.store.history import (
    ACTIVATE,
    CONFIG,
    CREATE,
    SAVE,
    add_change,
    now,
    person,
)
from groundwire_server.admin.store.tables import AgentConfig


def target_of(row: AgentConfig) -> str:
    """Return what a configuration is called in the history."""
    return f"{row.name}/{row.environment}/{row.profile}"


def profiles(session: Session, environment: str = "") -> list[AgentConfig]:
    """Return all profiles of an environment, or of every one, the active ones first."""
    query = select(AgentConfig).where(AgentConfig.name == CONFIG_NAME)
    if environment:
        query = query.where(AgentConfig.environment == environment)
    order = (AgentConfig.environment, AgentConfig.active.desc(), AgentConfig.profile)
    return list(session.scalars(query.order_by(*order)))


def find(session: Session, environment: str, profile: str = "") -> AgentConfig | None:
    """Return a profile of exactly this environment; without a name the active one."""
    query = select(AgentConfig).where(
        AgentConfig.name == CONFIG_NAME, AgentConfig.environment == environment
    )
    query = query.where(AgentConfig.profile == profile if profile else AgentConfig.active)
    return session.scalars(query).one_or_none()


def look_up(session: Session, environment: str, profile: str = "") -> AgentConfig:
    """Return what holds in an environment: its own active profile, or that of ``all``.

    With ``profile``, the one of this name in exactly this environment. Raises NotFoundError.
    """
    row = find(session, environment, profile)
    if row is None and not profile and environment != ALL:
        row = find(session, ALL)
    if row is None:
        raise NotFoundError(_missing(session, environment, profile))
    return row


def create(
    session: Session, environment: str, profile: str, config: Mapping[str, Any], who: str
) -> AgentConfig:
    """Add a profile; the first one of an environment is active. Raises ConflictError."""
    row = AgentConfig(
        name=CONFIG_NAME,
        environment=environment,
        profile=profile,
        active=not profiles(session, environment),
        version=1,
        config=dict(config),
        updated_at=now(),
        updated_by=person(who),
    )
    session.add(row)
    try:
        session.flush()
    except IntegrityError:
        raise ConflictError(f"{environment}/{profile}: somebody made it first") from None
    add_change(
        session, CONFIG, target_of(row), CREATE, who=who, version=1, before=None, after=row.config
    )
    return row


def save(
    session: Session,
    row: AgentConfig,
    config: Mapping[str, Any],
    *,
    version: int | None,
    who: str,
    action: str = SAVE,
    restored: int | None = None,
) -> AgentConfig:
    """Replace the document of a profile; one without a difference makes no version.

    ``version`` is the one that the change was made from; None for whichever is there. Raises
    ConflictError when it is not the present one.
    """
    _require(row, version)
    before = row.config
    if before == config:
        return row
    _step(session, row, who, config=dict(config))
    add_change(
        session,
        CONFIG,
        target_of(row),
        action,
        who=who,
        version=row.version,
        before=before,
        after=row.config,
        restored=restored,
    )
    return row


def activate(session: Session, row: AgentConfig, *, version: int | None, who: str) -> AgentConfig:
    """Make a profile the one that holds in its environment. Raises ConflictError."""
    _require(row, version)
    if row.active:
        return row
    before = find(session, row.environment)
    if before is not None:
        _step(session, before, who, active=False)
    try:
        _step(session, row, who, active=True)
    except IntegrityError:
        raise ConflictError(f"{row.environment}: somebody activated another profile") from None
    add_change(
        session,
        CONFIG,
        target_of(row),
        ACTIVATE,
        who=who,
        version=row.version,
        before={"active": before.profile} if before else None,
        after={"active": row.profile},
    )
    return row


def _require(row: AgentConfig, version: int | None) -> None:
    if version is not None and version != row.version:
        raise ConflictError(_changed(row, version))


def _step(session: Session, row: AgentConfig, who: str, **values: Any) -> None:
    """Change a row from its version to the next; raises ConflictError when it has moved on."""
    old = row.version
    values |= {"version": old + 1, "updated_at": now(), "updated_by": person(who)}
    mine = (AgentConfig.id == row.id, AgentConfig.version == old)
    done = session.execute(
        update(AgentConfig).where(*mine).values(values).execution_options(synchronize_session=False)
    )
    if done.rowcount != 1:  # type: ignore[attr-defined]
        raise ConflictError(_changed(row, old))
    session.refresh(row)


def _changed(row: AgentConfig, version: int) -> str:
    return (
        f"{row.environment}/{row.profile}: version {version} is not the current one: version "
        f"{row.version}, by {row.updated_by}: reload it and make the change again"
    )


def _missing(session: Session, environment: str, profile: str) -> str:
    known = [f"{row.environment}/{row.profile}" for row in profiles(session)]
    wanted = f"{environment}/{profile}" if profile else environment
    return f"configuration: {wanted}: does not exist: allowed: {', '.join(known) or 'none'}"
