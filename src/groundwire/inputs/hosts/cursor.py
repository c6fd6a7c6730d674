"""Cursor: hooks of the editor and its command line, version 1 of their settings.

Events and answers: https://cursor.com/docs/agent/hooks . ``stop`` names no message, and Cursor's
own transcripts hold no tool results and are not documented, so the events of one turn are kept as
they come, in a file for each conversation, and read at its end.
"""

from __future__ import annotations

import os
from time import sleep

from groundwire.base.digest import digest
from groundwire.base.json_codec import dumps, loads
from groundwire.inputs.event import SESSION_START, STOP
from groundwire.inputs.hosts.host import LIST, TIMEOUT_SECONDS, Host, Settings
from groundwire.inputs.hosts.lines import Lines, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundwire.inputs.hosts.host import Entry

_TOOLS = {
    "Shell": "Bash",
    "StrReplace": "Edit",
    "TabWrite": "Edit",
    "Delete": "Delete",
    "TodoWrite": "TodoWrite",
    "SemanticSearch": "SemanticSearch",
}
_PROMPT, _SAID, _STOP = "beforeSubmitPrompt", "afterAgentResponse", "stop"
_USED, _FAILED = "postToolUse", "postToolUseFailure"
_START, _END = "sessionStart", "sessionEnd"
_KEPT = (_PROMPT, _USED, _FAILED, _SAID)
#: What is kept of an event.
_FIELDS = (
    "hook_event_name",
    "conversation_id",
    "prompt",
    "text",
    "tool_name",
    "tool_input",
    "tool_output",
    "tool_use_id",
    "error_message",
    "failure_type",
    "cwd",
    "workspace_roots",
)
#: Turns go on until the file is so long.
_LONGEST = 64 * 2**20
#: How long a stop waits for the message, whose event may come a little later: steps, and seconds.
_STEPS, _STEP = 40, 0.025
_DENIED, _TIMED_OUT = "permission_denied", ("timeout", 124)


def event(raw: Entry, env: Mapping[str, str]) -> Entry:
    """Keep an event of a turn, or return what its end or the start of a session means."""
    name = text_at(raw, "hook_event_name")
    path = _path(raw, env)
    if name in _KEPT and path:
        _keep(raw, path)
    elif name == _END and path and os.path.exists(path):
        os.unlink(path)
    roots = raw.get("workspace_roots")
    fields = {
        "session_id": text_at(raw, "conversation_id") or text_at(raw, "session_id"),
        "cwd": roots[0] if isinstance(roots, list) and roots else "",
    }
    if name == _START:
        return {**fields, "hook_event_name": SESSION_START, "source": "startup"}
    if name != _STOP or raw.get("status", "completed") != "completed" or not path:
        return {}
    _wait_for_message(path)
    count = raw.get("loop_count")
    active = isinstance(count, int) and count > 0
    stop = {"hook_event_name": STOP, "transcript_path": path, "stop_hook_active": active}
    return {**fields, **stop}


def _path(raw: Entry, env: Mapping[str, str]) -> str:
    from groundwire.base.paths import state_folder

    folder, name = state_folder(env), text_at(raw, "conversation_id")
    if not folder or not name:
        return ""
    return os.path.join(folder, "cursor", f"{digest(name.encode())}.jsonl")


def _keep(raw: Entry, path: str) -> None:
    """Add an event to the file of its conversation, which begins anew with a prompt of the user."""
    begins = raw["hook_event_name"] == _PROMPT and not text_at(raw, "prompt").startswith(
        "groundwire: "
    )
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (os.O_TRUNC if begins else 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        if os.fstat(descriptor).st_size < _LONGEST:
            line = dumps({key: raw[key] for key in _FIELDS if key in raw})
            os.write(descriptor, f"{line}\n".encode())
    finally:
        os.close(descriptor)


def _wait_for_message(path: str) -> None:
    """Wait until the last event that was kept is a message of the model."""
    for _ in range(_STEPS):
        try:
            with open(path, "rb") as file:
                last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
            if loads(last).get("hook_event_name") == _SAID:
                return
        except (OSError, ValueError):
            pass
        sleep(_STEP)


def answer(fields: Entry, raw: Entry) -> Entry:
    """Return the answer: Cursor goes on with what it takes for the next prompt."""
    context = text_at(fields, "hookSpecificOutput", "additionalContext")
    if context:
        return {"additional_context": context}
    if fields.get("decision") == "block":
        return {"followup_message": fields["reason"]}
    return {"continue": True} if raw.get("hook_event_name") == _PROMPT else {}


def entries(records: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the lines of the events that were kept."""
    lines = Lines(_TOOLS)
    for number, record in enumerate(records):
        name = record.get("hook_event_name")
        lines.session_id = text_at(record, "conversation_id")
        roots = record.get("workspace_roots")
        lines.cwd = str(roots[0]) if isinstance(roots, list) and roots else lines.cwd
        if name == _PROMPT:
            yield lines.prompt(text_at(record, "prompt"))
        elif name == _SAID:
            yield lines.said(text_at(record, "text"), str(number))
        elif name in (_USED, _FAILED):
            call_id = text_at(record, "tool_use_id") or str(number)
            yield lines.called(call_id, text_at(record, "tool_name"), record.get("tool_input"))
            yield _result(call_id, record, lines)


def _result(call_id: str, record: Entry, lines: Lines) -> Entry:
    if record["hook_event_name"] == _FAILED:
        text, kind = text_at(record, "error_message"), record.get("failure_type")
        if kind == _DENIED:
            return lines.refused(call_id, text)
        code = _TIMED_OUT[1] if kind == _TIMED_OUT[0] else None
        return lines.returned(call_id, text, code=code, failed=True)
    text = text_at(record, "tool_output")
    try:
        fields = loads(text)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        return lines.returned(call_id, text)
    code = fields.get("exitCode")
    texts = [text_at(fields, key) for key in ("stdout", "stderr", "output")]
    output = "\n".join(filter(None, texts)) if any(key in fields for key in _STREAMS) else text
    return lines.returned(call_id, output, code=code if isinstance(code, int) else None)


_STREAMS = ("stdout", "stderr", "output", "exitCode")


def wrote(record: Entry) -> bool:
    """Tell by an event that the file is one that is kept for Cursor."""
    return "conversation_id" in record and record.get("hook_event_name") in _KEPT


def _handler(command: str, event_name: str) -> Entry:
    handler: Entry = {"command": command, "timeout": TIMEOUT_SECONDS}
    return {**handler, "loop_limit": 5} if event_name == _STOP else handler


HOST = Host(
    "Cursor",
    event,
    answer,
    entries,
    wrote,
    ".local/state/groundwire/cursor",
    Settings(
        ".cursor/hooks.json",
        ".cursor/hooks.json",
        (*_KEPT, _STOP, _START, _END),
        _handler,
        LIST,
    ),
)
