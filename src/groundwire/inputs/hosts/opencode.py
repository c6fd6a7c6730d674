"""opencode: plugins and sessions of version 1.18.

Events: https://opencode.ai/docs/plugins/ . It has no hooks of its own, so ``install`` writes a
plugin that hands over the messages of a session when it is idle (``session.idle``), in the form in
which ``opencode export`` writes them, and sends the reason of a stop as the next prompt.
"""

from __future__ import annotations

from groundwire.inputs.event import STOP
from groundwire.inputs.hosts.host import OWN_FILE, Host, Settings, understood
from groundwire.inputs.hosts.lines import Lines, plain_hits, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from groundwire.inputs.hosts.host import Entry

_TOOLS = {
    "bash": "Bash",
    "edit": "Edit",
    "multiedit": "MultiEdit",
    "write": "Write",
    "read": "Read",
    "list": "LS",
    "grep": "Grep",
    "glob": "Glob",
    "task": "Agent",
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
    "todowrite": "TodoWrite",
    "todoread": "TaskList",
    "skill": "Skill",
    "question": "AskUserQuestion",
}
_TIMED_OUT, _TIMED_OUT_CODE = "exceeding timeout", 124
_DECLINED = ("The user rejected", "The user has specified a rule")
_MESSAGE_ABORTED = "MessageAbortedError"


def event(raw: Entry, _env: Mapping[str, str]) -> Entry:
    """Return the Stop event that an idle session means."""
    if raw.get("type") != "session.idle":
        return {}
    return {
        "hook_event_name": STOP,
        "session_id": text_at(raw, "properties", "sessionID"),
        "cwd": text_at(raw, "cwd"),
        "transcript_path": text_at(raw, "transcript_path"),
    }


def entries(records: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the lines of exported sessions."""
    for record in records:
        lines = Lines(_TOOLS)
        lines.session_id = text_at(record, "info", "id")
        lines.cwd = text_at(record, "info", "directory")
        messages = record.get("messages")
        for message in messages if isinstance(messages, list) else []:
            parts = message.get("parts") if isinstance(message, dict) else None
            for part in parts if isinstance(parts, list) else []:
                yield from _part(part, message, lines)
            if text_at(message, "info", "error", "name") == _MESSAGE_ABORTED:
                yield lines.interrupted()


def _part(part: Entry, message: Entry, lines: Lines) -> Iterator[Entry]:
    kind, text, at = part.get("type"), text_at(part, "text"), _time(message)
    if kind == "text" and text.strip():
        if text_at(message, "info", "role") == "assistant":
            yield lines.said(text, text_at(message, "info", "id"), at)
        else:
            yield lines.note(text) if part.get("synthetic") is True else lines.prompt(text, at)
    elif kind == "tool" and isinstance(part.get("state"), dict):
        call_id, state = text_at(part, "callID"), part["state"]
        yield lines.called(call_id, text_at(part, "tool"), state.get("input"))
        if state.get("status") in ("completed", "error"):
            yield _result(call_id, state, lines)


def _result(call_id: str, state: Entry, lines: Lines) -> Entry:
    if state["status"] == "error":
        text = text_at(state, "error")
        declined = text.startswith(_DECLINED)
        return lines.failed(call_id, text, declined=declined)
    text, metadata = text_at(state, "output"), state.get("metadata")
    code = metadata.get("exit") if isinstance(metadata, dict) else None
    if lines.name(call_id) == "Grep":
        text = plain_hits(text)
    elif lines.name(call_id) == "Bash" and _TIMED_OUT in text[-300:]:
        code = _TIMED_OUT_CODE
    elif lines.name(call_id) == "Read" and "<content>\n" in text:
        body = text.partition("<content>\n")[2].partition("\n</content>")[0]
        text = "\n".join(row.partition(": ")[2] for row in body.split("\n"))
    return lines.returned(call_id, text, code=code if isinstance(code, int) else None)


def _time(message: Entry) -> str:
    from datetime import UTC, datetime

    info = message.get("info")
    time = info.get("time") if isinstance(info, dict) else None
    created = time.get("created") if isinstance(time, dict) else None
    if not isinstance(created, int | float):
        return ""
    return datetime.fromtimestamp(created / 1000, UTC).isoformat(timespec="milliseconds")


def wrote(record: Entry) -> bool:
    """Tell by an exported session that it is one of opencode."""
    return "info" in record and isinstance(record.get("messages"), list)


HOST = Host(
    "opencode",
    event,
    understood,
    entries,
    wrote,
    "",
    Settings(
        ".config/opencode/plugins/groundwire.js",
        ".opencode/plugins/groundwire.js",
        ("session.idle",),
        lambda command, _event: {"command": command},
        OWN_FILE,
    ),
)
