"""The ``groundwire`` command in a home folder and a project made for it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from groundwire.commands.main import main
from tests.support.inside import run_inside
from tests.support.programs import run_program

GROUNDWIRE = Path(sys.executable).with_name("groundwire")
LONE = "I think it is the parser."
GUESS = "I think the crash is probably caused by a race condition."
LONE_MATCH = {"kind": "speculation_language", "evidence": "I think", "offset": 0, "confidence": 75}


class Command:
    """Runs ``groundwire`` in ``folder``; ``settings`` and ``write`` prepare files."""

    program: str | Path = GROUNDWIRE

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.folder = self.home / "shop"
        self.folder.mkdir(parents=True)
        (self.folder / ".git").mkdir()  # settings are looked for up to here
        self.env = {"HOME": str(self.home), "PATH": os.defpath, "LANG": "C.UTF-8"}

    def __call__(
        self, *arguments: str | Path, stdin: str | bytes = b"", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the command in this process; nothing ever ends in a traceback."""
        command = ["groundwire", *map(str, arguments)]
        data = stdin.encode() if isinstance(stdin, str) else stdin
        return run_inside(main, command, data, {**self.env, **(env or {})}, self.folder)

    def process(
        self,
        *arguments: str | Path,
        stdin: str | bytes = b"",
        env: dict[str, str] | None = None,
        other: str | Path = "",
    ) -> subprocess.CompletedProcess[bytes]:
        """Run the command, or another one, as a process of its own; a hang fails the test."""
        command = [other or self.program, *arguments]
        process = run_program(command, stdin, {**self.env, **(env or {})}, self.folder)
        printed = process.stderr + process.stdout
        assert other or b"Traceback" not in printed, printed.decode()
        return process

    def out(self, *arguments: str | Path, **more: Any) -> str:
        process = self(*arguments, **more)
        assert (process.returncode, process.stderr) == (0, b""), process.stderr.decode()
        return process.stdout.decode()

    def scan(self, text: str | bytes, *arguments: str | Path, **more: Any) -> Any:
        """Return the decoded JSON of ``groundwire scan`` on ``text``."""
        return json.loads(self.out("scan", *arguments, stdin=text, **more))

    def refused(self, *arguments: str | Path, **more: Any) -> str:
        """Return the message of a run that is refused: exit code 2, nothing on stdout."""
        process = self(*arguments, **more)
        assert (process.returncode, process.stdout) == (2, b"")
        return process.stderr.decode()

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def settings(self, text: str) -> Path:
        return self.write("../.config/groundwire/config.toml", text).resolve()

    def files(self) -> set[str]:
        """Return the files of the home folder, relative to it."""
        found = (path for path in self.home.rglob("*") if path.is_file())
        return {str(path.relative_to(self.home)) for path in found}
