"""Where the admin server's settings may let the judge send digests to.

The server's file is changed over HTTP, the user's own by hand. So it may name the providers' own
addresses, plain http on this machine, and what the user's file names; else its judge counts not.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from groundwire.base.settings import SHIPPED
from groundwire.settings.layers import Layer
from groundwire.settings.toml_text import show_value

#: The address of each provider that has one of its own.
OWN_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
_KEY = ("judge", "base_url")
_PORTS = {"http": 80, "https": 443}


def origin(address: str) -> tuple[str, str, int]:
    """Return scheme, host and port of an address; ("", "", 0) for what is none."""
    try:
        parts = urlsplit(address.strip())
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return "", "", 0
    return parts.scheme, (parts.hostname or "").rstrip("."), port


def is_on_this_machine(address: str) -> bool:
    """Tell whether ``address`` is one of the loopback interface, reached by http."""
    scheme, host, _ = origin(address)
    try:
        return scheme == "http" and (host == "localhost" or ip_address(host).is_loopback)
    except ValueError:
        return False


def address_problem(layer: Layer, below: Mapping[str, Any]) -> tuple[tuple[str, ...], str] | None:
    """Return key and problem of an address that the admin's ``layer`` may not set, or None.

    ``below`` are the settings that hold without it.
    """
    address = layer.document.get("judge", {}).get("base_url", "")
    users = below["judge"]["base_url"]
    known = [SHIPPED.judge.base_url, users]
    allowed = [origin(one) for one in (*OWN_ADDRESSES.values(), users) if one]
    if address in known or is_on_this_machine(address) or origin(address) in allowed:
        return None
    own = ", ".join(OWN_ADDRESSES.values())
    text = f"value {show_value(address)}: allowed: {own}, http://127.0.0.1:PORT, or what your"
    return _KEY, f"{text} config.toml names"


def within_addresses(layer: Layer, below: Mapping[str, Any]) -> tuple[Layer, list[str]]:
    """Return the admin's ``layer``, without its judge where that has another address, and why."""
    problem = address_problem(layer, below)
    if problem is None:
        return layer, []
    key, text = problem
    rest = {name: value for name, value in layer.document.items() if name != "judge"}
    return layer.replace(document=rest), [layer.error(key, f"{text}; no key of judge counts here")]
