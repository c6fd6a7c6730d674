"""Calls that ran something on the code as it was before: between ``git stash`` and its ``pop``.

What fails there tells nothing of the changes of the turn, and the two together change no file.
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.shell import read_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.model import ToolCall

_PUT_AWAY = ("push", "save")
_TAKEN_BACK = ("pop", "apply")


def set_aside(calls: Sequence[ToolCall]) -> frozenset[int]:
    """Return the positions of the calls from each ``git stash`` to the call that takes it back.

    A stash that is never taken back puts the changes away for good, and is none of these.
    """
    found: set[int] = set()
    started: int | None = None
    for at, call in enumerate(calls):
        for word in _stashes(call):
            if word in _PUT_AWAY and started is None:
                started = at
            elif word in _TAKEN_BACK and started is not None:
                found.update(range(started, at + 1))
                started = None
    return frozenset(found)


def _stashes(call: ToolCall) -> Iterator[str]:
    """Yield what each ``git stash`` of a shell call does, in order."""
    text = call.input.get("command") if call.name in SHELL_TOOLS else None
    if not isinstance(text, str) or "stash" not in text:
        return
    for command in read_commands(text):
        words = [word for word in command.argv[1:] if word[:1] != "-"]
        if command.argv[:1] == ("git",) and words[:1] == ["stash"]:
            yield words[1] if len(words) > 1 else "push"
