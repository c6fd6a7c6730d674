"""Calls of the service, which waits for files and databases: in a thread, never in the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Returned = TypeVar("Returned")


async def ask(
    function: Callable[Given, Returned], *args: Given.args, **kwargs: Given.kwargs
) -> Returned:
    """Return what ``function`` returns; raises what it raises."""
    return await asyncio.to_thread(function, *args, **kwargs)
