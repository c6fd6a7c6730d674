"""Short content digests without ``hashlib``, which costs the hook a third of its start."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:  # pragma: no cover - interpreters without the C module
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def digest(data: bytes) -> str:
    """Return 32 hexadecimal characters that identify ``data``."""
    return blake2b(data, digest_size=16).hexdigest()


def digest_parts(parts: Iterable[str | bytes]) -> str:
    """Return 32 hexadecimal characters over ``parts``; their lengths count, too."""
    state = blake2b(digest_size=16)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.hexdigest()
