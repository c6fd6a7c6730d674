"""The base of what the service returns: immutable values that API and pages show as they are.

Times are UTC; scores run from 0 to 1 (high is good), confidences of matches from 0 to 100 (high is
bad); money is US dollars, null where a price is not known.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict


class View(BaseModel):
    """Base of everything that the facade returns."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


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
