"""``groundwire`` on a pseudo-terminal: type keys, wait for what they bring."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from tests.cli.command import Command


class Terminal:
    """A command with a terminal as stdin and stderr, and as stdout unless that is given."""

    def __init__(self, cli: Command, *arguments: str | Path, stdout: int | None = None) -> None:
        self._main, side = pty.openpty()
        self._process = subprocess.Popen(
            [cli.program, *map(str, arguments)],
            stdin=side,
            stdout=side if stdout is None else stdout,
            stderr=side,
            env={**cli.env, "TERM": "xterm-256color", "COLUMNS": "100"},
            cwd=cli.folder,
            start_new_session=True,
        )
        os.close(side)
        self.shown = b""

    def type(self, keys: str) -> None:
        os.write(self._main, keys.encode())

    def wait_for(self, text: str) -> None:
        """Read until ``text`` is shown; fails after 30 seconds."""
        end = time.monotonic() + 30
        while text.encode() not in self.shown:
            assert time.monotonic() < end, self.shown.decode(errors="replace")
            self.read(0.2)

    def read(self, seconds: float) -> None:
        """Read what is shown now, or within ``seconds``."""
        if select.select([self._main], [], [], seconds)[0]:
            with suppress(OSError):  # how a terminal ends
                self.shown += os.read(self._main, 65536)

    def rest(self) -> str:
        """Read all that is shown until the command ends, which it does well."""
        with suppress(OSError):
            while part := os.read(self._main, 65536):
                self.shown += part
        assert self._process.wait(60) == 0
        return self.shown.decode().replace("\r\n", "\n")

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait(30)
        os.close(self._main)


def on_terminal(
    cli: Command, *arguments: str | Path, typed: str = "", stdout: int | None = None
) -> str:
    """Run a command to its end and return what it shows."""
    with Terminal(cli, *arguments, stdout=stdout) as terminal:
        terminal.type(typed)
        return terminal.rest()
