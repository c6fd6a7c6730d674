"""The launcher of SessionStart: ready, taken over, building, failed; without a real build."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from groundwire import __version__
from tests.plugin.support import EVENT, REPOSITORY, SHELLS, Plugin, wait_for

NAME = "session-start.sh"
OVER_AN_HOUR = 61 * 60


def failed(plugin: Plugin) -> Path:
    return plugin.data / f"failed-{__version__}"


def told(plugin: Plugin) -> Path:
    return plugin.data / f"told-{__version__}"


def add_installed(plugin: Plugin, version: str, interpreter: str = sys.executable) -> None:
    """Put a ``groundwire-hook`` on the PATH that answers ``--where``."""
    file = plugin.make_ready(version)
    plugin.marker.unlink()
    lines = f"{version}\n{interpreter}\n{file}\n"
    (plugin.tools / "answer").write_text(lines, encoding="utf-8")
    command = plugin.tools / "groundwire-hook"
    command.write_text('#!/bin/sh\n[ "$1" = --where ] && cat "${0%/*}/answer"\n', encoding="utf-8")
    command.chmod(0o755)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_ready_environment_answers(plugin: Plugin, shell: str) -> None:
    plugin.make_ready()
    done = plugin.run(NAME, shell=shell)
    assert json.loads(done.stdout) == [[1, 1], EVENT]
    assert (done.code, done.stderr) == (0, "")


@pytest.mark.parametrize("value", [None, "", "relative"])
def test_without_a_data_folder_nothing_happens(plugin: Plugin, value: str | None) -> None:
    plugin.environment.pop("CLAUDE_PLUGIN_DATA")
    if value is not None:
        plugin.environment["CLAUDE_PLUGIN_DATA"] = value
    before = plugin.files()
    assert plugin.run(NAME) == (0, "", "")
    assert plugin.files() == before


@pytest.mark.parametrize("shell", SHELLS)
def test_an_installed_groundwire_of_this_version_is_taken(plugin: Plugin, shell: str) -> None:
    add_installed(plugin, __version__)
    done = plugin.run(NAME, shell=shell)
    assert json.loads(done.stdout) == [[1, 1], EVENT]
    assert json.loads(plugin.run("stop.sh").stdout) == [[1, 1], EVENT]


@pytest.mark.parametrize(
    ("version", "interpreter"), [("0.0.1", sys.executable), (__version__, "/nowhere/python")]
)
def test_another_installed_groundwire_is_not_taken(
    plugin: Plugin, version: str, interpreter: str
) -> None:
    add_installed(plugin, version, interpreter)
    assert "prepares its Python environment" in plugin.run(NAME).told()
    assert not plugin.marker.exists()


def test_the_real_command_is_taken(plugin: Plugin) -> None:
    plugin.environment["PATH"] += f":{Path(sys.executable).parent}"
    done = plugin.run(NAME)
    interpreter, file = plugin.marker.read_text(encoding="utf-8").splitlines()
    assert Path(interpreter).parent == Path(sys.executable).parent
    assert file == str(REPOSITORY / "src/groundwire/hook/run.py")
    assert (done.code, done.stderr) == (0, "")


def test_the_command_that_is_told_can_be_run(plugin: Plugin) -> None:
    """The next session says so, once."""
    assert "prepares its Python environment" in plugin.run(NAME).told()
    wait_for(failed(plugin))
    text = plugin.run(NAME).told()
    assert "it needs Python 3.11 or newer, and there is none on the PATH" in text
    assert plugin.run(NAME) == plugin.run("stop.sh") == (0, "", "")
    command = text.split("then run: ", 1)[1]
    script = plugin.root / "hooks" / "again.sh"
    script.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    script.chmod(0o755)
    done = plugin.run("again.sh")
    assert done.code == 1
    assert "it needs Python 3.11 or newer" in done.stderr
    assert failed(plugin).exists()


def test_a_failure_is_tried_again_after_an_hour_and_told_only_when_new(plugin: Plugin) -> None:
    plugin.run(NAME)
    wait_for(failed(plugin))
    plugin.run(NAME)
    past = time.time() - OVER_AN_HOUR
    os.utime(told(plugin), (past, past))
    assert plugin.run(NAME) == (0, "", "")
    wait_for(failed(plugin))
    assert plugin.run(NAME) == (0, "", "")
    failed(plugin).write_text('a\tb\x01\x7f "c" \\d\ne\n', encoding="utf-8")
    assert plugin.run(NAME).told() == 'a b "c" \\d e'
    log = plugin.data / f"build-{__version__}.log"
    log.write_text("$ python -m venv", encoding="utf-8")  # a build runs
    assert plugin.run(NAME) == (0, "", "")


def test_a_folder_that_cannot_be_written_is_told(plugin: Plugin) -> None:
    plugin.data.write_text("a file in the way", encoding="utf-8")
    assert plugin.run(NAME).told() == (
        f"groundwire cannot write to its folder {plugin.data}, so nothing is checked."
    )
