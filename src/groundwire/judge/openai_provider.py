"""The judge behind the official ``openai`` client: OpenAI itself, and Azure OpenAI."""

from __future__ import annotations

from typing import Any

import openai

from groundwire.judge.adapt import MAX_TOKENS, STRUCTURED, TEMPERATURE, Refusals
from groundwire.judge.failures import message_of, plain, read_answer, status_failure
from groundwire.judge.protocol import FIELD, SCHEMA, Answer, JudgeError, Question

_BAD_REQUEST = 400
#: Answers follow this schema where the model knows how.
_FORMAT = {
    "type": "json_schema",
    "json_schema": {"name": FIELD, "schema": SCHEMA, "strict": True},
}


class OpenAIProvider:
    """Asks by the chat API, which Azure and many compatible servers speak, too."""

    def __init__(self, name: str, client: openai.AsyncOpenAI, key: str) -> None:
        self._name = name
        self._client = client
        self._key = key
        self._refusals = Refusals(MAX_TOKENS, TEMPERATURE, STRUCTURED)

    async def ask(self, question: Question) -> Answer:
        """Make one attempt, without what the model refuses; raises JudgeError."""
        model = question.settings.model
        while True:
            try:
                return read_answer(self._name, _answer, await self._create(question))
            except openai.APIStatusError as error:
                refused = error.status_code == _BAD_REQUEST
                if not (refused and self._refusals.learn(model, message_of(error))):
                    raise status_failure(self._name, error, self._key) from None
            except openai.APIConnectionError as error:
                cause = type(error.__cause__ or error).__name__
                raise JudgeError(f"{self._name}: no connection ({cause})", retry=True) from None
            except (openai.OpenAIError, ValueError) as error:  # a reply that is no JSON
                raise JudgeError(f"{self._name}: {plain(str(error), self._key)}") from None

    async def _create(self, question: Question) -> Any:
        settings = question.settings
        options: dict[str, Any] = {}
        if self._refusals.takes(settings.model, TEMPERATURE):
            options["temperature"] = settings.temperature
        if self._refusals.takes(settings.model, STRUCTURED):
            options["response_format"] = _FORMAT
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

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _answer(completion: Any) -> Answer:
    """Return the text of a completion; a refusal is text, too, and holds no score."""
    message = completion.choices[0].message
    text = message.content or message.refusal
    if not isinstance(text, str):
        raise TypeError("no text")
    usage = completion.usage
    return Answer(
        text,
        completion.model or "",
        usage.prompt_tokens if usage else None,
        usage.completion_tokens if usage else None,
    )


def openai_provider(key: str, base_url: str | None) -> OpenAIProvider:
    """Return the provider for OpenAI or a compatible server at ``base_url``."""
    client = openai.AsyncOpenAI(api_key=key, base_url=base_url, max_retries=0)
    return OpenAIProvider("openai", client, key)


def azure_provider(key: str, endpoint: str, api_version: str) -> OpenAIProvider:
    """Return the provider for a resource of Azure OpenAI; the model is the deployment's name."""
    client = openai.AsyncAzureOpenAI(
        api_key=key, azure_endpoint=endpoint, api_version=api_version, max_retries=0
    )
    return OpenAIProvider("azure", client, key)
