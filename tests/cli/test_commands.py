"""Every command: help, errors, completion, pipes; and that the docs know it."""

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

import groundwire
from groundwire.base.version import __version__
from groundwire.commands.application import application
from groundwire.commands.commands import all_commands, groups, overview
from groundwire.commands.scan_run import CHOICES, Wanted, read_options
from tests.cli.command import GROUNDWIRE, GUESS, LONE, LONE_MATCH, Command
from tests.support.programs import run_program
from tests.support.tables import table

ROOT = Path(__file__).parents[2]
REFUSED = tomllib.loads(Path(__file__).with_name("refused.toml").read_text("utf-8"))
NOT_UTF8 = b"gr\xc3\xbc\xdf"


def commands(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command that does something, as it is registered."""
    inside = getattr(node, "commands", None)
    if inside is None:
        yield path
        return
    for name, child in inside.items():
        yield from commands(child, (*path, name))


ROOT_COMMAND = typer.main.get_command(application())
PATHS = sorted(commands(ROOT_COMMAND))


def test_the_docs_name_every_command() -> None:
    assert {("scan",), ("replay",), ("patterns", "show"), ("config", "check")} <= set(PATHS)
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    names = [f"groundwire {' '.join(command)}" for command in PATHS]
    assert [name for name in names if name not in page] == []


@pytest.mark.parametrize("command", PATHS, ids=" ".join)
def test_help_shows_an_example_and_each_option(cli: Command, command: tuple[str, ...]) -> None:
    node: Any = ROOT_COMMAND
    usage, _, rest = cli.out(*command, "--help").partition("\n")
    assert usage.startswith(f"Usage: groundwire {' '.join(command)}")
    assert f"groundwire {' '.join(command)}" in rest
    for word in command:
        node = node.commands[word]
    assert [one.name for one in node.params if not (one.help or one.hidden)] == []


@pytest.mark.parametrize("case", REFUSED["refused"], ids=lambda case: " ".join(case["run"])[:60])
def test_bad_input_is_named_with_what_is_allowed(cli: Command, case: dict[str, Any]) -> None:
    for name, text in REFUSED["files"].items():
        cli.write(name, text.encode("latin-1"))
    for link, target in (("self", "self"), ("link.md", "a.md"), ("links", "_data")):
        (cli.folder / link).symlink_to(target)
    if "settings" in case:
        cli.settings(case["settings"])
    before = {name: (cli.home / name).read_bytes() for name in cli.files()}
    said = " ".join(cli.refused(*case["run"], stdin=case.get("stdin", NOT_UTF8)).split())
    assert [cause for cause in case["says"] if cause not in said] == []
    assert {name: (cli.home / name).read_bytes() for name in cli.files()} == before


# as processes
def test_as_a_process_and_as_a_module(cli: Command) -> None:
    assert cli.process("--version").stdout.decode() == f"groundwire {__version__}\n"
    process = cli.process("scan", stdin=LONE)
    assert (process.returncode, json.loads(process.stdout)) == (0, [LONE_MATCH])
    process = cli.process("scan", "none.md")
    assert (process.returncode, process.stdout) == (2, b"")
    module = [sys.executable, "-m", "groundwire", "scan"]
    assert json.loads(run_program(module, LONE, code=0).stdout) == [LONE_MATCH]
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


PROBE = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from groundwire.commands.main import main
sys.argv = ["groundwire", *{arguments!r}]
sys.exit(main())
"""
HEAVY = {"typer", "rich", "pydantic", "inspect", "tomllib", "argparse", "asyncio", "dataclasses"}


FORMS = [("scan", "--format", form) for form in ("text", "full", "github", "sarif")]
QUICK = [("--help",), ("help",), ("-V",), ("scan", "--threshold=40", "--fail-on", "nothing", "-")]


@pytest.mark.parametrize("arguments", [*QUICK, *FORMS], ids=" ".join)
def test_a_quick_command_loads_little(cli: Command, arguments: tuple[str, ...]) -> None:
    program = [sys.executable, "-c", PROBE.format(arguments=arguments)]
    modules = set(run_program(program, LONE, cli.env, code=0).stderr.decode().split())
    assert not HEAVY & modules
    assert ("groundwire.verdict.analysis" in modules) == (arguments[0] == "scan")


def test_a_match_as_a_library_gives_it() -> None:
    assert groundwire.find_matches(LONE) == [LONE_MATCH]
    assert groundwire.find_matches(LONE, threshold=76) == []
    text = "The log ends here. Perhaps it is the parser."
    [match] = groundwire.find_matches(text, threshold=0)
    assert text[match["offset"] :].startswith(match["evidence"])

    for text in ("", "\0", "\ud800 I think so.", "`" * 5_000):
        assert isinstance(groundwire.find_matches(text), list)


def test_the_overview_has_every_command_once() -> None:
    lines = overview().splitlines()
    named = [line for line in lines if line.startswith("  ") and line.split()[0] in all_commands()]
    assert len(named) == len(all_commands()) == sum(map(len, groups().values()))
    assert max(map(len, lines)) <= 80
    registered = typer.main.get_command(application())
    assert set(all_commands()) == set(registered.commands)  # type: ignore[attr-defined]


def test_the_quick_way_takes_the_options_that_are_declared() -> None:
    [scan] = typer.main.get_command(application([all_commands()["scan"]])).commands.values()  # type: ignore[attr-defined]
    declared = {name: one for one in scan.params for name in one.opts}
    for name, choices in CHOICES.items():
        if name != "--threshold":
            assert declared[name].type_descriptor.choices == choices
    defaults = {one.name.rstrip("_"): one.default or "" for one in scan.params}
    for name in Wanted._fields:
        assert defaults[name] == (getattr(Wanted(), name) or "")


@table
def test_the_quick_way_leaves_the_rest(arguments: list[str]) -> None:
    assert read_options(arguments) is None
