"""Qwen Code: hooks, settings and sessions of version 0.24.

Events and answers are those of Claude Code:
https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/ . Sessions are written by
``packages/core/src/services/chatRecordingService.ts`` of QwenLM/qwen-code: a line of JSON for each
content of the Gemini API. What a sub-agent does stands in a file of its own.
"""

from __future__ import annotations

import os

from groundwire.inputs.event import SUBAGENT_STOP
from groundwire.inputs.hosts.google import TOOLS, response
from groundwire.inputs.hosts.host import AGENT_EVENTS, Host, Settings, command_handler, understood
from groundwire.inputs.hosts.lines import Lines, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundwire.inputs.hosts.host import Entry


def event(raw: Entry, _env: Mapping[str, str]) -> Entry:
    """Return the event; one of a sub-agent names its parent's session where the agent has a file.

    That stands beside the folder of the session, below ``subagents``.
    """
    if raw.get("hook_event_name") != SUBAGENT_STOP:
        return raw
    session = text_at(raw, "agent_transcript_path") or text_at(raw, "transcript_path")
    folder, name = os.path.dirname(os.path.dirname(session)), os.path.basename(session)
    agent = f"agent-{os.path.basename(text_at(raw, 'agent_id'))}.jsonl"
    path = os.path.join(folder, "subagents", name.removesuffix(".jsonl"), agent)
    return {**raw, "agent_transcript_path": path} if os.path.isfile(path) else raw


def entries(records: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the lines of a session without those of sub-agents, or of a sub-agent's own file."""
    lines = Lines(TOOLS)
    own = None
    for record in records:
        agent = record.get("isSidechain") is True or bool(record.get("agentId"))
        own = agent if own is None else own
        if agent is not own:
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
    event,
    understood,
    entries,
    wrote,
    ".qwen/projects",
    Settings(".qwen/settings.json", ".qwen/settings.json", AGENT_EVENTS, command_handler),
)
