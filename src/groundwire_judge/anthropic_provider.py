"""The judge behind the official ``anthropic`` client."""

from __future__ import annotations

import json
from typing import Any

import anthropic

from groundwire_judge.official import STRUCTURED, TEMPERATURE, Errors, OfficialProvider, Refusals
from groundwire_judge.protocol import Answer, Form, Question

#: This API takes temperatures up to 1, the settings up to 2.
_HIGHEST_TEMPERATURE = 1.0


class AnthropicProvider(OfficialProvider):
    """Asks by the messages API."""

    errors = Errors(
        anthropic.APIStatusError, anthropic.APIConnectionError, anthropic.AnthropicError
    )

    def __init__(self, key: str, base_url: str | None) -> None:
        client = anthropic.AsyncAnthropic(
            api_key=key,
            base_url=base_url,
            max_retries=0,
            http_client=anthropic.DefaultAsyncHttpxClient(follow_redirects=False),
        )
        super().__init__("anthropic", client, key, Refusals(TEMPERATURE, STRUCTURED))

    async def create(self, question: Question) -> Any:
        """Send the question, without what the model refuses, and return the decoded reply."""
        settings = question.settings
        options: dict[str, Any] = {}
        if self._refusals.takes(settings.model, TEMPERATURE):
            # newer clients have no parameter for it, because newer models take none
            value = min(settings.temperature, _HIGHEST_TEMPERATURE)
            options["extra_body"] = {"temperature": value}
        if self._refusals.takes(settings.model, STRUCTURED):
            options |= _tool_fields(question.form)
        return await self._client.messages.create(
            model=settings.model,
            max_tokens=settings.max_tokens,
            system=question.system,
            messages=[{"role": "user", "content": question.content}],
            **options,
        )

    def read(self, reply: Any) -> Answer:
        """Return the arguments of a message's tool call as JSON, or else its text."""
        usage = reply.usage
        tokens = (usage.input_tokens, usage.output_tokens) if usage else (None, None)
        for block in reply.content:
            if block.type == "tool_use" and block.input:
                return Answer(json.dumps(block.input), reply.model, *tokens)
        text = "".join(block.text for block in reply.content if block.type == "text")
        return Answer(text, reply.model, *tokens)


def _tool_fields(form: Form) -> dict[str, Any]:
    """A forced tool call is the structured answer that every model of this maker can give."""
    tool = {"name": form.name, "description": form.description, "input_schema": form.schema}
    return {"tools": [tool], "tool_choice": {"type": "tool", "name": form.name}}
