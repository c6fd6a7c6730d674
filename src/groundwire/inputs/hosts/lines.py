"""Lines of Claude Code's transcript, made from what other hosts write."""

from __future__ import annotations

import shlex

from groundwire.inputs.transcript import INTERRUPTED, STOP_FEEDBACK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Entry = dict[str, Any]

#: How the reason of a stop begins; a host sends it back as if the user had written it.
_OWN_REASON = "groundwire: "
#: Inputs of tools by what the evidence calls them.
_INPUTS = {
    "cmd": "command",
    "absolute_path": "file_path",
    "filePath": "file_path",
    "target_file": "file_path",
    "oldString": "old_string",
    "old_str": "old_string",
    "newString": "new_string",
    "new_str": "new_string",
    "file_text": "content",
    "contents": "content",
    "dir_path": "path",
    "include": "glob",
    "include_pattern": "glob",
    "start_line": "offset",
    "view_range": "offset",
    "is_background": "run_in_background",
    "session_id": "shell_id",
    "shellId": "shell_id",
    "pid": "shell_id",
}
#: Inputs that name the folder of a command.
_FOLDERS = ("workdir", "dir_path", "directory", "working_directory", "cwd")
_FILE_TOOLS = ("Read", "Edit", "Write")
_SHELL, _WRITE, _POLL = "Bash", "Write", "BashOutput"
_REFUSED = "<tool_use_error>"
_END_OF_FILE = "*** End of File"
#: What ends the number of an exit code.
_CODE_ENDS = "\n)]>"
_CREATED, _CREATED_WITHIN = "File created", 80


class Lines:
    """Makes the lines of one session; ``tools`` gives Claude Code's name of the host's tools."""

    def __init__(self, tools: Mapping[str, str]) -> None:
        self._tools = tools
        self._names: dict[str, str] = {}  # of the tools that were called, by the call's id
        self._parts: dict[str, list[str]] = {}  # ids of the calls that one call became
        self.session_id = self.cwd = ""

    def prompt(self, text: str, timestamp: str = "") -> Entry:
        """Return the line of what the user wrote, or of the feedback of groundwire."""
        if text.lstrip().startswith(_OWN_REASON):
            return self.note(f"{STOP_FEEDBACK}\n{text}")
        return self._line("user", [{"type": "text", "text": text}], timestamp)

    def note(self, text: str) -> Entry:
        """Return a line that the host wrote in the name of the user."""
        return {**self._line("user", [{"type": "text", "text": text}]), "isMeta": True}

    def interrupted(self) -> Entry:
        """Return the line that says that the user stopped the turn."""
        return self.note(f"{INTERRUPTED}]")

    def said(self, text: str, message_id: str = "", timestamp: str = "") -> Entry:
        """Return the line of a text of the model."""
        return self._line("assistant", [{"type": "text", "text": text}], timestamp, message_id)

    def called(self, call_id: str, name: str, arguments: object) -> Entry:
        """Return the line of a tool call; a patch becomes an edit of each of its files."""
        given = dict(arguments) if isinstance(arguments, dict) else {"input": arguments}
        own = self._tools.get(name, name)
        patch = _patch_of(name, given)
        calls = list(_edits_of(patch)) if patch else [(own, self._inputs(own, given))]
        ids = [f"{call_id}-{number}" if number else call_id for number in range(len(calls))]
        self._parts[call_id] = ids
        self._names[call_id] = calls[0][0] if calls else own
        blocks = [
            {"type": "tool_use", "id": one, "name": tool, "input": inputs}
            for one, (tool, inputs) in zip(ids, calls, strict=True)
        ]
        return self._line("assistant", blocks)

    def returned(
        self, call_id: str, text: str, *, code: int | None = None, failed: bool = False
    ) -> Entry:
        """Return the line of what a tool returned; ``code`` is the exit code of a command."""
        name = self._names.get(call_id, "")
        failed = failed or code not in (None, 0)
        if name == _SHELL and code:
            text = f"Exit code {code}\n{text}"
        elif name == _WRITE and not failed and "reated" in text[:_CREATED_WITHIN]:
            text = f"{_CREATED}: {text}"
        elif name == _POLL and code is not None:
            status = "failed" if code else "completed"
            text = f"<status>{status}</status><exit_code>{code}</exit_code><output>{text}</output>"
        blocks = [
            {"type": "tool_result", "tool_use_id": one, "content": text, "is_error": failed}
            for one in self._parts.get(call_id, [call_id])
        ]
        return self._line("user", blocks)

    def running(self, call_id: str, task: str, text: str = "") -> Entry:
        """Return the line of a command that goes on in the background as ``task``."""
        if self.name(call_id) == _POLL:
            return self.returned(call_id, f"<status>running</status><output>{text}</output>")
        return self.returned(call_id, f"Command running in background with ID: {task}")

    def refused(self, call_id: str, text: str) -> Entry:
        """Return the line of a call that was not carried out."""
        return self.returned(call_id, _REFUSED + text, failed=True)

    def failed(self, call_id: str, text: str, *, declined: bool) -> Entry:
        """Return the line of a call that failed, or was not carried out when it was declined."""
        return (
            self.refused(call_id, text) if declined else self.returned(call_id, text, failed=True)
        )

    def name(self, call_id: str) -> str:
        """Return Claude Code's name of the tool of a call."""
        return self._names.get(call_id, "")

    def _inputs(self, own: str, given: Entry) -> Entry:
        if own == _SHELL:
            return self._shell(given)
        inputs = {_INPUTS.get(key, key): value for key, value in given.items()}
        if own in _FILE_TOOLS and "path" in inputs:
            inputs.setdefault("file_path", inputs.pop("path"))
        return inputs

    def _shell(self, given: Entry) -> Entry:
        command = given.get("command", given.get("cmd", ""))
        if isinstance(command, list):  # an argument vector, mostly that of a shell
            words = list(map(str, command))
            command = words[2] if words[1:2] in (["-lc"], ["-c"]) else shlex.join(words)
        folder = next((given[key] for key in _FOLDERS if given.get(key)), "")
        if isinstance(folder, str) and folder not in ("", ".", self.cwd):
            command = f"cd {shlex.quote(folder)} && {command}"
        inputs: Entry = {"command": str(command)}
        if given.get("is_background") is True or given.get("mode") == "async":
            inputs["run_in_background"] = True
        return inputs

    def _line(
        self, kind: str, blocks: list[Entry], timestamp: str = "", message_id: str = ""
    ) -> Entry:
        line: Entry = {"type": kind, "message": {"content": blocks}, "timestamp": timestamp}
        if message_id:
            line["message"]["id"] = message_id
        return {**line, "sessionId": self.session_id, "cwd": self.cwd}


def text_at(value: object, *keys: str) -> str:
    """Return the text under a row of keys in nested objects, "" when there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def joined(parts: object, key: str = "text") -> str:
    """Return the texts of a list of parts in one, or the text that stands in its place."""
    if isinstance(parts, str):
        return parts
    listed = parts if isinstance(parts, list) else []
    texts = (it if isinstance(it, str) else text_at(it, key) for it in listed)
    return "\n".join(filter(None, texts))


def code_behind(text: str, signs: tuple[str, ...]) -> int | None:
    """Return the exit code that a host writes behind one of ``signs``, None when it has none."""
    for sign in signs:
        number = text.partition(sign)[2]
        for end in _CODE_ENDS:
            number = number.partition(end)[0]
        if number.strip().isdigit():
            return int(number)
    return None


def plain_hits(text: str) -> str:
    """Return the hits of a search as ``path:line: text``, from a list under the name of each file.

    So do Gemini CLI and Qwen Code (``File: a.py``, ``L3: text``) and opencode (``a.py:``,
    ``Line 3: text``).
    """
    hits, file = [], ""
    for line in text.split("\n"):
        words = line.strip()
        number, colon, rest = words.removeprefix("Line ").removeprefix("L").partition(":")
        if words.startswith("File: "):
            file = words.removeprefix("File: ")
        elif file and colon and number.isdigit():
            hits.append(f"{file}:{number}:{rest}")
        elif file and words[:1] == "L" and words[1:].partition("-")[0].isdigit():
            continue  # a line around a hit
        elif words.endswith(":") and words.startswith("/"):
            file = words[:-1]
        elif words not in ("", "---"):
            hits.append(words)
    return "\n".join(hits)


def _patch_of(name: str, given: Entry) -> str:
    """Return the patch of a call, in the format of Codex, "" when it is none."""
    texts = (given.get(key) for key in ("input", "patch", "patchText"))
    patch = next((text for text in texts if isinstance(text, str)), "")
    return patch if "patch" in name.lower() and "*** Begin Patch" in patch else ""


def _edits_of(patch: str) -> Iterator[tuple[str, Entry]]:
    """Yield tool and inputs of each file of a patch, in order."""
    head, path, old, new = "", "", [], []  # type: ignore[var-annotated]
    for line in (*patch.split("\n"), "*** End"):
        mark, _, named = line.partition(": ")
        if not line.startswith("*** ") or line == _END_OF_FILE:
            (old if line[:1] == "-" else new if line[:1] == "+" else []).append(line[1:])
        elif mark == "*** Move to":
            yield _SHELL, {"command": shlex.join(("mv", path, named))}
            path = named
        else:
            if head == "*** Add File":
                yield "Write", {"file_path": path, "content": "\n".join(new)}
            elif head == "*** Update File":
                texts = {"old_string": "\n".join(old), "new_string": "\n".join(new)}
                yield "Edit", {"file_path": path, **texts}
            elif head == "*** Delete File":
                yield _SHELL, {"command": shlex.join(("rm", path))}
            head, path, old, new = mark, named, [], []
