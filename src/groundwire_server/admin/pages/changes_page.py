"""The history of changes: who changed what, with both values, and a way back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Request
from nicegui import ui

from groundwire.base.errors import ConflictError, GroundwireError
from groundwire.settings.choices import KEY
from groundwire_server.admin.pages.elements import (
    ask,
    chip,
    day,
    empty,
    heading,
    load,
    notice,
    say,
    words,
)
from groundwire_server.admin.pages.form import difference_table, differences
from groundwire_server.admin.pages.frame import Route, asked, choice, frame, who
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.view import ChangeView

PATH = "/changes"
LEAD = "Who changed what, newest first. Restoring a version adds a new one."
KINDS = {
    "config": "Confidence configurations",
    "hook": "Hook settings",
    "prompt": "Prompt versions",
}
_ACTIONS = {
    "create": ("created", "good"),
    "save": ("changed", "info"),
    "activate": ("activated", "info"),
    "restore": ("restored", "warn"),
}
_LIMIT = 20


class Present(NamedTuple):
    """What holds now: the version that a change has to name, and the document."""

    version: int | str
    document: Mapping[str, Any]


Restore = Callable[[ChangeView], Awaitable[None]]


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route(PATH)
    async def page(request: Request, kind: str = "config") -> None:
        below = asked(request, "below", 0)
        kind = kind if kind in KINDS else "config"
        with frame(PATH, "Changes", LEAD):
            with ui.element("div").classes("line place"):
                choice("Show", KINDS, kind, lambda one: f"{PATH}?kind={one}")
            await load(
                "the changes",
                partial(_fetch, admin, kind, below),
                lambda data: _show(admin, *data, newest=not below),
            )


async def _fetch(
    admin: Admin, kind: str, below: int
) -> tuple[dict[str, Present], list[ChangeView]]:
    present = await ask(_present, admin)
    return present, await ask(_histories(admin)[kind], limit=_LIMIT, below=below or None)


def _show(
    admin: Admin, present: Mapping[str, Present], changes: Sequence[ChangeView], *, newest: bool
) -> None:
    if not changes:
        empty("No changes yet", "Changes appear here.")
    unseen = set(present) if newest else set()  # what holds now is marked once
    for change in changes:
        _change(change, present, unseen, _restorer(admin, present))
    if len(changes) == _LIMIT:
        query = urlencode({"kind": changes[-1].kind, "below": changes[-1].id})
        ui.link("Older changes", f"{PATH}?{query}")


def _histories(admin: Admin) -> dict[str, Callable[..., list[ChangeView]]]:
    return {
        "config": admin.configuration.history,
        "hook": admin.hook.history,
        "prompt": admin.prompts.history,
    }


def _present(admin: Admin) -> dict[str, Present]:
    """Return what holds now of everything that can be restored, by its name."""
    hook = admin.hook.get()
    return {"admin.toml": Present(hook.version, hook.admin)} | {
        f"{one.environment}/{one.profile}": Present(one.version, one.config[KEY])
        for one in admin.configuration.profiles()
    }


def _restorer(admin: Admin, present: Mapping[str, Present]) -> Restore:
    async def restore(change: ChangeView) -> None:
        version = present[_target(change)].version
        try:
            if change.kind == "hook":
                restore_hook = partial(admin.hook.restore, who=who(), confirmed=True)
                await ask(restore_hook, change.id, version=str(version))
            else:
                await ask(admin.configuration.restore, change.id, who=who(), version=int(version))
        except ConflictError:
            say("Changed since this page was loaded. Reload the page.", "warning")
        except GroundwireError as error:
            say(f"Not restored: {error}", "negative")
        else:
            ui.navigate.to(f"{PATH}?kind={change.kind}")

    return restore


def _change(
    change: ChangeView, present: Mapping[str, Present], unseen: set[str], restore: Restore
) -> None:
    action, tone = _ACTIONS.get(change.action, (change.action, ""))
    holds = present.get(_target(change))
    with ui.element("section").classes("panel"):
        with ui.element("div").classes("title-row"):
            with ui.element("div").classes("line"):
                heading(2, _name(change))
                chip(action, tone)
                if change.restored:
                    words(f"from change {change.restored}", classes="soft small")
            words(f"{day(change.at)}, by {change.who}", classes="soft small")
        _values(change)
        if holds is not None and _has_document(change):
            if holds.document == _inner(change.after):
                current = _target(change) in unseen
                unseen.discard(_target(change))
                same = "Current version" if current else "Same values as the current version"
                words(same, "p", "soft small")
                return
            button = ui.button("Restore this version", on_click=lambda: _confirm(change, restore))
            button.props("outline dense").classes("self-start")


def _target(change: ChangeView) -> str:
    """Return what was changed, without the name that all configurations have."""
    return change.target.partition("/")[2] if change.kind == "config" else change.target


def _name(change: ChangeView) -> str:
    named = {"hook": "Hook settings", "prompt": "Prompt"}.get(change.kind)
    return f"{named or _target(change).replace('/', ' / ')}, version {change.version}"


def _values(change: ChangeView) -> None:
    if change.kind == "prompt" and change.action == "create":
        with ui.element("details"):
            words(change.after.get("notes") or "Text of this version", "summary")
            words(change.after.get("content", ""), "pre", "mono small wrap")
        return
    rows = differences(_inner(change.before or {}), _inner(change.after))
    if change.before is None and change.action == "create":
        with ui.element("details"):
            words("Initial values", "summary")
            difference_table(rows, "Before", "After")
    elif rows:
        difference_table(rows, "Before", "After")
    else:
        words("No changes from the previous version.", "p", "soft")


def _inner(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a configuration without the key that all of them stand below."""
    inner = document.get(KEY)
    return inner if isinstance(inner, Mapping) else document


def _has_document(change: ChangeView) -> bool:
    return change.kind == "hook" or (change.kind == "config" and KEY in change.after)


#: What a restored judge needs the admin's confirmation for.
_JUDGE = ("It decides which text of turns leaves this machine, and where to: see judge above.",)


def _confirm(change: ChangeView, restore: Restore) -> None:
    async def go() -> None:
        dialog.close()
        await restore(change)

    with ui.dialog() as dialog, ui.element("div").classes("panel dialog"):
        heading(2, f"Restore {_name(change)}?")
        words("The current version stays in the list.", "p")
        if change.kind == "hook":
            notice("info", "Applies from the next turn.", *_JUDGE[: "judge" in change.after])
        with ui.element("div").classes("line"):
            ui.button("Restore", on_click=go).props("unelevated")
            ui.button("Cancel", on_click=dialog.close).props("flat autofocus")
    dialog.open()
