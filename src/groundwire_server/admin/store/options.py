"""Documents that hold for every environment: prices of models, shares of the A/B groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from groundwire.base.errors import ConflictError
from groundwire_server.admin.store.history import CREATE, OPTION, SAVE, add_change, now, person
from groundwire_server.admin.store.tables import Option

PRICES = "prices"
SHARES = "shares"


def option(session: Session, name: str) -> Option | None:
    """Return a document; None when nobody has saved one."""
    return session.get(Option, name)


def save(
    session: Session, name: str, value: Mapping[str, Any], *, version: int | None, who: str
) -> Option:
    """Keep a document; ``version`` as for a configuration, 0 for one that is not there yet.

    A document without a difference makes no version. Raises ConflictError.
    """
    query = select(Option).where(Option.name == name).with_for_update()
    row = session.scalars(query).one_or_none()
    present = row.version if row else 0
    if version is not None and version != present:
        raise ConflictError(
            f"{name}: version {version} is not the current one: version {present}: load it and "
            "make the change again"
        )
    before = row.value if row else None
    if row is not None and before == value:
        return row
    if row is None:
        row = Option(name=name, version=0)
        session.add(row)
    row.value, row.version = dict(value), present + 1
    row.updated_at, row.updated_by = now(), person(who)
    try:
        session.flush()
    except IntegrityError:
        raise ConflictError(f"{name}: somebody made it first") from None
    action = SAVE if before is not None else CREATE
    add_change(
        session, OPTION, name, action, who=who, version=row.version, before=before, after=value
    )
    return row
