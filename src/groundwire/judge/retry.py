"""Attempts within one time limit: what passes is tried again, after a growing wait."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

from groundwire.judge.protocol import Answer, JudgeError
from groundwire.record import Record

#: Attempts for one judgement, at most.
ATTEMPTS = 4
#: Seconds before the second attempt; each further wait is twice as long.
FIRST_WAIT = 0.1


class Tried(Record):
    """An answer and the number of attempts that it took."""

    answer: Answer
    attempts: int


async def within(seconds: float, ask: Callable[[], Awaitable[Answer]]) -> Tried:
    """Return the first answer of ``ask`` within ``seconds``, waits between attempts included.

    Raises JudgeError: when the time is over, when a failure cannot pass, and when the provider
    wants to be left alone for longer than there is time.
    """
    attempts = 0
    last = ""
    try:
        async with asyncio.timeout(seconds) as limit:
            while True:
                attempts += 1
                try:
                    return Tried(await ask(), attempts)
                except JudgeError as error:
                    last = f"; last: {error}"
                    if not error.retry or attempts == ATTEMPTS:
                        raise _failure_after(error, attempts) from None
                    wait = _wait(error, attempts)
                    if wait >= (limit.when() or 0.0) - asyncio.get_running_loop().time():
                        raise _failure_after(error, attempts) from None
                    await asyncio.sleep(wait)
    except TimeoutError:
        raise JudgeError(f"no answer within {seconds * 1000:.0f} ms{last}") from None


def _wait(error: JudgeError, attempts: int) -> float:
    """Return the seconds to wait, spread so that many clients do not come back at once."""
    backoff: float = FIRST_WAIT * 2 ** (attempts - 1) * random.uniform(0.75, 1.25)  # noqa: S311
    return max(backoff, error.wait or 0.0)


def _failure_after(error: JudgeError, attempts: int) -> JudgeError:
    if attempts == 1:
        return error
    return JudgeError(f"{error} ({attempts} attempts)", retry=error.retry, wait=error.wait)
