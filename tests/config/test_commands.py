"""``groundwire config`` and ``groundwire trust`` on real files and the real environment."""

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from groundwire.cli import config, trust
from groundwire.config.convert import from_settings
from groundwire.errors import ConfigError
from groundwire.settings import SHIPPED
from tests.config.place import Place
from tests.support.tables import table

app = typer.Typer()
app.add_typer(config.app, name="config")
app.command("trust")(trust.trust)


@pytest.fixture(autouse=True)
def environment(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*os.environ]:
        if name.startswith(("GROUNDWIRE_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place.home))
    monkeypatch.chdir(place.folder)


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_show_prints_what_can_be_a_settings_file() -> None:
    result = run("config", "show")
    assert (result.exit_code, result.stderr) == (0, "")
    assert tomllib.loads(result.stdout) == from_settings(SHIPPED)
    result = run("config", "show", "--format", "json")
    assert json.loads(result.stdout) == from_settings(SHIPPED)


@table
def test_show_says_what_leaves_the_machine(settings: str, told: str, place: Place) -> None:
    place.user(settings)
    result = run("config", "show")
    assert told in result.stdout.splitlines()[0]
    tomllib.loads(result.stdout)


def test_a_trusted_file_that_is_gone_can_be_taken_from_the_list(place: Place) -> None:
    file = place.project('mode = "off"')
    run("trust", "--yes")
    file.unlink()
    assert run("trust", "--list").stdout == f"{file}: cannot be read\n"
    assert run("trust", "--remove", file).stdout == f"no longer trusted: {file}\n"


@table
def test_trust_refuses(arguments: list[str], expected: str, place: Place) -> None:
    place.write(place.folder / "pyproject.toml", "[project]\nname = 'x'")
    place.write(place.folder / "other.toml", "notify = true")
    place.write(place.folder / "broken" / ".groundwire.toml", 'mode = "x"\nlog.keep = 0')
    error: Any = run("trust", *arguments).exception
    assert isinstance(error, ConfigError)
    assert re.search(expected, str(error))
    assert not (place.settings / "trusted.json").exists()
