"""What was typed and not saved, in the visitor's browser: leaving the page takes none of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nicegui import ui

#: Seconds that a browser may take to answer, also through a busy server that has just started.
#: What it has kept is not shown when it takes longer.
_PATIENCE = 30
#: What is said where something typed earlier stands in a form again.
RESTORED = "Unsaved input from your last visit was restored."


class Kept:
    """One document of this browser, by the name of what is edited."""

    def __init__(self, name: str) -> None:
        self._client = ui.context.client
        self._key = json.dumps(f"groundwire {name}")
        self._text = ""
        #: What was kept when it was read.
        self.typed: dict[str, Any] = {}

    async def read(self) -> None:
        """Read what was kept into ``typed``: {} for nothing, or for what is no document of ours."""
        code = f"return localStorage.getItem({self._key}) ?? ''"
        try:
            self._text = str(await self._client.run_javascript(code, timeout=_PATIENCE))
            document = json.loads(self._text or "{}")
        except (TimeoutError, ValueError):
            return
        self.typed = document if isinstance(document, dict) else {}

    def keep(self, document: Mapping[str, Any]) -> None:
        """Keep a document in place of the one before; an empty one is taken away."""
        text = json.dumps(document) if document else ""
        if text == self._text:
            return
        self._text = text
        value = json.dumps(text)
        act = f"setItem({self._key}, {value})" if text else f"removeItem({self._key})"
        self._client.run_javascript(f"localStorage.{act}")
