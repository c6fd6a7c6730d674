"""Failures of the official clients, put in words that hold neither key nor content.

The clients of both makers come from one generator, so their errors have the same shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.judge.protocol import Answer, JudgeError

#: Statuses that may be gone at the next attempt.
_PASSING = frozenset({408, 409, 425, 429})
_SERVER_ERROR = 500
_UNAUTHORISED = (401, 403)
_LONGEST = 200


def status_failure(provider: str, error: Any, key: str) -> JudgeError:
    """Return the failure that an ``APIStatusError`` of either client is.

    The message of a refused key may quote parts of the key and is left out.
    """
    status = int(error.status_code)
    retry = status in _PASSING or status >= _SERVER_ERROR
    text = f"{provider}: HTTP {status}"
    if status in _UNAUTHORISED:
        text += ": the key is not accepted"
    elif status < _SERVER_ERROR:
        text += f": {plain(message_of(error), key)}"
    return JudgeError(text, retry=retry, wait=_wait(error.response.headers))


def read_answer(provider: str, read: Callable[[Any], Answer], reply: Any) -> Answer:
    """Return the answer that ``read`` finds in a decoded reply, whose shape nobody has checked.

    Raises JudgeError.
    """
    try:
        return read(reply)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise JudgeError(f"{provider}: an answer that is none of this API") from None


def message_of(error: Any) -> str:
    """Return what the provider wrote, without the client's own words around it."""
    body = error.body
    for _ in range(2):
        if isinstance(body, dict) and isinstance(body.get("error"), dict):
            body = body["error"]
    message = body.get("message") if isinstance(body, dict) else None
    return message if isinstance(message, str) else str(error)


def plain(text: str, key: str) -> str:
    """Return one short line without ``key``."""
    line = " ".join(text.replace(key, "[key]").split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _wait(headers: Any) -> float | None:
    """Return the seconds that ``Retry-After`` asks for; None for a date or no number."""
    try:
        milliseconds = headers.get("retry-after-ms")
        if milliseconds:
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(headers.get("retry-after", "")))
    except ValueError:
        return None
