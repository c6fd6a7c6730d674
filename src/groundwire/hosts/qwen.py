"""Qwen Code: hooks, settings and sessions of version 0.24.

Events and answers are those of Claude Code:
https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/ . Sessions are written by
``packages/core/src/services/chatRecordingService.ts`` of QwenLM/qwen-code: a line of JSON for each
content of the Gemini API.
"""

from __future__ import annotations

from groundwire.hosts.google import TOOLS, response
from groundwire.hosts.host import EVENTS, Host, Settings, as_it_is, command_handler, understood
from groundwire.hosts.lines import Lines, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundwire.hosts.host import Entry


def entries(records: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the lines of a session; those of sub-agents are left out."""
    lines = Lines(TOOLS)
    for record in records:
        if record.get("isSidechain") is True or record.get("agentId"):
            continue
        lines.session_id = text_at(record, "sessionId") or lines.session_id
        lines.cwd = text_at(record, "cwd") or lines.cwd
        message = record.get("message")
        parts = message.get("parts") if isinstance(message, dict) else None
        for part in parts if isinstance(parts, list) else []:
            if isinstance(part, dict) and part.get("thought") is not True:
                yield from _part(part, record, lines)


def _part(part: Entry, record: Entry, lines: Lines) -> Iterator[Entry]:
    kind, text = record.get("type"), text_at(part, "text")
    call, returned = part.get("functionCall"), part.get("functionResponse")
    if isinstance(call, dict):
        yield lines.called(text_at(call, "id"), text_at(call, "name"), call.get("args"))
    elif isinstance(returned, dict):
        yield response(lines, returned, text_at(record, "toolCallResult", "status"))
    elif text.strip() and kind == "assistant":
        yield lines.said(text, text_at(record, "uuid"), text_at(record, "timestamp"))
    elif text.strip() and kind == "user":
        if record.get("provenance", "real_user") == "real_user":
            yield lines.prompt(text, text_at(record, "timestamp"))
        else:
            yield lines.note(text)


def wrote(record: Entry) -> bool:
    """Tell by a line with parts, as the Gemini API has them, that it is one of Qwen Code."""
    message = record.get("message")
    return "uuid" in record and isinstance(message, dict) and "parts" in message


HOST = Host(
    "Qwen Code",
    as_it_is,
    understood,
    entries,
    wrote,
    ".qwen/projects",
    Settings(".qwen/settings.json", ".qwen/settings.json", EVENTS, command_handler),
)
