"""What a provider is asked and answers; each provider is one small class."""

from __future__ import annotations

from typing import Protocol

from groundwire.config.calculation import LLMConfidenceSettings
from groundwire.errors import GroundwireError
from groundwire.record import Record

#: The field of a structured answer.
FIELD = "confidence"
#: What a structured answer is; providers without bounds in schemas are held to them by clamping.
SCHEMA = {
    "type": "object",
    "properties": {FIELD: {"type": "number", "description": "Confidence from 0 to 1."}},
    "required": [FIELD],
    "additionalProperties": False,
}


class JudgeError(GroundwireError):
    """A judge gave no answer. ``retry`` tells whether the same request may succeed later.

    ``wait`` is how many seconds the provider wants to be left alone, None when it does not say.
    """

    def __init__(self, message: str, *, retry: bool = False, wait: float | None = None) -> None:
        super().__init__(message)
        self.retry = retry
        self.wait = wait


class Question(Record):
    """One request: system message, the whole prompt, and the model with its limits."""

    system: str
    content: str
    settings: LLMConfidenceSettings


class Answer(Record):
    """The reply's text as the model wrote it; tokens as the provider counts them, if it does."""

    text: str
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None


class Provider(Protocol):
    """One provider's client. Neither retries nor waits: that is done for all of them alike."""

    async def ask(self, question: Question) -> Answer:
        """Make one attempt; raises JudgeError."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...
