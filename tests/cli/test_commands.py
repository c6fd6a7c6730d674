"""Every command: help, errors, completion, pipes; and that the docs know it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from groundwire import __version__
from groundwire.cli.application import application
from tests.cli.command import GROUNDWIRE, GUESS, LONE, LONE_MATCH, Command

ROOT = Path(__file__).parents[2]
REFUSED = tomllib.loads(Path(__file__).with_name("refused.toml").read_text("utf-8"))["refused"]
NOT_UTF8 = b"gr\xc3\xbc\xdf"


def commands(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that does something, as it is registered."""
    inside = getattr(node, "commands", None)
    if inside is None:
        yield path
        return
    for name, child in inside.items():
        yield from commands(child, (*path, name))


COMMANDS = sorted(commands(typer.main.get_command(application())))


def test_the_docs_name_every_command() -> None:
    assert {("scan",), ("replay",), ("patterns", "show"), ("config", "check")} <= set(COMMANDS)
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    names = [f"groundwire {' '.join(command)}" for command in COMMANDS]
    assert [name for name in names if name not in page] == []


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_shows_an_example(cli: Command, command: tuple[str, ...]) -> None:
    usage, _, rest = cli.out(*command, "--help").partition("\n")
    assert usage.startswith(f"Usage: groundwire {' '.join(command)}")
    assert f"groundwire {' '.join(command)}" in rest


def test_help_lists_the_commands(cli: Command) -> None:
    printed = cli.out("-h")
    assert all(f"\n  {command[0]}" in printed for command in COMMANDS)
    for group in ((), ("patterns",), ("config",)):
        process = cli(*group)
        assert process.returncode == 2
        assert b"Usage: groundwire" in process.stdout + process.stderr


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: " ".join(case["run"])[:60])
def test_bad_input_is_named_with_what_is_allowed(cli: Command, case: dict[str, Any]) -> None:
    for name, text in {
        "latin.md": NOT_UTF8,
        "bad.json": b"similarity",
        "object.json": b"{}",
        "nan.json": b'[{"similarity": NaN}]',
        "_data/a.md": b"x\n",
        "other.json": b'{"schema": 1}',
        "a.md": b"text",
        "bin": b"\0",
        "empty.jsonl": b"",
    }.items():
        cli.write(name, text)
    for link, target in (("self", "self"), ("link.md", "a.md"), ("links", "_data")):
        (cli.folder / link).symlink_to(target)
    if "settings" in case:
        cli.settings(case["settings"])
    before = {name: (cli.home / name).read_bytes() for name in cli.files()}
    said = " ".join(cli.refused(*case["run"], stdin=case.get("stdin", NOT_UTF8)).split())
    assert [cause for cause in case["says"] if cause not in said] == []
    assert {name: (cli.home / name).read_bytes() for name in cli.files()} == before


def test_settings_that_are_no_text_and_a_bad_variable(cli: Command) -> None:
    path = cli.settings("")
    path.write_bytes(b"mode = '\xff'\n")
    said = cli.refused("scan", stdin=LONE)
    assert said.startswith(f"groundwire: {path}: line 1")
    path.unlink()
    said = cli.refused("scan", stdin=LONE, env={"GROUNDWIRE_MODE": "loud"})
    assert all(word in said for word in ("GROUNDWIRE_MODE", "loud", "enforce"))


COMPLETED = [
    ("groundwire re", ["reinforce", "replay"]),
    ("groundwire patterns ", ["check", "list", "show"]),
    ("groundwire scan --format s", ["sarif"]),
]


def test_completion(cli: Command) -> None:
    script = cli.out(env={"_GROUNDWIRE_COMPLETE": "source_bash"})
    assert "complete -o default -F _groundwire_completion groundwire" in script
    for words, found in COMPLETED:
        env = {"COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        printed = cli.out(env={"_GROUNDWIRE_COMPLETE": "complete_bash", **env})
        assert sorted(printed.split()) == found


# as processes


def test_as_a_process_and_as_a_module(cli: Command) -> None:
    assert cli.process("--version").stdout.decode() == f"groundwire {__version__}\n"
    process = cli.process("scan", stdin=LONE)
    assert (process.returncode, json.loads(process.stdout)) == (0, [LONE_MATCH])
    process = cli.process("scan", "none.md")
    assert (process.returncode, process.stdout) == (2, b"")
    module = [sys.executable, "-m", "groundwire", "scan"]
    printed = subprocess.run(module, input=LONE.encode(), capture_output=True, check=True).stdout
    assert json.loads(printed) == [LONE_MATCH]
    narrow = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    printed = cli.process("explain", stdin=f"\U0001f600 {LONE}", env=narrow).stdout
    assert b"\\U0001f600" in printed  # what the encoding cannot show is escaped


PIPES = [
    ["patterns", "list"],
    ["scan", "--format", "sarif", "long.md"],
    ["replay", str(ROOT / "fixtures" / "transcripts")],
]


@pytest.mark.parametrize("arguments", PIPES, ids=" ".join)
def test_a_reader_that_has_seen_enough_is_no_trouble(cli: Command, arguments: list[str]) -> None:
    """As in ``groundwire patterns list | head -1``, with the reader gone before the first byte."""
    cli.write("long.md", f"{GUESS}\n\n" * 500)
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [GROUNDWIRE, *arguments],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=cli.env,
        cwd=cli.folder,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert process.stderr == b""
    assert process.returncode in (0, 1)


def test_the_start_of_a_command_does_without_the_heavy_libraries() -> None:
    """They would add half again to its time, and most commands use none of them."""
    heavy = {"pydantic", "numpy", "httpx", "fastapi", "sqlalchemy", "anyio", "matplotlib"}
    probe = "import sys, groundwire.cli.main; print(*sys.modules)"
    process = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True)
    assert not heavy & set(process.stdout.decode().split())
