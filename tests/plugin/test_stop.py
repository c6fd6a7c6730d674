"""The launcher of Stop and SubagentStop under real shells."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable

import pytest

from tests.plugin.support import EVENT, SHELLS, Plugin

NAME = "stop.sh"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_ready_environment_gets_the_event(plugin: Plugin, shell: str) -> None:
    plugin.make_ready()
    done = plugin.run(NAME, shell=shell)
    assert json.loads(done.stdout) == [[1, 1], EVENT]
    assert (done.code, done.stderr) == (0, "")


def set_data(value: str | None) -> Callable[[Plugin], None]:
    def change(plugin: Plugin) -> None:
        plugin.environment.pop("CLAUDE_PLUGIN_DATA")
        if value is not None:
            plugin.environment["CLAUDE_PLUGIN_DATA"] = value

    return change


def marker_of_another_version(plugin: Plugin) -> None:
    plugin.make_ready()
    plugin.marker.rename(plugin.data / "ready-0.0.1")


QUIET: dict[str, Callable[[Plugin], object]] = {
    "no data folder given": set_data(None),
    "an empty one": set_data(""),
    "a relative one": set_data("data"),
    "the root": set_data("/"),
    "data folder not there yet": Plugin.files,
    "empty data folder": lambda plugin: plugin.data.mkdir(),
    "a file in its place": lambda plugin: plugin.data.write_text("x"),
    "marker of another version": marker_of_another_version,
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
