"""What a turn's tools did and returned, as a text for a judge; used on the hook path."""

from __future__ import annotations

from groundwire.render.prose import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.model import ToolCall

NO_CALLS = "(the turn made no tool call)"
_LONGEST_NAME = 60
_LONGEST_INPUT = 150
_SHORTEST_RESULT = 200
#: Characters of a call besides its result, at most.
_AROUND = 230
#: Calls that share the limit at least; more than these only when they are short.
_SHARES = 8
#: Fields of a tool's input that say what it was asked, in this order.
_ASKED = ("command", "file_path", "path", "pattern", "query", "url", "description", "prompt")
_GAP = "\n[...]\n"


def ledger_text(calls: Sequence[ToolCall], first: str, limit: int) -> str:
    """Return calls with their results, in order, in at most ``limit`` characters (500 or more).

    The call with the id ``first`` stays in whatever happens, then the latest ones. Of a long result
    the beginning and the end are kept, because outcomes stand there.
    """
    if not calls:
        return NO_CALLS
    share = max(_SHORTEST_RESULT, limit // min(len(calls), _SHARES) - _AROUND)
    order = sorted(range(len(calls)), key=lambda at: (calls[at].id == first and first != "", at))
    kept: dict[int, str] = {}
    left = limit
    for at in reversed(order):
        text = _call_text(calls[at], share)
        if len(text) + 2 > left:
            break
        kept[at] = text
        left -= len(text) + 2
    return "\n\n".join(kept[at] for at in sorted(kept))


def _call_text(call: ToolCall, share: int) -> str:
    asked = next((str(call.input[name]) for name in _ASKED if call.input.get(name)), "")
    if call.result is None:
        result = "(no result)"
    else:
        result = ("error: " if call.is_error else "") + _shortened(call.result, share)
    return f"$ {one_line(call.name, _LONGEST_NAME)}: {_shortened(asked, _LONGEST_INPUT)}\n{result}"


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head = (limit - len(_GAP)) // 3
    return f"{text[:head]}{_GAP}{text[len(_GAP) + head - limit :]}"
