"""Codex CLI: hooks, settings and sessions of version 0.169.

Events and answers: https://developers.openai.com/codex/hooks , which are Claude Code's but for
``turn_id`` and ``model`` in each, and no answer may hold a key that is not named there. Sessions
are written by ``codex-rs/rollout`` of openai/codex: a line of JSON for each item of the Responses
API (``response_item``) and for what happened besides (``event_msg``).
"""

from __future__ import annotations

from groundwire.hosts.host import EVENTS, Host, Settings, command_handler, understood
from groundwire.hosts.lines import Lines, joined, started, text_at
from groundwire.json_codec import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundwire.hosts.host import Entry

_TOOLS = {
    "shell": "Bash",
    "shell_command": "Bash",
    "local_shell_call": "Bash",
    "exec_command": "Bash",
    "container.exec": "Bash",
    "write_stdin": "BashOutput",
    "update_plan": "TaskList",
    "view_image": "Read",
}
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
_RUNNING = "Process running with session ID "
_CODES = ("Process exited with code ", "Exit code: ", "exit code ")
_OUTPUT = "Output:\n"
_DECLINED = ("exec command rejected", "rejected by user", "patch rejected", "failed in sandbox")
_ABORTED, _ABORTED_CODE = "aborted by user", 143
_HEAD = 300
_USER_ITEM = "UserMessage"


def event(raw: Entry, _env: Mapping[str, str]) -> Entry:
    """Return the event, which has Claude Code's fields."""
    return raw


def entries(records: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the lines of a session.

    What the user wrote is told by the event beside it, since context of the host has its role, too.
    """
    lines = Lines(_TOOLS)
    for record in records:
        item, at = record.get("payload"), text_at(record, "timestamp")
        if not isinstance(item, dict):
            continue
        kind = record.get("type")
        if kind in ("session_meta", "turn_context"):
            lines.session_id = text_at(item, "id") or lines.session_id
            lines.cwd = text_at(item, "cwd") or lines.cwd
        elif kind == "event_msg":
            yield from _event(item, at, lines)
        elif kind == "response_item":
            yield from _item(item, at, lines)


def _event(item: Entry, at: str, lines: Lines) -> Iterator[Entry]:
    kind, inner = item.get("type"), item.get("item")
    if kind == "user_message":
        yield lines.prompt(text_at(item, "message"), at)
    elif kind == "item_completed" and text_at(inner, "type") == _USER_ITEM:
        assert isinstance(inner, dict)
        yield lines.prompt(joined(inner.get("content")), at)
    elif kind == "turn_aborted":
        yield lines.interrupted()


def _item(item: Entry, at: str, lines: Lines) -> Iterator[Entry]:
    kind, call_id = item.get("type"), text_at(item, "call_id")
    if kind == "message":
        text = joined(item.get("content"))
        if item.get("role") == "assistant" and text.strip():
            yield lines.said(text, text_at(item, "id"), at)
        elif item.get("role") == "user" and text.lstrip().startswith(("<", "# AGENTS.md")):
            yield _context(text, lines)
    elif kind in _CALLS:
        name = text_at(item, "name") or str(kind)
        yield lines.called(call_id, name, _arguments(item))
    elif kind in _OUTPUTS:
        yield _output(call_id, item.get("output"), lines)


def _context(text: str, lines: Lines) -> Entry:
    """Return the line of what Codex says as the user; what a hook sent back is none to know."""
    inner = text.partition(">")[2]
    return lines.prompt(inner) if text.startswith("<hook_prompt") else lines.note(text)


def _arguments(item: Entry) -> object:
    given = item.get("arguments", item.get("input", item.get("action")))
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            return loads(given)
        except ValueError:
            return given
    return given


def _output(call_id: str, output: object, lines: Lines) -> Entry:
    text, code = joined(output), None
    if text.startswith("{"):  # as earlier versions wrote it
        try:
            fields = loads(text)
        except ValueError:
            fields = {}
        if isinstance(fields, dict) and "output" in fields:
            text = text_at(fields, "output")
            metadata = fields.get("metadata")
            code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    head = text[:_HEAD]
    if _OUTPUT in head or head.startswith(_CODES):
        head, _, text = text.partition(_OUTPUT)
        code = _code(head) if code is None else code
    if _RUNNING in head:
        number = head.partition(_RUNNING)[2].split()[0]
        return lines.returned(call_id, started(number))
    if any(sign in head for sign in _DECLINED) and code is None:
        return lines.refused(call_id, text)
    if head.startswith(_ABORTED):
        return lines.returned(call_id, text, code=_ABORTED_CODE)
    return lines.returned(call_id, text, code=code)


def _code(head: str) -> int | None:
    for sign in _CODES:
        number = head.partition(sign)[2].split("\n")[0].strip()
        if number.isdigit():
            return int(number)
    return None


def wrote(record: Entry) -> bool:
    """Tell by the head of a session, or by an item, that it is one of Codex."""
    return record.get("type") in ("session_meta", "response_item") and "payload" in record


HOST = Host(
    "Codex CLI",
    event,
    understood,
    entries,
    wrote,
    ".codex/sessions",
    Settings(
        ".codex/hooks.json",
        ".codex/hooks.json",
        EVENTS,
        command_handler,
        variable="CODEX_HOME",
        hint="Codex runs a new hook only after you have trusted it: start codex, then /hooks",
    ),
)
