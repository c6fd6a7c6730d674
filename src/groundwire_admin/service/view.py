"""The base of what the service returns: immutable values that API and pages show as they are.

Times are UTC; scores run from 0 to 1 (high is good), confidences of matches from 0 to 100 (high is
bad); money is US dollars, null where a price is not known.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict


class View(BaseModel):
    """Base of everything that the facade returns."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


Shown = TypeVar("Shown", bound=View)


def viewed(model: type[Shown], row: object, **further: Any) -> Shown:
    """Return a row or a record as a view; ``further`` are fields that it has not, or not so."""
    fields = {name: getattr(row, name) for name in model.model_fields if name not in further}
    return model(**fields, **further)


class ChangeView(View):
    """One change; ``before`` is null for what was new."""

    id: int
    at: datetime
    who: str
    action: str
    kind: str
    target: str
    version: int
    restored: int | None
    before: dict[str, Any] | None
    after: dict[str, Any]
