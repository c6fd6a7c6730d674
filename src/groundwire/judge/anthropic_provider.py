"""The judge behind the official ``anthropic`` client."""

from __future__ import annotations

import json
from typing import Any

import anthropic

from groundwire.judge.adapt import STRUCTURED, TEMPERATURE, Refusals
from groundwire.judge.failures import message_of, plain, read_answer, status_failure
from groundwire.judge.protocol import FIELD, SCHEMA, Answer, JudgeError, Question

_NAME = "anthropic"
_BAD_REQUEST = 400
#: This API takes temperatures up to 1, the settings up to 2.
_HIGHEST_TEMPERATURE = 1.0
_TOOL = "report_confidence"
#: A forced tool call is the structured answer that every model of this maker can give.
_STRUCTURED: dict[str, Any] = {
    "tools": [{"name": _TOOL, "description": "Reports the score.", "input_schema": SCHEMA}],
    "tool_choice": {"type": "tool", "name": _TOOL},
}


class AnthropicProvider:
    """Asks by the messages API."""

    def __init__(self, key: str, base_url: str | None) -> None:
        self._key = key
        self._client = anthropic.AsyncAnthropic(api_key=key, base_url=base_url, max_retries=0)
        self._refusals = Refusals(TEMPERATURE, STRUCTURED)

    async def ask(self, question: Question) -> Answer:
        """Make one attempt, without what the model refuses; raises JudgeError."""
        model = question.settings.model
        while True:
            try:
                return read_answer(_NAME, _answer, await self._create(question))
            except anthropic.APIStatusError as error:
                refused = error.status_code == _BAD_REQUEST
                if not (refused and self._refusals.learn(model, message_of(error))):
                    raise status_failure(_NAME, error, self._key) from None
            except anthropic.APIConnectionError as error:
                cause = type(error.__cause__ or error).__name__
                raise JudgeError(f"{_NAME}: no connection ({cause})", retry=True) from None
            except (anthropic.AnthropicError, ValueError) as error:  # a reply that is no JSON
                raise JudgeError(f"{_NAME}: {plain(str(error), self._key)}") from None

    async def _create(self, question: Question) -> Any:
        settings = question.settings
        options: dict[str, Any] = {}
        if self._refusals.takes(settings.model, TEMPERATURE):
            # newer clients have no parameter for it, because newer models take none
            value = min(settings.temperature, _HIGHEST_TEMPERATURE)
            options["extra_body"] = {"temperature": value}
        if self._refusals.takes(settings.model, STRUCTURED):
            options |= _STRUCTURED
        return await self._client.messages.create(
            model=settings.model,
            max_tokens=settings.max_tokens,
            system=question.system,
            messages=[{"role": "user", "content": question.content}],
            **options,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _answer(message: Any) -> Answer:
    """Return the arguments of a message's tool call as JSON, or else its text."""
    usage = message.usage
    tokens = (usage.input_tokens, usage.output_tokens) if usage else (None, None)
    for block in message.content:
        if block.type == "tool_use" and FIELD in block.input:
            return Answer(json.dumps(block.input), message.model, *tokens)
    text = "".join(block.text for block in message.content if block.type == "text")
    return Answer(text, message.model, *tokens)
