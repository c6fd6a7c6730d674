"""Copilot CLI: hooks, settings and sessions of version 1.0.

Events and answers: https://docs.github.com/en/copilot/reference/copilot-cli-reference
(cli-hooks-reference); an event does not say its name. Sessions are ``events.jsonl`` below
``~/.copilot/session-state``; ``schemas/session-events.schema.json`` of the package describes them.
"""

from __future__ import annotations

from groundwire.inputs.event import SESSION_START, STOP
from groundwire.inputs.hosts.host import OWN_FILE, TIMEOUT_SECONDS, Host, Settings
from groundwire.inputs.hosts.lines import Lines, code_behind, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundwire.inputs.hosts.host import Entry

_TOOLS = {
    "bash": "Bash",
    "powershell": "PowerShell",
    "read_bash": "BashOutput",
    "stop_bash": "KillShell",
    "view": "Read",
    "edit": "Edit",
    "str_replace": "Edit",
    "create": "Write",
    "grep": "Grep",
    "rg": "Grep",
    "glob": "Glob",
    "task": "Agent",
    "web_fetch": "WebFetch",
    "update_todo": "TaskList",
    "report_intent": "TaskList",
    "skill": "Skill",
}
_AGENT_STOP, _START = "agentStop", "sessionStart"
_SOURCES = {"new": "startup"}
#: Last lines of an output, behind which the host writes how the command ended.
_NOTES = ("<shellId: ", "<exited with ", "<command ")
_RUNNING = ("is still running", "started in background")
_DECLINED, _CODES = ("denied", "rejected"), ("exit code ",)


def event(raw: Entry, _env: Mapping[str, str]) -> Entry:
    """Return the event that a payload of agentStop or sessionStart means."""
    fields = {
        "session_id": text_at(raw, "sessionId"),
        "cwd": text_at(raw, "cwd"),
        "transcript_path": text_at(raw, "transcriptPath"),
    }
    if "stopReason" in raw:
        active = raw.get("stop_hook_active") is True
        return {**fields, "hook_event_name": STOP, "stop_hook_active": active}
    if "source" in raw:
        source = text_at(raw, "source")
        named = {"hook_event_name": SESSION_START, "source": _SOURCES.get(source, source)}
        return {**fields, **named}
    return {}


def answer(fields: Entry, _raw: Entry) -> Entry:
    """Return the answer to agentStop, or the context for a start."""
    context = text_at(fields, "hookSpecificOutput", "additionalContext")
    if context:
        return {"additionalContext": context}
    return {key: fields[key] for key in ("decision", "reason") if key in fields}


def entries(records: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the lines of a session; those of sub-agents are left out."""
    lines = Lines(_TOOLS)
    for record in records:
        data = record.get("data")
        if not isinstance(data, dict) or data.get("parentToolCallId") or record.get("agentId"):
            continue
        kind, at = record.get("type"), text_at(record, "timestamp")
        if kind in ("session.start", "session.resume"):
            lines.session_id = text_at(data, "sessionId") or lines.session_id
            lines.cwd = text_at(data, "context", "cwd") or lines.cwd
        elif kind == "user.message":
            text = text_at(data, "content")
            yield lines.note(text) if data.get("source") else lines.prompt(text, at)
        elif kind == "assistant.message":
            yield from _message(data, at, lines)
        elif kind == "tool.execution_complete":
            yield _result(data, lines)
        elif kind == "abort":
            yield lines.interrupted()


def _message(data: Entry, at: str, lines: Lines) -> Iterator[Entry]:
    if text_at(data, "content").strip():
        yield lines.said(text_at(data, "content"), text_at(data, "messageId"), at)
    requests = data.get("toolRequests")
    for call in requests if isinstance(requests, list) else []:
        name = text_at(call, "name")
        yield lines.called(text_at(call, "toolCallId"), name, call.get("arguments"))


def _result(data: Entry, lines: Lines) -> Entry:
    call_id, error = text_at(data, "toolCallId"), data.get("error")
    if data.get("success") is not True:
        text = text_at(error, "message")
        declined = text_at(error, "code") in _DECLINED
        return lines.failed(call_id, text, declined=declined)
    text = text_at(data, "result", "content")
    body, _, last = text.rpartition("\n")
    if not last.startswith(_NOTES):
        return lines.returned(call_id, text)
    task = last.partition("shellId: ")[2].strip(">").split()
    if task and any(sign in last for sign in _RUNNING):
        return lines.running(call_id, task[0], body)
    ended = data.get("shellExecution")
    code = ended.get("exitCode") if isinstance(ended, dict) else None
    code = code_behind(last, _CODES) if code is None else code
    return lines.returned(call_id, body, code=code)


def wrote(record: Entry) -> bool:
    """Tell by the head of a session that it is one of Copilot CLI."""
    return record.get("type") == "session.start" and "data" in record


def _handler(command: str, _event: str) -> Entry:
    given = {"bash": command, "powershell": command}
    return {"type": "command", **given, "timeoutSec": TIMEOUT_SECONDS}


HOST = Host(
    "Copilot CLI",
    event,
    answer,
    entries,
    wrote,
    ".copilot/session-state",
    Settings(
        ".copilot/hooks/groundwire.json",
        ".github/hooks/groundwire.json",
        (_AGENT_STOP, _START),
        _handler,
        OWN_FILE,
        "COPILOT_HOME",
    ),
)
