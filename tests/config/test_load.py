"""Layers: what wins, where files are found, how variables are read, where values come from."""

import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs.influence import Row
from docs.influence import rows as influences
from groundwire.base.errors import ConfigError
from groundwire.base.model import KINDS
from groundwire.base.rules.weights import FEATURES
from groundwire.base.settings import SHIPPED, Allow, Thresholds
from groundwire.hook.sources import USER, Source
from groundwire.settings.convert import from_settings
from groundwire.settings.load import Loaded, Origin, load, resolve
from groundwire.settings.names import known_names
from groundwire.settings.schema import SettingsTable, json_schema
from groundwire.settings.toml_text import show_key, to_toml
from groundwire.settings.trust import leaves, loosenings
from tests.config.place import PACK, Place, some_names
from tests.support.console import part
from tests.support.tables import rows

SECURITY = Path(__file__).parents[2] / "SECURITY.md"
EVERY = Path(__file__).with_name("every_key.toml").read_text(encoding="utf-8")
EVERY_KEY = tomllib.loads(EVERY)
NAMES = known_names()


def test_nothing_configured_gives_the_shipped_settings(place: Place) -> None:
    loaded = place.load()
    assert (loaded.settings, loaded.files, loaded.warnings) == (SHIPPED, (), ())
    place.env.clear()  # no home at all
    assert place.load().settings == SHIPPED
    assert set(loaded.origins.values()) == {Origin("default")}


def test_every_key_of_a_file(place: Place) -> None:
    place.user(EVERY)
    settings = place.load().settings
    assert part(from_settings(settings), EVERY_KEY) == EVERY_KEY
    assert settings.allow[1] == Allow("too noisy", marker="spec.probably")
    off = (settings.kinds_off, settings.markers_off)
    assert off == (("causality_language",), ("spec.i-think",))
    assert type(settings.weights.context) is float
    assert type(settings.features[0][1]) is float


def test_flags_win_over_all_layers(place: Place) -> None:
    place.env["GROUNDWIRE_THRESHOLDS__REPORT"] = "46"
    loaded = place.load(thresholds={"report": 99, "stop_from": None}, mode=None)
    assert loaded.settings.thresholds == Thresholds(report=99)
    assert loaded.origins["thresholds", "report"] == Origin("flags")


def problem(place: Place) -> str:
    with pytest.raises(ConfigError) as error:
        place.load()
    return str(error.value)


def variable(name: str, text: str, expected: dict[str, Any], *, place: Place) -> bool:
    place.env[name] = text
    return bool(part(from_settings(place.load().settings), expected) == expected)


def bad_variable(variables: dict[str, str], said: str, *, place: Place) -> bool:
    place.env |= variables
    return f"environment: {said}" in problem(place)


def report_below(files: dict[str, str], *, place: Place) -> int:
    place.folder = place.folder / "src" / "deep"
    place.folder.mkdir(parents=True)
    for name, text in files.items():
        place.write(place.home / "shop" / name, text)
    return place.load().settings.thresholds.report


def bad(text: str, said: str, *, place: Place) -> bool:
    """An error names file, key, value and what is allowed, in one line."""
    file = place.user(text)
    return problem(place).partition("\n")[0].startswith(f"{file}: {said}")


def no_toml(text: str, times: int, more: str, said: str, *, place: Place) -> bool:
    file = place.user("")
    file.write_bytes((text + times * more).encode("latin-1"))
    return problem(place).startswith(f"{file}: {said}")


def loosening(user: str, project: str, *, place: Place) -> list[str]:
    place.pack(place.settings / "packs")
    place.pack(place.folder / "packs")
    place.user(user)
    below = place.load().document
    place.project(project)
    ignored = [warning.split(": ")[1] for warning in place.load().warnings]
    place.trust()
    loaded = place.load()
    assert loaded.warnings == ()
    assert [show_key(item.path) for item in loosenings(below, loaded.document)] == ignored
    return ignored


def damaged_trust(text: str, *, place: Place) -> bool:
    """A list that cannot be read trusts nothing, and says so."""
    place.project('mode = "report"')
    place.trust()
    (place.settings / "trusted.json").write_bytes(text.encode("latin-1"))
    loaded = place.load()
    assert loaded.settings.mode == "enforce"
    with pytest.raises(ConfigError, match="delete it"):
        place.trust()
    said = r"trusted\.json: not a trust list .* no project is trusted"
    return bool(re.search(said, loaded.warnings[0]))


test_row = rows(
    __file__,
    variables=variable,
    bad_variables=bad_variable,
    files=report_below,
    bad=bad,
    no_toml=no_toml,
    loosening=loosening,
    damaged_trust=damaged_trust,
)


def test_pattern_folders_are_relative_to_their_file(place: Place) -> None:
    file = place.user('patterns.folders = ["packs", "~/mine"]')
    said = problem(place)
    assert said.startswith(f"{file}: patterns.folders[1]: ")
    assert said.endswith(": a folder that exists")
    folders = place.pack(place.settings / "packs"), place.pack(place.home / "mine")
    assert place.load().settings.pattern_folders == tuple(map(str, folders))


def test_what_is_no_file(place: Place, tmp_path: Path) -> None:
    """A folder does not make it fail otherwise, and a byte order mark is no error."""
    (place.settings / "config.toml").mkdir()
    assert "config.toml: is not a regular file" in problem(place)
    (place.settings / "config.toml").rmdir()
    place.user("").write_bytes(b"\xef\xbb\xbfnotify = true\n")
    assert place.load().settings.notify is True
    place.env["GROUNDWIRE_CONFIG"] = str(tmp_path / "none.toml")
    assert "none.toml: does not exist" in problem(place)


def test_schema() -> None:
    assert SettingsTable().model_dump() == from_settings(SHIPPED)
    schema = json_schema(["spec.i-think"], ["question"])
    shown = {"kinds": [*KINDS], "features": [*FEATURES]}
    shown |= {"markers": ["spec.i-think"], "filters": ["question"]}
    for table, names in shown.items():
        assert schema["properties"][table]["propertyNames"]["enum"] == names
    assert schema["additionalProperties"] is False
    assert schema["properties"]["mode"]["enum"] == ["enforce", "report", "off"]


texts = st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip)
entries = st.fixed_dictionaries({"phrase": texts, "reason": texts})
#: What holds any text or number; all else is as in the file with every kind of key.
FREE = {
    "allow": st.lists(entries, max_size=3),
    "subagents": st.fixed_dictionaries({"enforce": st.lists(texts, max_size=3)}),
    "features": st.dictionaries(st.sampled_from([*FEATURES]), st.floats(-10, 10)),
    "composite": st.fixed_dictionaries({"agents": st.dictionaries(texts, st.just("planner"))}),
}
documents = st.fixed_dictionaries(
    {}, optional={name: st.just(value) for name, value in EVERY_KEY.items()} | FREE
)


def read(text: str) -> Loaded:
    source = Source(USER, "/settings.toml", text.encode("utf-8"))
    return resolve([source], {}, names=some_names)


@given(documents)
def test_loading_what_is_shown_changes_nothing(document: dict[str, Any]) -> None:
    assert tomllib.loads(to_toml(document)) == document
    first = read(to_toml(document))
    assert first.errors == ()
    shown = to_toml(first.document, dict.fromkeys(first.origins, "a comment"))
    second = read(shown)
    assert (second.errors, second.settings) == ((), first.settings)
    assert to_toml(second.document) == to_toml(first.document)
    again = read(to_toml(from_settings(first.settings)))
    assert (again.errors, again.settings) == ((), first.settings)


@pytest.mark.parametrize("row", influences(), ids=lambda row: row[0])
def test_what_the_page_on_security_says_of_a_setting(place: Place, row: Row) -> None:
    """Its table is written by ``make patterns``."""
    assert row.line() in SECURITY.read_text(encoding="utf-8")
    assert [*row.counts, *row.ignored]
    for value in (*row.counts, *row.ignored):
        place.project(f"{row.key} = {value}")
        loaded = load(*place.where, None, lambda _: NAMES)
        kept = {show_key(path): found for path, found in leaves(loaded.document)}
        is_set = kept.get(row.key) == tomllib.loads(f"x = {value}")["x"]
        assert (is_set, len(loaded.warnings)) == (value in row.counts, value in row.ignored)


def test_changed_pattern_folder_loses_only_itself(place: Place) -> None:
    packs = place.pack(place.folder / "packs")
    place.project('mode = "report"\npatterns.folders = ["packs"]')
    place.trust()
    assert place.load().settings.pattern_folders == (str(packs),)
    place.pack(packs, PACK.replace("strong", "weak"))
    loaded = place.load()
    assert (loaded.settings.mode, loaded.settings.pattern_folders) == ("report", ())
    assert "patterns.folders: " in loaded.warnings[0]
    assert "its pattern folders have changed since it was trusted" in loaded.warnings[0]
    assert [path for path, _ in loaded.folders] == [str(packs)]


def test_the_list_is_private_or_cannot_be_written(place: Place) -> None:
    file = place.project('mode = "report"')
    place.trust()
    path = place.settings / "trusted.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(json.loads(path.read_bytes())["files"]) == [str(file)]
    assert os.listdir(place.settings) == ["trusted.json"]
    place.env["GROUNDWIRE_CONFIG_DIR"] = str(place.write(place.home / "file", "") / "below")
    with pytest.raises(ConfigError, match=r"trusted\.json: cannot be written"):
        place.trust()
