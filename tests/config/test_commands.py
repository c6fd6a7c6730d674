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


def test_show_origin(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    file = place.user("thresholds.report = 40\nkinds.causality_language = false")
    monkeypatch.setenv("GROUNDWIRE_NOTIFY", "true")
    lines = run("config", "show", "--origin").stdout.splitlines()
    assert {
        f"report = 40  # user: {file}",
        f"causality_language = false  # user: {file}",
        "notify = true  # environment: GROUNDWIRE_NOTIFY",
        f"block = {SHIPPED.thresholds.block}  # default",
    } <= set(lines)
    shown = json.loads(run("config", "show", "--origin", "--format", "json").stdout)
    assert shown["settings"]["thresholds"]["report"] == 40
    assert shown["origins"]["thresholds.report"] == {"layer": "user", "place": str(file)}
    assert shown["origins"]["mode"] == {"layer": "default", "place": ""}


@table
def test_show_says_what_leaves_the_machine(settings: str, told: str, place: Place) -> None:
    place.user(settings)
    result = run("config", "show")
    assert told in result.stdout.splitlines()[0]
    tomllib.loads(result.stdout)


def test_show_says_what_is_ignored(place: Place) -> None:
    place.project('mode = "off"')
    result = run("config", "show")
    assert tomllib.loads(result.stdout)["mode"] == "enforce"
    assert result.stderr.startswith("warning: ")
    place.user('mode = "x"')
    assert isinstance(run("config", "show").exception, ConfigError)


def test_check_names_the_files(place: Place) -> None:
    user, project = place.user("notify = true"), place.project("notify = true")
    result = run("config", "check")
    assert (result.exit_code, result.stdout) == (0, f"ok: {user}, {project}\n")
    good = place.write(place.home / "other.toml", "weights.position = 1")
    result = run("config", "check", good)
    assert result.stdout == f"ok: {good}\n"
    assert result.stderr.startswith(f"warning: {good}: weights.position: is features.close now")
    file = place.project("notify = 1")
    result = run("config", "check", place.folder)
    assert result.exit_code == 1
    assert result.stdout == f"{file}: notify: value 1: true or false\n"
    assert "the project's file counts for nothing as long as it has an error" in result.stderr


def test_check_names_what_is_passed_over(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    user = place.user("notify = true")
    near = place.write(place.folder / "src" / ".groundwire.toml", "notify = true")
    far = place.project("notify = false")
    beside = place.write(
        place.folder / "src" / "pyproject.toml", "[tool.groundwire]\nnotify = true"
    )
    place.write(place.folder / "pyproject.toml", "[project]\nname = 'x'")
    named = place.write(place.home / "other.toml", "")
    monkeypatch.setenv("GROUNDWIRE_CONFIG", str(named))
    result = run("config", "check", place.folder / "src")
    assert result.stderr.splitlines() == [
        f"warning: {user}: ignored, because GROUNDWIRE_CONFIG names {named}",
        f"warning: {beside}: ignored, because {near} is nearer",
        f"warning: {far}: ignored, because {near} is nearer",
    ]


def test_check_prints_every_error(place: Place) -> None:
    place.user('mode = "x"\nlog.keep = 0')
    place.project("= 1")
    result = run("config", "check")
    assert result.exit_code == 1
    assert [line.split(": ")[1] for line in result.stdout.splitlines()] == [
        *("line 1, column 1", "mode", "log.keep"),
    ]


@pytest.mark.parametrize("name", ["none.toml", "pyproject.toml"])
def test_check_what_holds_no_settings(place: Place, name: str) -> None:
    place.write(place.folder / "pyproject.toml", "[project]\nname = 'x'")
    result = run("config", "check", name)
    assert result.exit_code == 1
    assert re.search(r"does not exist|no \[tool.groundwire\] table", result.stdout)


def test_trust_shows_what_it_lets_loose(place: Place) -> None:
    file = place.project('mode = "off"\nthresholds.report = 40\nthresholds.block = 80')
    refused: Any = run("trust").exception
    assert str(refused) == f"{file}: not trusted; --yes trusts it without asking"
    assert run("trust", "--list").stdout == "no project is trusted\n"
    result = run("trust", "--yes")
    assert result.stdout.splitlines() == [
        f"{file} loosens:",
        '  mode: value "off" in place of "enforce"',
        f"  thresholds.block: value 80 in place of {SHIPPED.thresholds.block}",
        f"trusted: {file}, from the next session on",
    ]
    assert run("config", "show").stderr == ""


@pytest.mark.parametrize("path", [".", "src", ".groundwire.toml", "src/../.groundwire.toml"])
def test_trust_by_folder_or_file(place: Place, path: str) -> None:
    file = place.project('mode = "off"')
    (place.folder / "src").mkdir()
    assert f"trusted: {file}, " in run("trust", path, "--yes").stdout
    assert run("trust", "--list").stdout == f"{file}: trusted\n"
    assert run("trust", "--remove", path).stdout == f"no longer trusted: {file}\n"
    assert run("trust", "--list").stdout == "no project is trusted\n"


def test_trust_list_tells_what_changed(place: Place) -> None:
    file = place.project('mode = "off"')
    run("trust", "--yes")
    place.project('mode = "report"')
    assert run("trust", "--list").stdout == f"{file}: changed since it was trusted, so it is not\n"
    file.unlink()
    assert run("trust", "--list").stdout == f"{file}: cannot be read\n"
    assert run("trust", "--remove", file).stdout == f"no longer trusted: {file}\n"
    file = place.project("thresholds.report = 40")
    assert (
        run("trust").stdout
        == f"{file} loosens nothing.\ntrusted: {file}, from the next session on\n"
    )
    assert run("trust", "--list", "--remove").exit_code == 2


@table
def test_trust_refuses(arguments: list[str], expected: str, place: Place) -> None:
    place.write(place.folder / "pyproject.toml", "[project]\nname = 'x'")
    place.write(place.folder / "other.toml", "notify = true")
    place.write(place.folder / "broken" / ".groundwire.toml", 'mode = "x"\nlog.keep = 0')
    error: Any = run("trust", *arguments).exception
    assert isinstance(error, ConfigError)
    assert re.search(expected, str(error))
    assert not (place.settings / "trusted.json").exists()
