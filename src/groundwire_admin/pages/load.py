"""A page's content that has to be fetched: loading, then what was found, or what went wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from nicegui import ui

from groundwire.errors import GroundwireError
from groundwire_admin.pages.states import failed, loading

Found = TypeVar("Found")
#: Calls a function of the service, which waits for files and databases, outside of the event loop.
ask = asyncio.to_thread


async def load(
    what: str, fetch: Callable[[], Awaitable[Found]], show: Callable[[Found], object]
) -> None:
    """Send the page with a spinner, fetch, and ``show`` what was found in place of the spinner.

    ``what`` is named while it loads, and when it fails with a GroundwireError; then it can be
    tried again.
    """
    box = ui.element("div").classes("stack")

    def wait() -> None:
        box.clear()
        with box:
            loading(f"Loading {what} ...")

    async def fill() -> None:
        wait()
        data: Found | GroundwireError
        try:
            data = await fetch()
        except GroundwireError as error:
            data = error
        if box.is_deleted:  # the visitor has left
            return
        box.clear()
        with box:
            if isinstance(data, GroundwireError):
                failed(f"{what[:1].upper()}{what[1:]} could not be loaded", str(data), fill)
            else:
                show(data)

    wait()
    client = ui.context.client
    await client.connected()  # the page is sent with what it has until here
    if not client.is_deleted:
        await fill()
