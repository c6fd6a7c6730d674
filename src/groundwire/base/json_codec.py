"""JSON through the interpreter's C scanner and encoder, without importing the ``json`` package.

``json`` imports ``re``, which costs the hook as much as starting the interpreter. Where the C
parts are missing, the library itself is used; a test holds both to the same answers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_scan: Callable[[str, int], tuple[Any, int]] | None = None
_encode: Callable[[Any, int], Iterable[str]] | None = None

_SPACE = " \t\n\r"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


class _Context:
    """The attributes that the C scanner reads from its decoder."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)

    def __init__(self) -> None:
        self.memo: dict[str, str] = {}


def _not_serialisable(value: object) -> None:
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


try:
    from _json import encode_basestring_ascii, make_encoder, make_scanner

    _scan = make_scanner(_Context())  # type: ignore[arg-type]
    _encode = make_encoder(
        None, _not_serialisable, encode_basestring_ascii, None, ": ", ", ", False, False, False
    )
except ImportError:  # pragma: no cover - other interpreters; see the agreement test
    pass


def decode_first(text: str, start: int = 0) -> tuple[Any, int]:
    """Return the first JSON value at or after ``start`` and the position behind it.

    Raises ValueError when there is none, or when it is cut off.
    """
    while start < len(text) and text[start] in _SPACE:
        start += 1
    if _scan is None:
        import json

        return json.JSONDecoder().raw_decode(text, start)
    try:
        value, end = _scan(text, start)
    except StopIteration as stop:
        raise ValueError(f"no JSON value at character {stop.value}") from None
    except SystemError:
        # the scanner builds its own error from ``json.decoder``, which is not loaded here
        raise ValueError("malformed or cut-off JSON") from None
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
    return value, end


def loads(data: str | bytes) -> Any:
    """Decode one JSON document; ``bytes`` are UTF-8. Raises ValueError when it is not JSON."""
    text = data.decode("utf-8") if isinstance(data, bytes) else data
    value, end = decode_first(text)
    if text[end:].strip(_SPACE):
        raise ValueError(f"unexpected text behind the JSON value at character {end}")
    return value


def dumps(value: Any) -> str:
    """Encode ``value`` as one ASCII line of JSON. Raises TypeError or ValueError."""
    if _encode is None:
        import json

        return json.dumps(value)
    return "".join(_encode(value, 0))
