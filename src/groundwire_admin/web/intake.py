"""Taking in the hook's decision log while the server runs."""

from __future__ import annotations

import asyncio
import logging

from groundwire.errors import StoreError
from groundwire_admin.service import Admin

LOGGER = logging.getLogger("groundwire.admin")
#: Seconds between two looks at the log; one without news costs a look at a file's size.
PAUSE = 5.0


async def keep_taking_in(admin: Admin) -> None:
    """Take in new lines of the decision log until cancelled; what goes wrong is logged once."""
    told = ""
    while True:
        try:
            taken = await asyncio.to_thread(admin.decisions.take_in)
            problem = "; ".join(taken.problems)
        except StoreError as error:
            problem = str(error)
        if problem and problem != told:
            LOGGER.warning("the decision log was not taken in", extra={"problem": problem})
        told = problem
        await asyncio.sleep(PAUSE)
