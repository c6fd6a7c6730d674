"""Tool calls as rows of a table: ``[tool, argument or arguments, result, error]``."""

from collections.abc import Sequence
from typing import Any

from groundwire.base.model import ToolCall

#: What a plain text as argument of a tool is, where it is not the path of a file.
_MAIN = {"Bash": "command", "PowerShell": "command", "Grep": "pattern"}


Calls = Sequence[Sequence[Any]]


def calls_of(rows: Calls) -> tuple[ToolCall, ...]:
    """Return the calls with the ids t-1, t-2, ...; a call without a result returns "ok"."""
    return tuple(_call(f"t-{number}", *row) for number, row in enumerate(rows, 1))


def _call(
    call_id: str, tool: str, arguments: Any, result: str = "ok", error: bool = False
) -> ToolCall:
    given = {_MAIN.get(tool, "file_path"): arguments} if isinstance(arguments, str) else arguments
    return ToolCall(call_id, tool, given, result, error)
