"""Gemini CLI: hooks, settings and sessions of version 0.61.

Events and answers: https://geminicli.com/docs/hooks/reference . Sessions are written by
``packages/core/src/services/chatRecordingService.ts`` of google-gemini/gemini-cli: lines of JSON
since 0.34, where a later line of the same id takes the place of an earlier one, and one object
before.
"""

from __future__ import annotations

from groundwire.inputs.event import SESSION_START, STOP
from groundwire.inputs.hosts.google import TOOLS, response
from groundwire.inputs.hosts.host import Host, Settings, understood
from groundwire.inputs.hosts.lines import Lines, joined, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundwire.inputs.hosts.host import Entry

_AFTER_AGENT = "AfterAgent"
_CONTEXT, _FOLDERS = "<session_context>", "Workspace Directories:**\n"
_NOTICE = ("info", "warning", "error")


def event(raw: Entry, _env: Mapping[str, str]) -> Entry:
    """Return the Stop event that AfterAgent means; a start is the same as Claude Code's."""
    name = raw.get("hook_event_name")
    if name == SESSION_START:
        return raw
    if name != _AFTER_AGENT:
        return {}
    message = _last_message(text_at(raw, "prompt_response"), text_at(raw, "transcript_path"))
    return {**raw, "hook_event_name": STOP, "last_assistant_message": message}


def _last_message(said: str, path: str) -> str:
    """Return the final text: ``prompt_response`` is all that was said since the prompt."""
    from groundwire.base.errors import TranscriptError
    from groundwire.inputs.hosts.read import last_turn

    try:
        last = last_turn("gemini", path).message
    except TranscriptError:
        return said
    return last if last and said.rstrip().endswith(last) else said


def answer(fields: Entry, raw: Entry) -> Entry:
    """Return the answer; a stop is ``deny`` here."""
    fields = understood(fields, raw)
    return {**fields, "decision": "deny"} if "decision" in fields else fields


def entries(records: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the lines of a session, each message as it was written last."""
    lines = Lines(TOOLS)
    for message in _messages(records, lines):
        kind, at = message.get("type"), text_at(message, "timestamp")
        text = joined(message.get("content"))
        if kind == "user" and text.lstrip().startswith(_CONTEXT):
            lines.cwd = text.partition(_FOLDERS)[2].partition("\n")[0].strip(" -") or lines.cwd
            yield lines.note(text)
        elif kind == "user" and text.strip():
            yield lines.prompt(text, at)
        elif kind == "gemini":
            if text.strip():
                yield lines.said(text, text_at(message, "id"), at)
            yield from _calls(message.get("toolCalls"), lines)
        elif kind in _NOTICE and "cancelled" in text.lower():
            yield lines.interrupted()


def _calls(calls: object, lines: Lines) -> Iterator[Entry]:
    for call in calls if isinstance(calls, list) else []:
        call_id = text_at(call, "id")
        yield lines.called(call_id, text_at(call, "name"), call.get("args"))
        results = call.get("result")
        for part in results if isinstance(results, list) else []:
            reply = part.get("functionResponse") if isinstance(part, dict) else None
            if isinstance(reply, dict):
                yield response(lines, {**reply, "id": call_id}, text_at(call, "status"))
                break


def _messages(records: Iterable[Entry], lines: Lines) -> list[Entry]:
    """Return the messages in the order in which they began."""
    messages: dict[str, Entry] = {}
    for record in records:
        lines.session_id = text_at(record, "sessionId") or lines.session_id
        changed = record.get("$set")
        for holder in (record, changed if isinstance(changed, dict) else {}):
            listed = holder.get("messages")
            for message in listed if isinstance(listed, list) else []:
                messages[text_at(message, "id")] = message
        if isinstance(record.get("$rewindTo"), str):
            _rewind(messages, record["$rewindTo"])
        elif "type" in record and "id" in record:
            messages[text_at(record, "id")] = record
    return list(messages.values())


def _rewind(messages: dict[str, Entry], message_id: str) -> None:
    """Take back a message and all that follow it."""
    names = list(messages)
    for name in names[names.index(message_id) :] if message_id in messages else names:
        del messages[name]


def wrote(record: Entry) -> bool:
    """Tell by the head of a session that it is one of Gemini CLI."""
    return "projectHash" in record and "sessionId" in record


def _handler(command: str, _event: str) -> Entry:
    milliseconds = 20_000
    return {"type": "command", "name": "groundwire", "command": command, "timeout": milliseconds}


HOST = Host(
    "Gemini CLI",
    event,
    answer,
    entries,
    wrote,
    ".gemini/tmp",
    Settings(
        ".gemini/settings.json",
        ".gemini/settings.json",
        (_AFTER_AGENT, SESSION_START),
        _handler,
    ),
)
