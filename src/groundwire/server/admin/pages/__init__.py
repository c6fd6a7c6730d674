"""The admin pages."""

from __future__ import annotations

from fastapi import FastAPI
from nicegui import ui


def mount(app: FastAPI, path: str) -> None:
    """Mount the pages at ``path``; who asks for them is signed in (``server/admin/guard.py``)."""
    ui.run_with(
        app, mount_path=path, title="groundwire", show_welcome_message=False, tailwind=False
    )
