"""The request about a turn: the shipped instruction, and the digest as data."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from groundwire.base.settings import Judge
    from groundwire.turn.page import TurnDigest


#: Version of the shipped instruction; a change of its text is a new one.
VERSION = 2
_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prompts", "turn.md")
_OPEN, _CLOSE = "<turn>", "</turn>"
_ASK = "Which statements of the final message would a fair reviewer challenge? JSON only."


def instruction() -> str:
    """Return the shipped instruction."""
    with open(_FILE, encoding="utf-8") as file:
        return file.read().strip()


def render(digest: TurnDigest, system: str = "") -> tuple[str, str]:
    """Return instruction and question; ``system`` is another instruction than the shipped one.

    What stands in the digest cannot end the data: its delimiters are broken up there.
    """
    data = _sendable(digest.text).replace(_OPEN, "< turn>").replace(_CLOSE, "< /turn>")
    return system or instruction(), f"{_OPEN}\n{data}\n{_CLOSE}\n\n{_ASK}"


def _sendable(text: str) -> str:
    """Return ``text`` without halves of characters, which UTF-8 does not have."""
    return text.encode("utf-8", "replace").decode("utf-8")


#: The model of a provider for settings that name none: small ones, which answer within seconds.
MODELS = {
    "claude-code": "haiku",
    "anthropic": "claude-haiku-5-5",
    "openai": "gpt-4o-mini",
    "azure": "gpt-4o-mini",
}


def model_of(settings: Judge) -> str:
    """Return the model that is asked."""
    return settings.model or MODELS[settings.provider]


def turn_request(digest: TurnDigest, settings: Judge) -> dict[str, Any]:
    """Return the request about a turn: provider and model, the rendered prompt, what it holds.

    ``numbers`` are the statements that an answer may speak of, ``calls`` the tool calls of the
    turn.
    """
    system, content = render(digest)
    return {
        "provider": settings.provider,
        "model": model_of(settings),
        "base_url": settings.base_url,
        "budget_ms": settings.budget_ms,
        "prices": dict(settings.prices),
        "keep": settings.keep_digests,
        "system": system,
        "content": content,
        "numbers": [one.number for one in digest.statements],
        "calls": digest.all_calls,
        "prompt_version": VERSION,
    }
