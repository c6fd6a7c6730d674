"""Drives the real Claude Code client: scratch home, scratch project, one ``claude -p`` a turn."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.stub import Answer, MessagesStub

REPOSITORY = Path(__file__).parents[2]
CLIENT = REPOSITORY / ".e2e/client/node_modules/.bin/claude"
#: Seconds; one run takes about 1.
LONGEST_RUN = 60


class Session(NamedTuple):
    """What one ``claude -p`` left behind.

    ``requests`` are the bodies that reached the API for turns of the conversation, ``judged`` those
    of a judge, ``entries`` the lines that this run added to the ``transcript``.
    """

    id: str
    result: str
    transcript: Path
    requests: list[dict[str, Any]]
    entries: list[dict[str, Any]]
    judged: list[dict[str, Any]]

    def attachments(self, kind: str) -> list[dict[str, Any]]:
        """Attachments of the transcript of one type, such as ``hook_success``."""
        found = [entry["attachment"] for entry in self.entries if entry["type"] == "attachment"]
        return [attachment for attachment in found if attachment["type"] == kind]

    def blocks(self) -> list[str]:
        """The reasons with which the turn was sent back, in order."""
        errors = self.attachments("hook_blocking_error")
        return [error["blockingError"]["blockingError"] for error in errors]

    def stop_outputs(self) -> list[dict[str, Any]]:
        """What the Stop hook printed where it let the turn end, decoded."""
        runs = [run for run in self.attachments("hook_success") if run["hookEvent"] == "Stop"]
        return [json.loads(run["stdout"]) for run in runs if run["stdout"]]

    def messages_to_user(self) -> list[str]:
        """The hooks' ``systemMessage`` texts, in order."""
        return [shown["content"] for shown in self.attachments("hook_system_message")]

    def hook_failures(self) -> list[dict[str, Any]]:
        """Hook runs that Claude Code calls failed."""
        return self.attachments("hook_non_blocking_error") + self.attachments("hook_cancelled")


class ClaudeCode:
    """The client with a home of its own below ``folder``; ``arguments`` go to every run."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.temporary = folder / "tmp"
        for each in (self.home, self.project, self.temporary):
            each.mkdir()
        self.arguments = list(arguments)
        self.extra: dict[str, str] = {}

    @property
    def plugin_data(self) -> Path:
        """The data folder that Claude Code gives a plugin named groundwire of ``--plugin-dir``."""
        return self.home / ".claude/plugins/data/groundwire-inline"

    @property
    def environment(self) -> dict[str, str]:
        """A clean environment: a Python, but no groundwire on the PATH, and no proxy or key."""
        return {
            "HOME": str(self.home),
            "PATH": f"{sys.base_prefix}/bin:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.temporary),
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            **self.extra,
        }

    def command(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the client once and return the finished process."""
        return subprocess.run(
            [str(CLIENT), *arguments],
            cwd=self.project,
            env={**self.environment, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN,
            check=False,
        )

    def ask(
        self,
        prompt: str,
        *answers: Answer,
        resume: Session | None = None,
        judgements: Sequence[str] = (),
    ) -> Session:
        """One prompt, answered by the scripted ``answers``; none may be missing or left over."""
        going_on = ["--resume", resume.id] if resume else []
        tools = ["--allowedTools", "Bash,Edit,Grep,Read,Write", "--output-format", "json"]
        with MessagesStub(*answers, judgements=judgements) as stub:
            done = self.command(
                *["-p", prompt, *going_on, *tools, *self.arguments],
                ANTHROPIC_BASE_URL=stub.url,
                ANTHROPIC_API_KEY="none-needed-on-loopback",
            )
        assert done.returncode == 0, done.stdout + done.stderr
        assert not stub.unscripted, "the client asked for more answers than were scripted"
        assert not stub.answers, f"the client never asked for {stub.answers}"
        report = json.loads(done.stdout)
        session_id = report["session_id"]
        [path] = (self.home / ".claude/projects").glob(f"*/{session_id}.jsonl")
        entries = _json_lines(path)
        if resume:
            known = {entry.get("uuid") for entry in resume.entries} - {None}
            entries = [entry for entry in entries if entry.get("uuid") not in known]
        result = report["result"]
        return Session(session_id, result, path, stub.requests, entries, stub.judged)

    def decisions(self) -> list[dict[str, Any]]:
        return _json_lines(self.home / ".local/state/groundwire/decisions.jsonl")


def _json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
