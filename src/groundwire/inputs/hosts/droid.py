"""Factory Droid: hooks, settings and sessions.

Events and answers: https://docs.factory.ai/reference/hooks-reference , which are Claude Code's but
for the names of fields, and ``FACTORY_PROJECT_DIR``. Sessions below ``~/.factory/sessions`` hold
the blocks of the Messages API in lines of type ``message``; their format is not documented.
"""

from __future__ import annotations

from groundwire.inputs.hosts.host import EVENTS, Host, Settings, command_handler, understood
from groundwire.inputs.hosts.lines import Lines, code_behind, joined, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundwire.inputs.hosts.host import Entry

_TOOLS = {"Execute": "Bash", "Create": "Write", "MultiEdit": "MultiEdit", "FetchUrl": "WebFetch"}
_FIELDS = {
    "hookEventName": "hook_event_name",
    "sessionId": "session_id",
    "transcriptPath": "transcript_path",
    "permissionMode": "permission_mode",
    "stopHookActive": "stop_hook_active",
    "lastAssistantMessage": "last_assistant_message",
}
#: Its mode for plans.
_SPEC, _PLAN = "spec", "plan"
_FIRST, _LAST = ("(exit code: ",), ("[Process exited with code ",)
_ENDS = 300


def event(raw: Entry, _env: Mapping[str, str]) -> Entry:
    """Return the event with Claude Code's names of its fields."""
    fields = {_FIELDS.get(key, key): value for key, value in raw.items()}
    path = text_at(fields, "transcript_path")
    if path.startswith("~"):
        from os.path import expanduser

        fields["transcript_path"] = expanduser(path)
    if fields.get("permission_mode") == _SPEC:
        fields["permission_mode"] = _PLAN
    return fields


def entries(records: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the lines of a session."""
    lines = Lines(_TOOLS)
    for record in records:
        if record.get("type") == "session_start":
            lines.session_id = text_at(record, "id")
            lines.cwd = text_at(record, "cwd")
        message = record.get("message")
        if record.get("type") != "message" or not isinstance(message, dict):
            continue
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks if isinstance(blocks, list) else []:
            if isinstance(block, dict):
                yield from _block(block, message, record, lines)


def _block(block: Entry, message: Entry, record: Entry, lines: Lines) -> Iterator[Entry]:
    kind, text = block.get("type"), text_at(block, "text")
    if kind == "tool_use":
        yield lines.called(text_at(block, "id"), text_at(block, "name"), block.get("input"))
    elif kind == "tool_result":
        yield _result(block, lines)
    elif kind == "text" and text.strip():
        at = text_at(record, "timestamp")
        if message.get("role") == "assistant":
            yield lines.said(text, text_at(record, "id"), at)
        elif message.get("visibility") == "llm_only" or text.startswith("<system-"):
            yield lines.note(text)
        else:
            yield lines.prompt(text, at)


def _result(block: Entry, lines: Lines) -> Entry:
    call_id, text = text_at(block, "tool_use_id"), joined(block.get("content"))
    failed = block.get("is_error") is True
    code = None
    if lines.name(call_id) == "Bash":
        code = code_behind(text[:_ENDS], _FIRST)
        code = code_behind(text[-_ENDS:], _LAST) if code is None else code
    return lines.returned(call_id, text, code=code, failed=failed and code is None)


def wrote(record: Entry) -> bool:
    """Tell by the head of a session, or a message, that it is one of Droid."""
    return record.get("type") in ("session_start", "message") and "data" not in record


HOST = Host(
    "Factory Droid",
    event,
    understood,
    entries,
    wrote,
    ".factory/sessions",
    Settings(
        ".factory/settings.json",
        ".factory/settings.json",
        EVENTS,
        command_handler,
        hint="Droid reads the hooks of settings.json only where no hooks.json stands beside it",
    ),
)
