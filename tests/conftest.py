"""What several tests need: a home folder of its own, transcripts, the hook as a process."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import groundwire
from groundwire.hook.answer import main
from groundwire.settings.compile import compile_to_cache
from tests.cli.command import Command
from tests.support.decisions import decisions
from tests.support.inside import run_inside
from tests.support.programs import run_program
from tests.support.transcripts import Session

#: A machine that is busy makes no example fail.
settings.register_profile("busy", deadline=None)
settings.load_profile("busy")
RUN = Path(groundwire.__file__).parent / "hook" / "run.py"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def cli(tmp_path: Path) -> Command:
    return Command(tmp_path)


class Hook:
    """The registered command: ``raw`` as a process of its own, else its ``main`` in this one."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.env = {"HOME": str(home), "TMPDIR": str(home.parent), "LANG": "C.UTF-8"}
        self.env["PATH"] = os.defpath

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "groundwire"

    def raw(
        self, data: bytes, env: dict[str, str] | None = None, *switches: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the interpreter with ``-I -S`` and one file on ``data``; a hang fails the test."""
        command = [sys.executable, *(switches or ("-I", "-S")), RUN]
        return run_program(command, data, self.env if env is None else env)

    def entry(self, name: str, event: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
        """Run another entry of the hook than the one that answers."""
        command = [sys.executable, "-I", "-S", RUN, name]
        return run_program(command, json.dumps(event).encode(), self.env)

    def said(self, data: bytes, env: dict[str, str] | None = None) -> tuple[str, str]:
        """Answer ``data`` in this process; return what goes to stdout and to stderr."""
        process = run_inside(main, [str(RUN)], data, self.env if env is None else env)
        assert process.returncode == 0
        return process.stdout.decode(), process.stderr.decode()

    def __call__(self, **event: Any) -> dict[str, Any]:
        """Answer a Stop event in this process; {} when the hook says nothing."""
        fields = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(self.home), **event}
        printed, problem = self.said(json.dumps(fields).encode())
        assert problem == ""
        answer: dict[str, Any] = json.loads(printed or "{}")
        return answer

    def configure(self, text: str) -> None:
        path = self.home / ".config" / "groundwire" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def start(self, settings: str | None = None, **event: Any) -> dict[str, Any]:
        """Start a session whose settings are compiled already; return the answer."""
        if settings is not None:
            self.configure(settings)
        compile_to_cache(self.env, str(event.get("cwd", self.home)))
        return self(**{"hook_event_name": "SessionStart", "source": "startup", **event})

    def log(self) -> list[dict[str, Any]]:
        return decisions(self.home)


@pytest.fixture
def hook(home: Path) -> Hook:
    return Hook(home)


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """Return a transcript of one turn with one tool call."""
    session = Session()
    session.prompt("why does the pool crash?")
    session.bash("pytest -q", "1 failed, 7 passed", exit_code=1)
    session.say("The pool test fails.")
    return Path(session.write(tmp_path / "session.jsonl"))
