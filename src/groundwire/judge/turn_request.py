"""What is sent about a turn, as plain data; used by the hook, so it imports no client."""

from __future__ import annotations

from groundwire.judge.turn_prompt import VERSION, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from groundwire.settings import Judge
    from groundwire.turn_page.digest import TurnDigest

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
