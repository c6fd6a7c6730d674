"""Every error that a settings file can have, with its place and what is allowed."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from groundwire.config.convert import from_settings
from groundwire.config.schema import SettingsTable, json_schema
from groundwire.config.words import near_misses_first
from groundwire.errors import ConfigError
from groundwire.model import KINDS
from groundwire.rules.weights import FEATURES
from groundwire.settings import SHIPPED
from groundwire.state.sources import MAX_BYTES
from tests.config.place import Place, rows

BAD = rows("bad")


@pytest.mark.parametrize(("text", "expected"), BAD, ids=[text for text, _ in BAD])
def test_error_names_file_key_value_and_what_is_allowed(
    place: Place, text: str, expected: str
) -> None:
    file = place.user(text)
    with pytest.raises(ConfigError, match="^" + re.escape(f"{file}: {expected}")) as error:
        place.load()
    assert "\n" not in str(error.value)


SYNTAX = [
    (b"mode = \n", "line 1, column 8: Invalid value"),
    (b"notify = true\nmode 1\n", "line 2, column 6: Expected '='"),
    (b"notify = true\nmode", "line 2: Expected '=' after a key"),
    (b"notify = true\n# caf\xe9\n", "line 2: not UTF-8"),
    (b"log.keep = " + b"9" * 5000, "Exceeds the limit"),
    (b"mode = " + b"[" * 5000, "nested too deeply"),
    (b"#" * (MAX_BYTES + 1), f"is larger than {MAX_BYTES} bytes"),
]


@pytest.mark.parametrize(("data", "expected"), SYNTAX, ids=[text for _, text in SYNTAX])
def test_broken_file(place: Place, data: bytes, expected: str) -> None:
    file = place.user("")
    file.write_bytes(data)
    with pytest.raises(ConfigError, match="^" + re.escape(f"{file}: {expected}")):
        place.load()


def test_what_is_no_file(place: Place, tmp_path: Path) -> None:
    """A pipe does not make it hang, and a byte order mark is no error."""
    os.mkfifo(place.folder / ".groundwire.toml")
    with pytest.raises(ConfigError, match=r"groundwire\.toml: is not a regular file"):
        place.load()
    (place.folder / ".groundwire.toml").unlink()
    (place.settings / "config.toml").mkdir()
    with pytest.raises(ConfigError, match=r"config\.toml: is not a regular file"):
        place.load()
    (place.settings / "config.toml").rmdir()
    place.user("").write_bytes(b"\xef\xbb\xbfnotify = true\n")
    assert place.load().settings.notify is True
    place.env["GROUNDWIRE_CONFIG"] = str(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match=r"none\.toml: does not exist"):
        place.load()


def test_control_characters_do_not_reach_the_terminal(place: Place) -> None:
    place.user('"\\u001b[2Jx" = "\\u001b]0;y\\u0007"\nmode = "\\u001b[2J"')
    with pytest.raises(ConfigError) as error:
        place.load()
    assert all(line.isprintable() for line in str(error.value).splitlines())


def test_all_errors_of_all_layers_at_once(place: Place) -> None:
    user = place.user('mode = "x"\nmarkers.nope = false\nlog.keep = 0')
    admin = place.admin("notify = 3")
    project = place.project("thresholds.report = 200")
    place.env["GROUNDWIRE_FRAMING"] = "maybe"
    with pytest.raises(ConfigError) as error:  # one that a flag masks, too
        place.load(blocks_per_prompt="many", mode="report")
    places = [line.split(": ")[0] for line in str(error.value).splitlines()]
    assert places == [
        *(str(user), str(user), str(admin), str(project)),
        *("environment", "command line", str(user)),
    ]


def test_many_names_are_cut() -> None:
    text = near_misses_first("name-33", [f"name-{number}" for number in range(50)])
    assert text.startswith("name-33, ")
    assert text.endswith(" and 30 more")


def test_schema() -> None:
    assert SettingsTable().model_dump() == from_settings(SHIPPED)
    schema = json_schema(["spec.i-think"], ["question"])
    names = {
        table: schema["properties"][table]["propertyNames"]["enum"]
        for table in ("kinds", "features", "markers", "filters")
    }
    assert names == {
        "kinds": list(KINDS),
        "features": list(FEATURES),
        "markers": ["spec.i-think"],
        "filters": ["question"],
    }
    assert schema["additionalProperties"] is False
    assert schema["properties"]["mode"]["enum"] == ["enforce", "report", "off"]
