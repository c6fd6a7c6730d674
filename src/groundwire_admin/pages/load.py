"""A page's content that has to be fetched: loading, then what was found, or what went wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from nicegui import ui

from groundwire.errors import GroundwireError
from groundwire_admin.pages.states import failed, loading

Found = TypeVar("Found")


async def load(
    what: str, fetch: Callable[[], Awaitable[Found]], show: Callable[[Found], None]
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
        try:
            found = await fetch()
        except GroundwireError as error:
            box.clear()
            with box:
                failed(f"Not loaded: {what}", str(error), fill)
            return
        box.clear()
        with box:
            show(found)

    wait()
    await ui.context.client.connected()  # the page is sent with what it has until here
    await fill()
