"""What the makers' official clients share, and requests that suit the model.

Models differ in what they take: structured answers, a temperature, the name of the token limit.
The official lists change with every model, so the provider's own refusal (HTTP 400) decides.

Failures are put in words that hold neither the key nor what was sent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from groundwire_judge.protocol import Answer, JudgeError, Question

STRUCTURED = "structured"
TEMPERATURE = "temperature"
#: Older name of the token limit in the chat API; newer models want ``max_completion_tokens``.
MAX_TOKENS = "max_tokens"
_STRUCTURED_WORDS = ("response_format", "json_schema", "tool", "structured", "output_config")


class Refusals:
    """What each model of one provider is known to refuse, among ``features``."""

    def __init__(self, *features: str) -> None:
        self._features = features
        self._refused: dict[str, set[str]] = {}

    def takes(self, model: str, feature: str) -> bool:
        """Tell whether a feature is to be sent to a model."""
        return feature not in self._refused.get(model, ())

    def learn(self, model: str, message: str) -> bool:
        """Note what a refusal with this ``message`` is about; False when that is nothing new."""
        text = message.lower()
        refused = self._refused.setdefault(model, set())
        for feature in self._features:
            words = _STRUCTURED_WORDS if feature == STRUCTURED else (feature,)
            if feature not in refused and any(word in text for word in words):
                refused.add(feature)
                return True
        return False


_BAD_REQUEST = 400
#: Statuses that may be gone at the next attempt.
_PASSING = frozenset({408, 409, 425, 429})
_SERVER_ERROR = 500
_UNAUTHORISED = (401, 403)
_LONGEST = 200


class Errors(NamedTuple):
    """The exceptions of one client library."""

    status: type[Exception]
    connection: type[Exception]
    any: type[Exception]


class OfficialProvider(ABC):
    """A provider behind an official client, whose own retries are off."""

    errors: Errors

    def __init__(self, name: str, client: Any, key: str, refusals: Refusals) -> None:
        self._name = name
        self._client = client
        self._key = key
        self._refusals = refusals

    @abstractmethod
    async def create(self, question: Question) -> Any:
        """Send the question, without what the model refuses, and return the decoded reply."""

    @abstractmethod
    def read(self, reply: Any) -> Answer:
        """Return the answer in a reply, whose shape nobody has checked; may raise anything."""

    async def ask(self, question: Question) -> Answer:
        """Make one attempt; what the model newly refuses is left out at once. Raises JudgeError."""
        while True:
            try:
                return self._answer(await self.create(question))
            except self.errors.status as error:
                if not self._learns(question.settings.model, error):
                    raise self._refused(error) from None
            except self.errors.connection as error:
                cause = type(error.__cause__ or error).__name__
                raise JudgeError(f"{self._name}: no connection ({cause})", retry=True) from None
            except (self.errors.any, ValueError) as error:  # a reply that is no JSON
                raise JudgeError(f"{self._name}: {self._plain(str(error))}") from None

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _answer(self, reply: Any) -> Answer:
        try:
            return self.read(reply)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise JudgeError(f"{self._name}: an answer that is none of this API") from None

    def _learns(self, model: str, error: Any) -> bool:
        """Tell whether a refusal taught what to leave out, so that asking again makes sense."""
        bad = error.status_code == _BAD_REQUEST
        return bad and self._refusals.learn(model, _message(error))

    def _refused(self, error: Any) -> JudgeError:
        """Return the failure that a status is.

        The message of a refused key may quote parts of the key and is left out.
        """
        status = int(error.status_code)
        text = f"{self._name}: HTTP {status}"
        if status in _UNAUTHORISED:
            text += ": the key is not accepted"
        elif status < _SERVER_ERROR:
            text += f": {self._plain(_message(error))}"
        retry = status in _PASSING or status >= _SERVER_ERROR
        return JudgeError(text, retry=retry, wait=_wait(error.response.headers))

    def _plain(self, text: str) -> str:
        """Return one short line without the key."""
        line = " ".join(text.replace(self._key, "[key]").split())
        return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _message(error: Any) -> str:
    """Return what the provider wrote, without the client's own words around it."""
    body = error.body
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    message = body.get("message") if isinstance(body, dict) else None
    return message if isinstance(message, str) else str(error)


def _wait(headers: Any) -> float | None:
    """Return the seconds that ``Retry-After`` asks for; None for a date or no number."""
    try:
        milliseconds = headers.get("retry-after-ms")
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None
