"""What a provider is asked and answers; each provider is one small class."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

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
