"""What a provider is asked and answers, and attempts within one time limit."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, Protocol

from groundwire.base.errors import GroundwireError
from groundwire.base.record import Record
from groundwire_confidence.calculation import LLMConfidenceSettings

#: The field of a structured answer.
FIELD = "confidence"
#: What a structured answer is; providers without bounds in schemas are held to them by clamping.
SCHEMA = {
    "type": "object",
    "properties": {FIELD: {"type": "number", "description": "Confidence from 0 to 1."}},
    "required": [FIELD],
    "additionalProperties": False,
}


class Form(NamedTuple):
    """A structured answer: its name, what it is for, and the schema of its fields."""

    name: str
    description: str
    schema: dict[str, Any]


#: The score of an answer, from 0 to 1.
SCORE = Form("report_confidence", "Reports the score.", SCHEMA)


class Sampling(Record):
    """Which model is asked, and how."""

    provider: str
    model: str
    temperature: float = 0.0
    max_tokens: int = 100


class JudgeError(GroundwireError):
    """A judge gave no answer. ``retry`` tells whether the same request may succeed later.

    ``wait`` is how many seconds the provider wants to be left alone, None when it does not say.
    """

    def __init__(self, message: str, *, retry: bool = False, wait: float | None = None) -> None:
        super().__init__(message)
        self.retry = retry
        self.wait = wait


class Question(Record):
    """One request: system message, whole prompt, the model with its limits, the answer's form."""

    system: str
    content: str
    settings: LLMConfidenceSettings | Sampling
    form: Form = SCORE


class Answer(Record):
    """The reply's text as the model wrote it; tokens and dollars as the provider counts them."""

    text: str
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


class Provider(Protocol):
    """One provider's client. Neither retries nor waits: that is done for all of them alike."""

    async def ask(self, question: Question) -> Answer:
        """Make one attempt; raises JudgeError."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


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
