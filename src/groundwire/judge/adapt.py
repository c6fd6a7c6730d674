"""Requests that suit the model: what a model refuses is left out, and stays left out.

Models differ in what they take: structured answers, a temperature, the name of the token limit.
The official lists change with every model, so the provider's own refusal (HTTP 400) decides.
"""

from __future__ import annotations

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
