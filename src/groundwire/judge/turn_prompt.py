"""The prompt about a turn: the shipped instruction, and the digest as data between delimiters."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.turn_page.digest import TurnDigest

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
