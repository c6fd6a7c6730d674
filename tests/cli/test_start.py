"""What a command loads before it works, the overview, and a scan on a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import typer

import groundwire
from groundwire.cli.application import application
from groundwire.cli.commands import COMMANDS, GROUPS, overview
from groundwire.cli.scan_run import CHOICES, Wanted, read_options
from tests.cli.command import GROUNDWIRE, GUESS, LONE, LONE_MATCH, Command

PROBE = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from groundwire.cli.main import main
sys.argv = ["groundwire", *{arguments!r}]
sys.exit(main())
"""
HEAVY = {"typer", "rich", "pydantic", "inspect", "tomllib", "argparse", "asyncio", "dataclasses"}


def loaded(cli: Command, *arguments: str) -> set[str]:
    """Return the modules that a run has loaded."""
    program = PROBE.format(arguments=arguments)
    started = [sys.executable, "-c", program]
    done = subprocess.run(
        started, input=LONE, env=cli.env, cwd=cli.folder, capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", [("--help",), ("help",), ("-V",), ("scan",)], ids=" ".join)
def test_a_quick_command_loads_little(cli: Command, arguments: tuple[str, ...]) -> None:
    modules = loaded(cli, *arguments)
    assert not HEAVY & modules
    assert ("groundwire.analysis" in modules) == (arguments == ("scan",))


@pytest.mark.parametrize("form", ["text", "full", "github", "sarif"])
def test_a_scan_is_quick_in_every_form(cli: Command, form: str) -> None:
    arguments = ("scan", "--format", form, "--threshold=40", "--fail-on", "nothing", "-")
    assert not HEAVY & loaded(cli, *arguments)


def test_a_command_loads_no_other(cli: Command) -> None:
    modules = loaded(cli, "explain")
    assert not {"groundwire.cli.replay", "groundwire.server.serve", "rich"} & modules


def test_importing_the_package_loads_nothing_of_it() -> None:
    started = [sys.executable, "-c", "import groundwire, sys; print(*sys.modules)"]
    done = subprocess.run(started, capture_output=True, text=True, check=True)
    assert [name for name in done.stdout.split() if "groundwire" in name] == ["groundwire"]


def test_a_match_as_a_library_gives_it() -> None:
    assert groundwire.find_matches(LONE) == [LONE_MATCH]
    assert groundwire.find_matches(LONE, threshold=76) == []
    text = "The log ends here. Perhaps it is the parser."
    [match] = groundwire.find_matches(text, threshold=0)
    assert text[match["offset"] :].startswith(match["evidence"])


@pytest.mark.parametrize("text", ["", "\0", "\ud800 I think so.", "`" * 5_000])
def test_no_text_makes_a_library_call_fail(text: str) -> None:
    assert isinstance(groundwire.find_matches(text), list)


def test_the_overview_has_every_command_once() -> None:
    lines = overview().splitlines()
    assert (
        len([line for line in lines if line.startswith("  ") and line.split()[0] in COMMANDS])
        == len(COMMANDS)
        == sum(len(commands) for _, commands in GROUPS)
    )
    assert max(map(len, lines)) <= 80
    registered = typer.main.get_command(application())
    assert set(COMMANDS) == set(registered.commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("arguments", [("-h",), ("--help",), ("help",)])
def test_every_way_to_the_overview(cli: Command, arguments: tuple[str, ...]) -> None:
    assert cli.out(*arguments) == overview()


@pytest.mark.parametrize("command", ["scan", "patterns", "config check"])
def test_help_of_a_command(cli: Command, command: str) -> None:
    words = command.split()
    printed = cli.out("help", *words)
    assert printed == cli.out(*words, "--help")
    assert printed.startswith(f"Usage: groundwire {command}")


def test_the_version_in_short(cli: Command) -> None:
    assert cli.out("-V") == cli.out("--version") == f"groundwire {groundwire.__version__}\n"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["scna"], "no such command: scna; did you mean scan?"),
        (["--vresion"], "no such option: --vresion (groundwire --help lists the commands)"),
        (["help", "scna"], "no such command: scna; did you mean scan?"),
    ],
)
def test_a_mistyped_command(cli: Command, given: list[str], said: str) -> None:
    assert said in cli.refused(*given)


def test_a_wrong_choice_names_the_right_ones_alone(cli: Command) -> None:
    said = cli.refused("scan", "--format", "xml")
    assert "Error: Invalid value for '--format': 'xml' is not one of 'json', 'full'," in said


def test_the_quick_way_takes_the_options_that_are_declared() -> None:
    [scan] = typer.main.get_command(application([COMMANDS["scan"]])).commands.values()  # type: ignore[attr-defined]
    declared = {name: one for one in scan.params for name in one.opts}
    for name, choices in CHOICES.items():
        if name != "--threshold":
            assert declared[name].type_descriptor.choices == choices
    defaults = {one.name: one.default for one in scan.params}
    for name, default in ((name, getattr(Wanted(), name)) for name in Wanted._fields):
        assert (defaults[name] or "") == (default or "")


@pytest.mark.parametrize(
    "arguments",
    [["--format"], ["--format", "xml"], ["a", "b"], ["--threshold", "101"], ["--nope"], ["-h"]],
    ids=" ".join,
)
def test_the_quick_way_leaves_the_rest(arguments: list[str]) -> None:
    assert read_options(arguments) is None


FAILING = [
    (LONE, "nothing", 0),
    (LONE, "report", 1),
    (LONE, "block", 0),
    (GUESS, "block", 1),
    ("The log ends here.", "report", 0),
]


@pytest.mark.parametrize(("text", "fail_on", "code"), FAILING)
@pytest.mark.parametrize("form", ["json", "github", "sarif"])
def test_the_exit_code_of_a_scan(
    cli: Command, text: str, fail_on: str, code: int, form: str
) -> None:
    plain = cli("scan", "--format", form, stdin=text)
    for more in ((), ("--set", "notify=false")):  # by the quick way, and by typer
        done = cli("scan", "--format", form, "--fail-on", fail_on, *more, stdin=text)
        assert (done.returncode, done.stdout) == (code, plain.stdout)


def on_terminal(cli: Command, arguments: Sequence[str], typed: bytes, **env: str) -> str:
    """Run on a terminal of its own, type there, and return all that it shows."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [GROUNDWIRE, *arguments],
        stdin=side,
        stdout=side,
        stderr=side,
        env={**cli.env, **env},
        cwd=cli.folder,
    )
    os.close(side)
    os.write(main, typed)
    shown = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:  # Linux: the other side is closed
            break
        if not part:
            break
        shown += part
    os.close(main)
    assert process.wait(60) == 0
    return shown.decode().replace("\r\n", "\n")


def test_a_scan_on_a_terminal_waits_aloud_and_answers_in_colour(cli: Command) -> None:
    shown = on_terminal(cli, ["scan"], f"{LONE}\n\x04".encode())
    assert "type or paste the text; Ctrl-D ends it" in shown
    assert '\x1b[31mspeculation_language 75\x1b[0m "I think"' in shown


def test_a_file_on_a_terminal_without_colour(cli: Command) -> None:
    cli.write("answer.md", LONE)
    shown = on_terminal(cli, ["scan", "answer.md"], b"", NO_COLOR="1")
    assert "Ctrl-D" not in shown
    assert shown.startswith('answer.md:1:1: speculation_language 75 "I think"')


def test_the_demanded_form_holds_on_a_terminal(cli: Command) -> None:
    cli.write("answer.md", LONE)
    assert on_terminal(cli, ["scan", "answer.md", "--format", "json"], b"").startswith("[{")


def test_the_probe_sees_what_is_loaded(cli: Command) -> None:
    assert "typer" in loaded(cli, "explain")
    assert Path(groundwire.__file__).name == "__init__.py"


AGENT = ["planner", "archon-planner-1"]
OLD_SPELLINGS = [
    (["composite", *AGENT, "0.8", "0.9", "0.7"], "--json", "json"),
    (["gate", *AGENT, "--kb", "0.9", "--code", "0.85", "--certainty", "0.9"], "--json", "json"),
    (["reinforce", "--evidence", "0.8"], "--json", "json"),
    (["doctor"], "--json", "json"),
    (["confidence", "answer.json"], "--text", "text"),
]


@pytest.mark.parametrize(
    ("arguments", "old", "form"), OLD_SPELLINGS, ids=[row[0][0] for row in OLD_SPELLINGS]
)
def test_the_old_spelling_of_a_format_still_holds(
    cli: Command, arguments: list[str], old: str, form: str
) -> None:
    cli.write("answer.json", '{"query": "q", "context_docs": [], "response": "It is so."}')
    before, after = cli(*arguments, old), cli(*arguments, "--format", form)
    start = slice(12)  # behind it some hold a time, or the history of the run before
    assert before.stdout[start] == after.stdout[start] != b""
    assert before.stdout[start] != cli(*arguments).stdout[start]
    shown = cli.out(arguments[0], "--help")
    assert "--format <text|json>" in shown
    assert f"  {old}" not in shown
