"""Every command: help, errors, completion, pipes; and that the docs know it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from groundwire import __version__
from groundwire.cli.main import app
from tests.cli.command import GROUNDWIRE, GUESS, LONE, Command

ROOT = Path(__file__).parents[2]


def commands(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that does something, as it is registered."""
    inside = getattr(node, "commands", None)
    if inside is None:
        yield path
        return
    for name, child in inside.items():
        yield from commands(child, (*path, name))


COMMANDS = sorted(commands(typer.main.get_command(app)))


def test_the_commands_are_found() -> None:
    assert {("scan",), ("replay",), ("patterns", "show"), ("config", "check")} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_docs_name_every_command(command: tuple[str, ...]) -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    assert f"groundwire {' '.join(command)}" in page


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_shows_an_example(cli: Command, command: tuple[str, ...]) -> None:
    usage, _, rest = cli.out(*command, "--help").partition("\n")
    assert usage.startswith(f"Usage: groundwire {' '.join(command)}")
    assert f"groundwire {' '.join(command)}" in rest


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_lists_the_commands(cli: Command, option: str) -> None:
    printed = cli.out(option)
    assert all(f"\n  {command[0]}" in printed for command in COMMANDS)


@pytest.mark.parametrize("group", [(), ("patterns",), ("config",)], ids=str)
def test_without_a_command_the_help_is_shown(cli: Command, group: tuple[str, ...]) -> None:
    process = cli(*group)
    assert process.returncode == 2
    assert b"Usage: groundwire" in process.stdout + process.stderr


def test_version(cli: Command) -> None:
    assert cli.out("--version") == f"groundwire {__version__}\n"


BAD = "bad.toml"
REFUSED: list[tuple[str, list[str], list[str]]] = [
    ("unknown file", ["scan", "none.md"], ["none.md", "No such file", "a readable file"]),
    ("a folder", ["scan", "."], [".: Is a directory", "a readable file"]),
    ("unknown file of events", ["scan", "--events", "none.jsonl"], ["none.jsonl: No such file"]),
    ("file not UTF-8", ["scan", "latin.md"], ["latin.md: not UTF-8 at byte 4"]),
    ("stdin not UTF-8", ["scan"], ["stdin: not UTF-8 at byte 4"]),
    ("explain, not UTF-8", ["explain"], ["stdin: not UTF-8 at byte 4"]),
    ("no such option", ["scan", "--treshold", "4"], ["--treshold"]),
    ("no such format", ["scan", "--format", "xml"], ["--format", "json", "sarif", "github"]),
    ("no such unit", ["scan", "--offset-unit", "byte"], ["--offset-unit", "utf16"]),
    ("no such command", ["scam"], ["scam"]),
    ("set without value", ["scan", "--set", "mode"], ["--set", "'mode'", "KEY=VALUE"]),
    ("set without key", ["scan", "--set", "=4"], ["--set", "'=4'", "KEY=VALUE"]),
    ("set with two lines", ["scan", "--set", "a=1\nmode=2"], ["a: unknown key"]),
    ("set with two keys", ["scan", "--set", "a=1\nb = 2 # ="], ["a: unknown key"]),
    ("value and table", ["scan", "--set", "mode=off", "--set", "mode.x=1"], ["mode.x", "'mode'"]),
    ("unknown key", ["scan", "--set", "thresholds.rport=4"], ["thresholds.rport", "report, block"]),
    ("set out of range", ["scan", "--set", "thresholds.block=700"], ["700", "from 0 to 100"]),
    ("set of another type", ["scan", "--set", "notify=maybe"], ['"maybe"', "true or false"]),
    ("unknown kind", ["scan", "--set", "kinds.guess=false"], ["kinds.guess", "speculation_lang"]),
    ("unknown marker", ["scan", "--set", "markers.x=false"], ["markers.x", "unknown marker"]),
    ("unknown filter", ["scan", "--set", "filters.x=true"], ["filters.x", "question"]),
    ("threshold above", ["scan", "--threshold", "101"], ["report", "101", "from 0 to 100"]),
    ("threshold below", ["scan", "--threshold", "-1"], ["report", "-1", "from 0 to 100"]),
    ("threshold in words", ["scan", "--threshold", "high"], ['"high"', "from 0 to 100"]),
    ("threshold with a point", ["scan", "--threshold", "70.5"], ["70.5", "from 0 to 100"]),
    (
        "no pattern folder",
        ["scan", "--patterns", "none"],
        ["patterns.folders[1]", "a folder that exists"],
    ),
    ("explain and a format", ["scan", "--explain", "--format", "text"], ["--explain", "--format"]),
    ("unknown marker to show", ["patterns", "show", "x.y"], ["'x.y'", "patterns list"]),
    ("unknown kind to list", ["patterns", "list", "--kind", "x"], ["'x'", "causality_language"]),
    ("no folder to check", ["patterns", "check", "none"], ["none", "not a folder"]),
    ("nothing to replay", ["replay", "none"], ["none", "no transcript there", "*.jsonl"]),
]


@pytest.mark.parametrize(
    ("arguments", "causes"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_bad_input_is_named_with_what_is_allowed(
    cli: Command, arguments: list[str], causes: list[str]
) -> None:
    cli.write("latin.md", b"gr\xc3\xbc\xdf")
    said = cli.refused(*arguments, stdin=b"gr\xc3\xbc\xdf")
    assert [cause for cause in causes if cause not in said] == []


BROKEN = [
    ("syntax", "mode = \n", ["line 1"]),
    ("unknown key", "moode = 'off'\n", ["moode", "mode"]),
    ("wrong value", "mode = 'loud'\n", ["mode", '"loud"', '"enforce", "report", "off"']),
    ("wrong type", "thresholds = 5\n", ["thresholds", "5", "a table"]),
    ("not UTF-8", b"mode = '\xff'\n", ["line 1", "UTF-8"]),
    (
        "no pattern folder",
        "patterns.folders = ['none']\n",
        ["patterns.folders[1]", "a folder that exists"],
    ),
    ("allowed twice", "[[allow]]\nmarker='a'\nphrase='b'\nreason='c'\n", ["allow[1]", "one of"]),
]


@pytest.mark.parametrize("command", [["scan"], ["explain"], ["replay", "."], ["config", "show"]])
@pytest.mark.parametrize(
    ("text", "causes"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_a_broken_configuration_is_told(
    cli: Command, command: list[str], text: str | bytes, causes: list[str]
) -> None:
    path = cli.settings("")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    said = cli.refused(*command, stdin=LONE)
    assert said.startswith(f"groundwire: {path}: ")
    assert [cause for cause in causes if cause not in said] == []


def test_all_errors_at_once(cli: Command) -> None:
    cli.settings("mode = 'loud'\nnotify = 3\n")
    said = cli.refused("scan", "--threshold", "700", stdin=LONE)
    assert [word in said for word in ("loud", "notify", "700")] == [True] * 3


def test_a_bad_variable_is_named(cli: Command) -> None:
    said = cli.refused("scan", stdin=LONE, env={"GROUNDWIRE_MODE": "loud"})
    assert all(word in said for word in ("GROUNDWIRE_MODE", "loud", "enforce"))


def test_a_script_for_completion(cli: Command) -> None:
    script = cli.out(env={"_GROUNDWIRE_COMPLETE": "source_bash"})
    assert "complete -o default -F _groundwire_completion groundwire" in script


COMPLETED = [
    ("groundwire re", ["reinforce", "replay"]),
    ("groundwire patterns ", ["check", "list", "show"]),
    ("groundwire scan --format s", ["sarif"]),
    ("groundwire replay --fail-on ", ["block", "nothing"]),
]


@pytest.mark.parametrize(("words", "found"), COMPLETED)
def test_completion(cli: Command, words: str, found: list[str]) -> None:
    count = len(words.split(" ")) - 1
    env = {"_GROUNDWIRE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(count)}
    assert sorted(cli.out(env=env).split()) == found


PIPES = [
    ["patterns", "list"],
    ["scan", "--format", "sarif", "long.md"],
    ["explain", "long.md"],
    ["replay", str(ROOT / "fixtures" / "transcripts"), "--format", "jsonl"],
    ["replay", str(ROOT / "fixtures" / "transcripts")],
    ["config", "schema"],
]


@pytest.mark.parametrize("arguments", PIPES, ids=" ".join)
def test_a_reader_that_has_seen_enough_is_no_trouble(cli: Command, arguments: list[str]) -> None:
    """As in ``groundwire patterns list | head -1``, with the reader gone before the first byte."""
    cli.write("long.md", f"{GUESS}\n\n" * 2_000)
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
