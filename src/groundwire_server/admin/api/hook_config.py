"""The hook's settings that this server may change: ``admin.toml``."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from groundwire_server.admin.api.common import (
    PREFIX,
    Below,
    Body,
    ChangeId,
    Document,
    IfMatch,
    Limit,
    Service,
    Tagged,
    Who,
    problems,
)
from groundwire_server.admin.service.hook_settings import HookSettingsView
from groundwire_server.admin.service.view import ChangeView

_Digest = Annotated[
    str | None,
    Field(
        max_length=100,
        description="The `version` of the view that the change was made from; another one there "
        "now is refused with 409. Left out, the change is made to whichever is there.",
    ),
]


_Confirm = Annotated[
    bool,
    Field(
        description="Needed where `judge` changes: it decides which text leaves this machine. Its "
        "`base_url` may be a provider's own, plain http on this machine, or that of config.toml."
    ),
]


class HookChange(Body):
    """Settings to change; null takes a key out, so that the layer below holds again."""

    settings: Document = Field(examples=[{"thresholds": {"stop_from": 80}, "mode": None}])
    version: _Digest = None
    confirm: _Confirm = False


class HookRestoring(Body):
    """The version that a change back is made from."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {}})
    version: _Digest = None
    confirm: _Confirm = False


router = APIRouter(
    default_response_class=Tagged, prefix=f"{PREFIX}/hook-config", tags=["hook settings"]
)


@router.get("", responses=problems())
def get_hook_config(admin: Service) -> HookSettingsView:
    """Return the settings that hold outside of any project, and where each comes from."""
    return admin.hook.get()


@router.put("", responses=problems(409))
def put_hook_config(admin: Service, change: HookChange, who: Who, tag: IfMatch) -> HookSettingsView:
    """Change settings in admin.toml; the next turn has them, in sessions that run, too."""
    version = tag if change.version is None else change.version
    return admin.hook.save(change.settings, who=who, version=version, confirmed=change.confirm)


@router.get("/history", responses=problems())
def hook_config_history(admin: Service, limit: Limit = 50, below: Below = None) -> list[ChangeView]:
    """Return who changed what, the newest first."""
    return admin.hook.history(limit=limit, below=below)


@router.post("/history/{change}/restore", responses=problems(404, 409))
def restore_hook_config(
    admin: Service,
    change: ChangeId,
    who: Who,
    restoring: HookRestoring | None = None,
) -> HookSettingsView:
    """Put back the settings that a change left behind."""
    given = restoring or HookRestoring()
    return admin.hook.restore(change, who=who, version=given.version, confirmed=given.confirm)
