"""The base of all views."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class View(BaseModel):
    """Base of everything that the facade returns."""

    model_config = ConfigDict(frozen=True, from_attributes=True)
