"""The admin pages, in the browser: ``mount`` adds them to the server's application."""

from __future__ import annotations

from importlib import resources

from fastapi import FastAPI
from nicegui import ui

from groundwire_admin.pages import (
    ab_page,
    answers_page,
    changes_page,
    configuration,
    decision_page,
    decisions_page,
    hook_page,
    not_found,
    trends_page,
)
from groundwire_admin.service import Admin

_PAGES = (
    configuration,
    hook_page,
    decisions_page,
    decision_page,
    answers_page,
    trends_page,
    changes_page,
    ab_page,
)


def mount(app: FastAPI, path: str, admin: Admin) -> None:
    """Add the pages to ``app`` below ``path``.

    Scripts, styles and fonts are served from here: no page asks another host. Whoever gets here
    is signed in, which is the application's affair.
    """
    files = resources.files(__name__)
    ui.add_css((files / "style.css").read_text(encoding="utf-8"), shared=True)
    script = (files / "keys.js").read_text(encoding="utf-8")
    ui.add_body_html(f"<script>{script}</script>", shared=True)
    for page in _PAGES:
        page.add(ui.page, admin)
    not_found.add()
    ui.run_with(
        app,
        mount_path=path,
        title="groundwire",
        dark=None,
        language="en-US",
        tailwind=False,
        show_welcome_message=False,
    )
