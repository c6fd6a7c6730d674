"""What models cost, and which one is the next larger: list prices of the providers, by date."""

from __future__ import annotations

#: The day on which the prices were looked up, in the providers' own lists.
PRICED = "2026-11-28"
MILLION = 1_000_000
#: Dollars for a million tokens read and written. The prices of Haiku hold up to 100,000 tokens.
TOKEN_PRICES = {
    ("openai", "gpt-4o-mini"): (0.15, 0.60),
    ("openai", "gpt-6-luna"): (0.10, 0.50),
    ("openai", "gpt-6-sol"): (2.0, 10.0),
    ("azure", "gpt-4o-mini"): (0.15, 0.60),
    ("anthropic", "claude-haiku-5-5"): (0.10, 0.50),
    ("anthropic", "claude-sonnet-5-5"): (2.0, 10.0),
    ("anthropic", "claude-opus-5-5"): (4.0, 20.0),
    ("claude-code", "haiku"): (0.10, 0.50),
    ("claude-code", "sonnet"): (2.0, 10.0),
    ("claude-code", "opus"): (4.0, 20.0),
}
#: The models of a provider that are offered, the smallest first.
LADDER = {
    "claude-code": ("haiku", "sonnet", "opus"),
    "anthropic": ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"),
    "openai": ("gpt-6-luna", "gpt-6-sol"),
}


def dollars(provider: str, model: str, read: int, written: int) -> float | None:
    """Return the dollars of so many tokens; None when the price is not known."""
    prices = TOKEN_PRICES.get((provider, model))
    return None if prices is None else (read * prices[0] + written * prices[1]) / MILLION


def larger_model(provider: str, model: str) -> str:
    """Return the next larger model of a provider, "" when none is known."""
    names = LADDER.get(provider, ())
    at = names.index(model) + 1 if model in names else len(names)
    return names[at] if at < len(names) else ""
