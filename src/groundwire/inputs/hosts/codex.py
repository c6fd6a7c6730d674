"""Codex CLI: hooks, settings and sessions of version 0.169.

Events and answers: https://developers.openai.com/codex/hooks , which are Claude Code's but for
``turn_id`` and ``model`` in each, and no answer may hold a key that is not named there. Sessions
are written by ``codex-rs/rollout`` of openai/codex: a line of JSON for each item of the Responses
API (``response_item``) and for what happened besides (``event_msg``).
"""

from __future__ import annotations

from groundwire.base.json_codec import loads
from groundwire.inputs.hosts.host import (
    AGENT_EVENTS,
    Host,
    Settings,
    as_it_is,
    command_handler,
    understood,
)
from groundwire.inputs.hosts.lines import Lines, code_behind, joined, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundwire.inputs.hosts.host import Entry

_TOOLS = {
    "shell": "Bash",
    "shell_command": "Bash",
    "local_shell_call": "Bash",
    "exec_command": "Bash",
    "container.exec": "Bash",
    "write_stdin": "BashOutput",
    "update_plan": "TaskList",
    "view_image": "Read",
    "exec": "TaskList",  # a script; what it runs are items of their own
}
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
_RUNNING = "Process running with session ID "
_CODES = ("Process exited with code ", "Exit code: ", "exit code ")
_OUTPUT = "Output:\n"
_DECLINED = ("rejected by user", "patch rejected", "apply_patch verification", "unsupported ")
_ABORTED, _ABORTED_CODE = "aborted by user", 143
_HEAD = 300


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
    elif kind == "item_completed" and isinstance(inner, dict):
        yield from _completed(inner, at, lines)
    elif kind == "turn_aborted":
        yield lines.interrupted()


def _completed(item: Entry, at: str, lines: Lines) -> Iterator[Entry]:
    """Yield what the user wrote, and what a script ran, which is a call of its own nowhere else."""
    kind, call_id = item.get("type"), text_at(item, "id")
    if kind == "UserMessage":
        yield lines.prompt(joined(item.get("content")), at)
    elif lines.name(call_id):
        return
    elif kind == "CommandExecution":
        folder = text_at(item, "cwd").removeprefix("file://")
        given = {"command": item.get("command"), "workdir": folder}
        yield lines.called(call_id, "exec_command", given)
        text, code = text_at(item, "aggregated_output"), item.get("exit_code")
        declined = item.get("status") == "declined"
        yield lines.refused(call_id, text) if declined else lines.returned(call_id, text, code=code)
    elif kind == "FileChange" and isinstance(item.get("changes"), dict):
        patch = "\n".join(_patch(item["changes"]))
        yield lines.called(call_id, "apply_patch", {"input": f"*** Begin Patch\n{patch}"})
        failed = item.get("status") != "completed"
        yield lines.returned(call_id, text_at(item, "stdout"), failed=failed)


def _patch(changes: Entry) -> Iterator[str]:
    for path, change in changes.items():
        kind = text_at(change, "type")
        yield f"*** {kind.capitalize()} File: {path}"
        if text_at(change, "move_path"):
            yield f"*** Move to: {change['move_path']}"
        added = text_at(change, "content") if kind == "add" else ""
        yield from (f"+{row}" for row in added.splitlines())
        yield text_at(change, "unified_diff")


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
        code = code_behind(head, _CODES) if code is None else code
    if _RUNNING in head:
        return lines.running(call_id, head.partition(_RUNNING)[2].split()[0], text)
    if code is None and any(sign in head for sign in _DECLINED):
        return lines.refused(call_id, text)
    if head.startswith(_ABORTED):
        return lines.returned(call_id, text, code=_ABORTED_CODE)
    return lines.returned(call_id, text, code=code)


def wrote(record: Entry) -> bool:
    """Tell by the head of a session, or by an item, that it is one of Codex."""
    return record.get("type") in ("session_meta", "response_item") and "payload" in record


HOST = Host(
    "Codex CLI",
    as_it_is,
    understood,
    entries,
    wrote,
    ".codex/sessions",
    Settings(
        ".codex/hooks.json",
        ".codex/hooks.json",
        AGENT_EVENTS,
        command_handler,
        variable="CODEX_HOME",
        hint="Codex runs a new hook only after you have trusted it: start codex, then /hooks",
    ),
)
