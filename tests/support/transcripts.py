"""A builder for session files as Claude Code writes them, for tests and fixtures.

    session = Session(cwd="/home/dev/shop")
    session.prompt("fix the failing test")
    session.bash("pytest -q", "1 failed, 7 passed in 0.41s", exit_code=1)
    session.say("One test still fails.")
    path = session.write(tmp_path / "session.jsonl")

Every method adds the lines that the client adds, with ids and times that count up from fixed
values, so that the same calls give the same bytes. ``session.entries`` may be changed at will.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
Content = str | list[Entry]

STARTED = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def dump(entry: Entry) -> bytes:
    """One line of a transcript: compact, raw UTF-8, with its newline."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Session:
    def __init__(
        self,
        cwd: str = "/home/dev/shop",
        session_id: str = "5f0c1c6e-0000-4000-8000-000000000001",
        *,
        agent: bool = False,
    ) -> None:
        self.entries: list[Entry] = []
        self.cwd = cwd
        self.session_id = session_id
        self.agent = agent  # a sub-agent's own transcript: every line is a sidechain line
        self.clock = STARTED
        self.count = 0
        self.parent: str | None = None

    def number(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count:024x}"

    def line(self, kind: str, **fields: Any) -> Entry:
        self.count += 1
        self.clock += timedelta(seconds=3)
        entry: Entry = {
            "parentUuid": self.parent,
            "isSidechain": self.agent,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session_id,
            "version": "2.1.219",
            "gitBranch": "main",
            "type": kind,
            **fields,
            "uuid": f"{self.count:08x}-0000-4000-8000-{self.session_id[-12:]}",
            "timestamp": self.clock.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        self.parent = entry["uuid"]
        self.entries.append(entry)
        return entry

    def user(self, content: Content, **fields: Any) -> Entry:
        return self.line("user", message={"role": "user", "content": content}, **fields)

    def prompt(self, content: Content, **fields: Any) -> Entry:
        """Add a prompt that a person typed. ``origin=None`` leaves that newer field out."""
        fields = {"origin": {"kind": "human"}} | fields
        return self.user(content, **{k: v for k, v in fields.items() if v is not None})

    def assistant(self, block: Entry, message_id: str = "", **fields: Any) -> Entry:
        message = {
            "model": fields.pop("model", "claude-opus-5"),
            "id": message_id or self.number("msg_01"),
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 4, "cache_read_input_tokens": 15210, "output_tokens": 96},
        }
        return self.line("assistant", message=message, requestId=self.number("req_01"), **fields)

    def think(self, message_id: str = "") -> Entry:
        block = {"type": "thinking", "thinking": "", "signature": "EqQBCkgIBxABGAIiQL"}
        return self.assistant(block, message_id)

    def say(self, text: str, message_id: str = "", **fields: Any) -> Entry:
        return self.assistant({"type": "text", "text": text}, message_id, **fields)

    def use(self, name: str, arguments: Entry, message_id: str = "") -> str:
        call_id = self.number("toolu_01")
        self.assistant(
            {"type": "tool_use", "id": call_id, "name": name, "input": arguments}, message_id
        )
        return call_id

    def result(
        self, call_id: str, content: Content, *, error: bool = False, details: object = None
    ) -> Entry:
        block: Entry = {"tool_use_id": call_id, "type": "tool_result", "content": content}
        block |= {"is_error": True} if error else {}
        return self.user([block], toolUseResult=content if details is None else details)

    def call(self, name: str, arguments: Entry, content: Content, **more: Any) -> str:
        call_id = self.use(name, arguments)
        self.result(call_id, content, **more)
        return call_id

    def bash(self, command: str, output: str, *, exit_code: int = 0, about: str = "") -> str:
        """Add a shell command; one that failed has its exit code before the output."""
        arguments = {"command": command, "description": about or command.split(maxsplit=1)[0]}
        if exit_code:
            content = f"Exit code {exit_code}\n{output}"
            return self.call("Bash", arguments, content, error=True, details=f"Error: {content}")
        details = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        return self.call("Bash", arguments, output, details=details)

    def read(self, path: str, text: str) -> str:
        """Add the reading of a file, shown with line numbers."""
        lines = text.split("\n")
        shown = "\n".join(f"{number:6}\u2192{line}" for number, line in enumerate(lines, 1))
        file = {"filePath": path, "content": text, "numLines": len(lines), "startLine": 1}
        details = {"type": "text", "file": {**file, "totalLines": len(lines)}}
        return self.call("Read", {"file_path": path}, shown, details=details)

    def edit(self, path: str, old: str, new: str) -> str:
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        details = {"filePath": path, "oldString": old, "newString": new, "replaceAll": False}
        content = f"The file {path} has been updated successfully."
        return self.call("Edit", arguments, content, details=details)

    def create(self, path: str, text: str) -> str:
        content = f"File created successfully at: {path}"
        details = {"type": "create", "filePath": path, "content": text, "structuredPatch": []}
        return self.call("Write", {"file_path": path, "content": text}, content, details=details)

    def grep(self, pattern: str, files: list[str], **arguments: Any) -> str:
        content = "\n".join([f"Found {len(files)} files", *files]) if files else "No files found"
        details = {"mode": "files_with_matches", "filenames": files, "numFiles": len(files)}
        return self.call("Grep", {"pattern": pattern, **arguments}, content, details=details)

    def glob(self, pattern: str, files: list[str]) -> str:
        details = {"filenames": files, "durationMs": 12, "numFiles": len(files), "truncated": False}
        content = "\n".join(files) or "No files found"
        return self.call("Glob", {"pattern": pattern}, content, details=details)

    def task(self, about: str, prompt: str, report: str, kind: str = "Explore") -> str:
        arguments = {"description": about, "prompt": prompt, "subagent_type": kind}
        content: list[Entry] = [{"type": "text", "text": report}]
        details = {"status": "completed", "agentId": "a1b2c3d", "content": content}
        return self.call("Agent", arguments, content, details=details)

    def meta(self, content: Content, **fields: Any) -> Entry:
        return self.user(content, isMeta=True, **fields)

    def feedback(self, reason: str) -> Entry:
        """Add what a blocking Stop hook leaves behind."""
        return self.meta(f"Stop hook feedback:\n{reason}")

    def command(self, name: str, arguments: str = "", expansion: str = "") -> Entry:
        """Add a slash command that goes to the model, with the text it stands for."""
        tags = f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>"
        tags += f"\n<command-args>{arguments}</command-args>" if arguments else ""
        entry = self.user(tags)
        if expansion:
            self.meta([{"type": "text", "text": expansion}])
        return entry

    def local_command(self, name: str, output: str) -> Entry:
        """Add a slash command that the client handled by itself."""
        self.meta("<local-command-caveat>Caveat: generated by the user.</local-command-caveat>")
        tags = f"<command-name>/{name}</command-name>\n<command-message>{name}</command-message>"
        entry = self.user(f"{tags}\n<command-args></command-args>")
        self.user(f"<local-command-stdout>{output}</local-command-stdout>")
        return entry

    def compact(self, summary: str) -> Entry:
        """Add the boundary and the summary that a compaction writes."""
        before, self.parent = self.parent, None
        self.line(
            "system",
            subtype="compact_boundary",
            content="Conversation compacted",
            logicalParentUuid=before,
            compactMetadata={"trigger": "auto", "preTokens": 163898},
        )
        opening = "This session is being continued from a previous conversation that ran out of "
        return self.user(
            f"{opening}context. {summary}", isCompactSummary=True, isVisibleInTranscriptOnly=True
        )

    def notify(self, task_id: str, summary: str) -> Entry:
        """Add the note that a background task ended."""
        text = (
            f"<task-notification>\n<task-id>{task_id}</task-id>\n<status>completed</status>\n"
            f"<summary>{summary}</summary>\n</task-notification>"
        )
        return self.user(text, origin={"kind": "task-notification"})

    def interrupt(self, during_tool: bool = False) -> Entry:
        """Add the mark of the user's Escape key."""
        ending = " for tool use" if during_tool else ""
        return self.user([{"type": "text", "text": f"[Request interrupted by user{ending}]"}])

    def attach(self, kind: str, **fields: Any) -> Entry:
        return self.line("attachment", attachment={"type": kind, **fields})

    def snapshot(self) -> Entry:
        """Add a bookkeeping line, which is no part of the conversation."""
        files = {f"src/file_{number}.py": {"version": 1} for number in range(3)}
        self.entries.append({"type": "file-history-snapshot", "snapshot": files})
        return self.entries[-1]

    def play(self, steps: Sequence[Sequence[Any]]) -> Session:
        """Add steps from a table: the name of a method and its arguments.

        A table at the end of a step holds named arguments.
        """
        for name, *values in steps:
            fields = values.pop() if values and isinstance(values[-1], dict) else {}
            getattr(self, name)(*values, **fields)
        return self

    def data(self) -> bytes:
        return b"".join(dump(entry) for entry in self.entries)

    def write(self, path: Path) -> str:
        path.write_bytes(self.data())
        return str(path)
