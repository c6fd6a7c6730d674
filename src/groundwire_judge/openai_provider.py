"""The judge behind the official ``openai`` client: OpenAI itself, and Azure OpenAI."""

from __future__ import annotations

from typing import Any

import openai

from groundwire_judge.official import (
    MAX_TOKENS,
    STRUCTURED,
    TEMPERATURE,
    Errors,
    OfficialProvider,
    Refusals,
)
from groundwire_judge.protocol import Answer, Form, Question


class OpenAIProvider(OfficialProvider):
    """Asks by the chat API, which Azure and many compatible servers speak, too."""

    errors = Errors(openai.APIStatusError, openai.APIConnectionError, openai.OpenAIError)

    def __init__(self, name: str, client: openai.AsyncOpenAI, key: str) -> None:
        super().__init__(name, client, key, Refusals(MAX_TOKENS, TEMPERATURE, STRUCTURED))

    async def create(self, question: Question) -> Any:
        """Send the question, without what the model refuses, and return the decoded reply."""
        settings = question.settings
        options: dict[str, Any] = {}
        if self._refusals.takes(settings.model, TEMPERATURE):
            options["temperature"] = settings.temperature
        if self._refusals.takes(settings.model, STRUCTURED):
            options["response_format"] = _format(question.form)
        old = self._refusals.takes(settings.model, MAX_TOKENS)
        options["max_tokens" if old else "max_completion_tokens"] = settings.max_tokens
        return await self._client.chat.completions.create(
            model=settings.model,
            messages=[
                {"role": "system", "content": question.system},
                {"role": "user", "content": question.content},
            ],
            **options,
        )

    def read(self, reply: Any) -> Answer:
        """Return the text of a completion; a refusal is text, too, and holds no score."""
        message = reply.choices[0].message
        text = message.content or message.refusal
        if not isinstance(text, str):
            raise TypeError("no text")
        usage = reply.usage
        return Answer(
            text,
            reply.model or "",
            usage.prompt_tokens if usage else None,
            usage.completion_tokens if usage else None,
        )


def openai_provider(key: str, base_url: str | None) -> OpenAIProvider:
    """Return the provider for OpenAI or a compatible server at ``base_url``."""
    client = openai.AsyncOpenAI(
        api_key=key,
        base_url=base_url,
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False),
    )
    return OpenAIProvider("openai", client, key)


def azure_provider(key: str, endpoint: str, api_version: str) -> OpenAIProvider:
    """Return the provider for a resource of Azure OpenAI; the model is the deployment's name."""
    client = openai.AsyncAzureOpenAI(
        api_key=key,
        azure_endpoint=endpoint,
        api_version=api_version,
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False),
    )
    return OpenAIProvider("azure", client, key)


def _format(form: Form) -> dict[str, Any]:
    """Answers follow this schema where the model knows how."""
    schema = {"name": form.name, "schema": form.schema, "strict": True}
    return {"type": "json_schema", "json_schema": schema}
