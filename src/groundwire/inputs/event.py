"""The hook input as a record; every field may be absent, null or of the wrong type."""

from __future__ import annotations

from groundwire.base import json_codec
from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from groundwire.base.errors import EventError

STOP = "Stop"
SUBAGENT_STOP = "SubagentStop"
SESSION_START = "SessionStart"
#: The events that the hook has anything to say to.
HANDLED = (STOP, SUBAGENT_STOP, SESSION_START)
#: Bytes of the largest event. A final message of a million characters, all escaped, fits.
LARGEST = 16 << 20
#: The key that names the host of an event that was translated.
HOST = "groundwire_host"


class Event(Record):
    """What Claude Code (or a host with the same contract) sends on stdin."""

    name: str
    session_id: str = ""
    prompt_id: str = ""
    agent_id: str = ""
    agent_type: str = ""
    message: str = ""
    transcript_path: str = ""
    cwd: str = ""
    permission_mode: str = ""
    stop_hook_active: bool = False
    background: tuple[tuple[str, str], ...] = ()  # type and command of each running task
    host: str = ""  # another one than Claude Code; it may refuse keys that it does not know

    def folder(self, env: Mapping[str, str]) -> str:
        """Return the folder of the project, by which its settings are found."""
        return env.get("CLAUDE_PROJECT_DIR") or self.cwd


def decode_event(data: bytes) -> dict[str, Any]:
    """Return the event in ``data`` as plain data. Raises EventError when it is none."""
    try:
        raw = json_codec.loads(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except ValueError as error:
        raise refused(f"stdin: {error}; expected one JSON object") from None
    if not isinstance(raw, dict):
        raise refused(f"stdin: found a JSON {type(raw).__name__}; expected an object")
    return raw


def refused(why: str) -> EventError:
    from groundwire.base.errors import EventError

    return EventError(why)


def is_handled(raw: Mapping[str, Any]) -> bool:
    """Tell whether the hook answers a decoded event; it loads nothing more for any other one."""
    return raw.get("hook_event_name") in HANDLED


def read_event(raw: Mapping[str, Any]) -> Event:
    """Build an event from decoded hook input; unknown keys are ignored."""
    name = text_at(raw, "hook_event_name")
    is_agent = name == SUBAGENT_STOP
    path = text_at(raw, "agent_transcript_path") if is_agent else ""
    return Event(
        name,
        text_at(raw, "session_id"),
        text_at(raw, "prompt_id"),
        text_at(raw, "agent_id"),
        text_at(raw, "agent_type"),
        text_at(raw, "last_assistant_message"),
        path or ("" if is_agent else text_at(raw, "transcript_path")),
        text_at(raw, "cwd"),
        text_at(raw, "permission_mode"),
        raw.get("stop_hook_active") is True,
        _background(raw.get("background_tasks")),
        text_at(raw, HOST) or ("codex" if "turn_id" in raw and "model" in raw else ""),
    )


def text_at(raw: Mapping[str, Any], key: str) -> str:
    """Return the text under a key, "" when there is none."""
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def _background(tasks: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(tasks, list):
        return ()
    running = [
        task
        for task in tasks
        if isinstance(task, dict) and task.get("status", "running") in ("running", "pending")
    ]
    return tuple((text_at(task, "type"), text_at(task, "command")) for task in running)
