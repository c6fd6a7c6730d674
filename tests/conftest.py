"""What several tests need: a home folder of its own, transcripts, the hook as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import groundwire
from groundwire.state.compiled import compiled_path, settings_key
from tests.support.transcripts import Session

RUN = Path(groundwire.__file__).parent / "hook" / "run.py"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return an empty home folder."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


class Hook:
    """Runs the registered command: the interpreter with ``-I -S`` and one file."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.env = {"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8"}

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "groundwire"

    def raw(
        self, data: bytes, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the hook on ``data``; a hang fails the test."""
        return subprocess.run(
            [sys.executable, "-I", "-S", str(RUN)],
            input=data,
            env=self.env if env is None else env,
            capture_output=True,
            timeout=30,
            check=False,
        )

    def __call__(self, **event: Any) -> dict[str, Any]:
        """Run the hook on a Stop event and return its answer; {} when it says nothing."""
        fields = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(self.home), **event}
        process = self.raw(json.dumps(fields).encode())
        assert process.returncode == 0, process.stderr
        assert process.stderr == b""
        answer: dict[str, Any] = json.loads(process.stdout or b"{}")
        return answer

    def start(self, **event: Any) -> dict[str, Any]:
        """Start a session and wait until its settings are compiled; return the answer."""
        answer = self(**{"hook_event_name": "SessionStart", "source": "startup", **event})
        found = settings_key(self.env, str(event.get("cwd", self.home)))
        if found:
            path = Path(compiled_path(str(self.home / ".cache" / "groundwire"), found[0]))
            deadline = time.monotonic() + 90  # on a machine that is busy
            while not path.exists():
                assert time.monotonic() < deadline, f"{path} was not compiled"
                time.sleep(0.02)
        return answer

    def log(self) -> list[dict[str, Any]]:
        """Return the lines of the decision log."""
        path = self.state / "decisions.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def hook(home: Path) -> Hook:
    """Return the hook with a home folder of its own."""
    return Hook(home)


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """Return a transcript of one turn with one tool call."""
    session = Session()
    session.prompt("why does the pool crash?")
    session.bash("pytest -q", "1 failed, 7 passed", exit_code=1)
    session.say("The pool test fails.")
    return Path(session.write(tmp_path / "session.jsonl"))


@pytest.fixture
def write_file() -> Callable[[Path, str], Path]:
    """Return a function that writes a text file with its folders."""

    def write(path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write
