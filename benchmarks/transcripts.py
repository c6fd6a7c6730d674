"""Made-up sessions in the shape and mix of real ones, for the benchmarks of bulk work.

Shares follow what public transcripts hold: half of the bytes are bookkeeping and second copies of
tool results, most of the rest is tool output; one content block stands on a line.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: Messages with their decision when nothing of the turn bears on them.
MESSAGES = {
    "The log ends with a stack trace. It names the handler of the request.": "pass",
    "The parser reads the header first. Then it reads the rows of the table.": "pass",
    "The settings file names a shorter option. Two callers pass a number to it.": "pass",
    "The cache is read once, and the index keeps its order.": "pass",
    "I think the crash is probably caused by a race condition.": "block",
}
WORDS = (
    "request handler pool socket worker retry cache index token session queue migration table "
    "column parser header buffer stream timeout limit config loader plugin route template render "
    "the of a to is in for with on and returns raises reads writes opens closes"
).split()
COMMANDS = ("git log --oneline -5", "ls -la src", "grep -rn pool src", "cat setup.cfg | head -40")
SIGNATURE = "EqQBCkYIBxgCKkDc" * 60
#: Mean sizes in characters: a file that is read or edited, and what a command prints.
FILE_BYTES, SHELL_BYTES = 10_000, 1_500
SNAPSHOTS = 0.1  # snapshot lines for each tool call


class Session:
    """Writes the lines of one session."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.number = number
        self.count = 0
        self.lines: list[str] = []

    def add(self, kind: str, **fields: Any) -> None:
        """Add a line of the conversation."""
        self.count += 1
        line = {
            "parentUuid": f"{self.number:08x}-{self.count - 1:08x}",
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/dev/shop",
            "sessionId": f"5f0c1c6e-0000-4000-8000-{self.number:012}",
            "version": "2.1.219",
            "gitBranch": "main",
            "type": kind,
            **fields,
            "uuid": f"{self.number:08x}-{self.count:08x}",
            "timestamp": f"2026-03-02T09:{self.count // 60 % 60:02}:{self.count % 60:02}.000Z",
        }
        self.lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")))

    def assistant(self, block: dict[str, Any]) -> None:
        """Add one content block of the model."""
        message = {
            "id": f"msg_{self.number}_{self.count}",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-5",
            "content": [block],
            "usage": {"input_tokens": 4, "output_tokens": 311},
        }
        self.add("assistant", message=message, requestId=f"req_{self.count}")

    def output(self, size: int) -> str:
        """Return about ``size`` characters of code with line numbers, as a tool shows a file."""
        lines: list[str] = []
        left = size
        while left > 0:
            words = self.random.choices(WORDS, k=9)
            line = f"{len(lines) + 1:6}\tdef {words[0]}_{words[1]}({words[2]}):  # {' '.join(words[3:])}"  # noqa: E501
            lines.append(line)
            left -= len(line)
        return "\n".join(lines)

    def call(self) -> None:
        """Add a tool call with its result and all the lines that surround it."""
        self.assistant({"type": "thinking", "thinking": "", "signature": SIGNATURE})
        [make] = self.random.choices((self.read, self.edit, self.shell), weights=(4, 2, 4))
        for kind in ("hook_progress", "bash_progress"):
            data = {"type": kind, "command": "check", "output": "." * 300}
            self.add("progress", data=data, toolUseID=f"toolu_{self.count}")
        make(self.random.uniform(0.2, 1.8))
        if self.random.random() < SNAPSHOTS:
            self.snapshot(2_000)

    def read(self, factor: float) -> None:
        """A file is read; the line holds its text a second time."""
        path = f"/home/dev/shop/src/{self.random.choice(WORDS)}.py"
        text = self.output(int(FILE_BYTES * factor))
        file = {"filePath": path, "content": text, "numLines": text.count("\n")}
        self.result("Read", {"file_path": path}, text, {"type": "text", "file": file})

    def edit(self, factor: float) -> None:
        """A file is edited; the line holds the whole file as it was."""
        path = f"/home/dev/shop/doc/{self.random.choice(WORDS)}.md"
        change = {"file_path": path, "old_string": self.output(200), "new_string": self.output(200)}
        text = f"The file {path} has been updated.\n{self.output(500)}"
        original = self.output(int(FILE_BYTES * factor))
        self.result("Edit", change, text, {**change, "originalFile": original})

    def shell(self, factor: float) -> None:
        """A command is run; the line holds its output a second time."""
        command = self.random.choice(COMMANDS)
        text = self.output(int(SHELL_BYTES * factor))
        details = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False}
        self.result("Bash", {"command": command, "description": "Looks"}, text, details)

    def result(self, tool: str, arguments: dict[str, str], text: str, details: object) -> None:
        """Add the call of a tool and the line with its result."""
        call_id = f"toolu_{self.number}_{self.count}"
        self.assistant({"type": "tool_use", "id": call_id, "name": tool, "input": arguments})
        block = {"tool_use_id": call_id, "type": "tool_result", "content": text, "is_error": False}
        self.add("user", message={"role": "user", "content": [block]}, toolUseResult=details)

    def snapshot(self, size: int) -> None:
        """Add a line that no turn needs."""
        backup = {"backup": self.output(size)}
        line = {"type": "file-history-snapshot", "messageId": "m", "snapshot": backup}
        self.lines.append(json.dumps(line, separators=(",", ":")))

    def turn(self, message: str, calls: int) -> None:
        """Add a prompt, so many tool calls and the final message."""
        self.add("user", message={"role": "user", "content": "why does the pool crash?"})
        for _ in range(calls):
            self.call()
        self.assistant({"type": "text", "text": message})


def write_session(path: Path, number: int, turns: int, calls: int) -> int:
    """Write session ``number`` and return its size in bytes; the same arguments, the same bytes."""
    session = Session(number)
    messages = list(MESSAGES)
    for turn in range(turns):
        session.turn(messages[(number + turn) % len(messages)], calls)
    data = "\n".join(session.lines).encode() + b"\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return len(data)


def expected_actions(numbers: Iterable[int], turns: int) -> dict[str, int]:
    """Return how many turns of the sessions with these numbers get each decision."""
    decisions = list(MESSAGES.values())
    counted: Counter[str] = Counter()
    for number in numbers:
        counted.update(decisions[(number + turn) % len(decisions)] for turn in range(turns))
    return dict(counted)
