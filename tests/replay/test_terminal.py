"""The progress bar: on a real terminal, and nowhere else."""

from __future__ import annotations

import os
import pty
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.command import GROUNDWIRE, Command

FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
COUNT = len(list(FIXTURES.glob("*.jsonl")))


def read_all(descriptor: int) -> bytes:
    data = b""
    with suppress(OSError):  # how a terminal ends
        while chunk := os.read(descriptor, 65536):
            data += chunk
    os.close(descriptor)
    return data


def run_on_terminal(cli: Command, *arguments: str | Path, stdout: int | None = None) -> bytes:
    """Run the command with a terminal as stderr (and as stdout, unless given) and return its text.

    What the command writes to the terminal stays well below what its buffer holds.
    """
    reading, writing = pty.openpty()
    with subprocess.Popen(
        [GROUNDWIRE, "replay", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=writing if stdout is None else stdout,
        stderr=writing,
        env={**cli.env, "TERM": "xterm-256color", "COLUMNS": "100"},
        cwd=cli.folder,
    ) as process:
        os.close(writing)
        shown = read_all(reading)
        assert process.wait(60) == 0
    return shown


@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_a_bar_on_stderr_leaves_stdout_as_it_is(cli: Command, tmp_path: Path, form: str) -> None:
    target = tmp_path / "out"
    with target.open("wb") as file:
        shown = run_on_terminal(cli, FIXTURES, "--format", form, stdout=file.fileno())
    assert b"replaying" in shown
    assert f"/{COUNT}".encode() in shown
    assert target.read_text(encoding="utf-8") == cli.out("replay", FIXTURES, "--format", form)


def test_the_bar_is_gone_in_the_end(cli: Command) -> None:
    loop = cli.folder / "loop.jsonl"
    loop.symlink_to(loop)
    shown = run_on_terminal(cli, FIXTURES, ".")
    assert b"loop.jsonl: cannot read the transcript" in shown
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l") >= 0  # so is the cursor's hiding
    _, bar, rest = shown.rpartition(b"replaying")
    assert bar
    assert b"\x1b[2K" in rest  # the line is wiped before the report begins
    assert b"would have been stopped" in rest


def test_lines_on_the_terminal_itself_have_no_bar_between_them(cli: Command) -> None:
    shown = run_on_terminal(cli, FIXTURES, "--format", "jsonl")
    assert b"replaying" not in shown
    assert shown.replace(b"\r\n", b"\n").decode() == cli.out(
        "replay", FIXTURES, "--format", "jsonl"
    )
