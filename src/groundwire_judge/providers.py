"""Which provider is which, and where its key comes from: the environment, nowhere else.

``claude-code`` is the user's own client, which needs no key of ours; a server of one's own behind
``base_url`` needs none either.
"""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.base.settings import CLAUDE_CODE
from groundwire.settings.judge_models import OWN_ADDRESSES, origin
from groundwire_judge.protocol import JudgeError, Provider

#: Environment variable with the key of each provider.
KEYS = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "azure": "AZURE_OPENAI_API_KEY",
}
#: Environment variable with the address, as the official clients name it.
ADDRESSES = {
    "openai": "OPENAI_BASE_URL",
    "anthropic": "ANTHROPIC_BASE_URL",
    "azure": "AZURE_OPENAI_ENDPOINT",
}
#: What is sent as a key to a server that wants none.
NO_KEY = "none"
_AZURE_VERSION = "OPENAI_API_VERSION"
#: First stable version of Azure's API with structured answers.
DEFAULT_AZURE_VERSION = "2024-10-21"


def make_provider(name: str, env: Mapping[str, str], base_url: str = "") -> Provider:
    """Return the provider of this name; its client is imported here.

    ``base_url`` goes before the environment. A key goes to the address that the environment names
    with it, or to the provider's own, and to no other. Raises JudgeError when the key, the address
    of an Azure resource, the client library or the client is missing.
    """
    if name == CLAUDE_CODE:
        from groundwire_judge.claude_code import ClaudeCodeProvider

        return ClaudeCodeProvider(env)
    variable = KEYS.get(name)
    if variable is None:
        raise JudgeError(f"provider: value {name!r}: allowed: {', '.join((*KEYS, CLAUDE_CODE))}")
    named = env.get(ADDRESSES[name], "").strip()
    fits = not base_url or origin(base_url) == origin(named or OWN_ADDRESSES.get(name, ""))
    key = env.get(variable, "").strip() if fits else ""
    if not key and not (name == "openai" and base_url):
        more = "" if fits else f" for {base_url}: set {ADDRESSES[name]} to that address with it"
        raise JudgeError(f"{name}: {variable} is not set in the environment{more}")
    address = base_url or named or None
    try:
        return _provider(name, key or NO_KEY, address, env)
    except ImportError as error:
        raise JudgeError(
            f"{name}: the client library cannot be imported ({error.name}): "
            'pip install "groundwire[judge]"'
        ) from None


def _provider(name: str, key: str, address: str | None, env: Mapping[str, str]) -> Provider:
    if name == "anthropic":
        from groundwire_judge.anthropic_provider import AnthropicProvider

        return AnthropicProvider(key, address)
    from groundwire_judge.openai_provider import azure_provider, openai_provider

    if name == "openai":
        return openai_provider(key, address)
    if address is None:
        raise JudgeError(f"azure: {ADDRESSES[name]} is not set in the environment")
    return azure_provider(key, address, env.get(_AZURE_VERSION) or DEFAULT_AZURE_VERSION)
