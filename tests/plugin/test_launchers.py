"""The launcher of Stop and SubagentStop under real shells."""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable

import pytest

from groundwire import __version__
from tests.plugin.support import EVENT, SHELLS, Plugin, wait_for

NAME, NAME_SESSION_START = "stop.sh", "session-start.sh"


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", [NAME, NAME_SESSION_START])
def test_the_ready_environment_gets_the_event(plugin: Plugin, name: str, shell: str) -> None:
    plugin.make_ready()
    done = plugin.run(name, shell=shell)
    assert json.loads(done.stdout) == [[1, 1], EVENT]
    assert (done.code, done.stderr) == (0, "")


QUIET: dict[str, Callable[[Plugin], object]] = {
    "no data folder given": lambda plugin: plugin.environment.pop("CLAUDE_PLUGIN_DATA"),
    "an empty one": lambda plugin: plugin.environment.update(CLAUDE_PLUGIN_DATA=""),
    "a relative one": lambda plugin: plugin.environment.update(CLAUDE_PLUGIN_DATA="data"),
    "the root": lambda plugin: plugin.environment.update(CLAUDE_PLUGIN_DATA="/"),
    "data folder not there yet": Plugin.files,
    "empty data folder": lambda plugin: plugin.data.mkdir(),
    "a file in its place": lambda plugin: plugin.data.write_text("x"),
    "marker of another version": lambda plugin: (
        plugin.make_ready() and plugin.marker.rename(plugin.data / "ready-0.0.1")
    ),
    "marker is a folder": lambda plugin: plugin.marker.mkdir(parents=True),
    "plugin without its package": lambda plugin: shutil.rmtree(plugin.package),
}


@pytest.mark.parametrize("situation", QUIET)
def test_without_an_environment_the_turn_ends_silently(plugin: Plugin, situation: str) -> None:
    QUIET[situation](plugin)
    before = plugin.files()
    for shell in SHELLS:
        assert plugin.run(NAME, shell=shell) == (0, "", "")
    assert plugin.files() == before


STALE: dict[str, Callable[[Plugin], object]] = {
    "interpreter gone": lambda plugin: plugin.mark("/nowhere/bin/python", str(plugin.make_ready())),
    "file gone": lambda plugin: plugin.make_ready().unlink(),
    "interpreter is a folder": lambda plugin: plugin.mark("/tmp", str(plugin.make_ready())),
    "not executable": lambda plugin: plugin.mark(*[str(plugin.make_ready())] * 2),
    "empty marker": lambda plugin: plugin.mark(),
    "one line": lambda plugin: plugin.mark("/bin/sh"),
    "empty lines": lambda plugin: plugin.mark("", ""),
}


@pytest.mark.parametrize(
    ("situation", "shell"), list(zip(STALE, [*SHELLS] * len(STALE), strict=False)), ids=str
)
def test_a_vanished_environment_is_said_once(plugin: Plugin, situation: str, shell: str) -> None:
    STALE[situation](plugin)
    done = plugin.run(NAME, shell=shell)
    assert (done.code, done.stdout) == (0, "")
    assert done.stderr == (
        f"groundwire: the environment of {plugin.marker} is gone; the next session mends it\n"
    )
    assert plugin.run(NAME, shell=shell) == (0, "", "")


OVER_AN_HOUR = 61 * 60


def add_installed(plugin: Plugin, version: str, interpreter: str = sys.executable) -> None:
    """Put a ``groundwire-hook`` on the PATH that answers ``--where``."""
    file = plugin.make_ready(version)
    plugin.marker.unlink()
    lines = f"{version}\n{interpreter}\n{file}\n"
    (plugin.tools / "answer").write_text(lines, encoding="utf-8")
    answering = '[ "$1" = --where ] && cat "${0%/*}/answer"'
    plugin.script(plugin.tools / "groundwire-hook", answering)


@pytest.mark.parametrize("shell", SHELLS)
def test_an_installed_groundwire_of_this_version_is_taken(plugin: Plugin, shell: str) -> None:
    add_installed(plugin, __version__)
    done = plugin.run(NAME_SESSION_START, shell=shell)
    assert json.loads(done.stdout) == [[1, 1], EVENT]
    assert json.loads(plugin.run("stop.sh").stdout) == [[1, 1], EVENT]


def test_the_command_that_is_told_can_be_run(plugin: Plugin) -> None:
    """The next session says so, once."""
    assert "prepares its Python environment" in plugin.run(NAME_SESSION_START).told()
    wait_for(plugin.of("failed"))
    text = plugin.run(NAME_SESSION_START).told()
    assert "it needs Python 3.11 or newer, and there is none on the PATH" in text
    assert plugin.run(NAME_SESSION_START) == plugin.run("stop.sh") == (0, "", "")
    command = text.split("then run: ", 1)[1]
    plugin.script(plugin.root / "hooks" / "again.sh", command)
    done = plugin.run("again.sh")
    assert done.code == 1
    assert "it needs Python 3.11 or newer" in done.stderr
    assert plugin.of("failed").exists()


def test_a_failure_is_tried_again_after_an_hour_and_told_only_when_new(plugin: Plugin) -> None:
    plugin.run(NAME_SESSION_START)
    wait_for(plugin.of("failed"))
    plugin.run(NAME_SESSION_START)
    past = time.time() - OVER_AN_HOUR
    os.utime(plugin.of("told"), (past, past))
    assert plugin.run(NAME_SESSION_START) == (0, "", "")
    wait_for(plugin.of("failed"))
    assert plugin.run(NAME_SESSION_START) == (0, "", "")
    plugin.of("failed").write_text('a\tb\x01\x7f "c" \\d\ne\n', encoding="utf-8")
    assert plugin.run(NAME_SESSION_START).told() == 'a b "c" \\d e'
    plugin.of("build").write_text("$ python -m venv", encoding="utf-8")  # a build runs
    assert plugin.run(NAME_SESSION_START) == (0, "", "")
