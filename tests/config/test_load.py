"""Layers: what wins, where files are found, how variables are read, where values come from."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.config.load import Origin
from groundwire.config.renamed import RENAMED
from groundwire.errors import ConfigError
from groundwire.rules.weights import FEATURES
from groundwire.settings import SHIPPED, Allow, Judge, Settings, Subagents, Thresholds, Weights
from tests.config.place import Place, rows
from tests.support.tables import table


def test_nothing_configured_gives_the_shipped_settings(place: Place) -> None:
    loaded = place.load()
    assert (loaded.settings, loaded.files, loaded.warnings) == (SHIPPED, (), ())
    place.env.clear()  # no home at all
    assert place.load().settings == SHIPPED
    assert set(loaded.origins.values()) == {Origin("default")}


def test_every_key_of_a_file(place: Place) -> None:
    place.user(
        """
        mode = "report"
        notify = true
        framing = false
        blocks_per_prompt = 3
        [thresholds]
        report = 10
        block = 20
        words_block = 30
        doubt = 25
        message_block = 40
        [weights]
        context = 2
        [features]
        unrun = 1
        earlier = -0.5
        [kinds]
        causality_language = false
        speculation_language = true
        [markers]
        "spec.i-think" = false
        [filters]
        question = false
        [[allow]]
        phrase = "as far as I can tell"
        reason = "house style"
        [[allow]]
        marker = "spec.probably"
        reason = "too noisy"
        [subagents]
        mode = "off"
        enforce = ["reviewer"]
        """
    )
    settings = place.load().settings
    expected = Settings(
        mode="report",
        notify=True,
        framing=False,
        blocks_per_prompt=3,
        thresholds=Thresholds(10, 20, 30, 25, 40),
        weights=Weights(context=2.0),
        features=(("unrun", 1.0), ("earlier", -0.5)),
        kinds_off=("causality_language",),
        markers_off=("spec.i-think",),
        filters_off=("question",),
        allow=(
            Allow("house style", phrase="as far as I can tell"),
            Allow("too noisy", marker="spec.probably"),
        ),
        subagents=Subagents("off", ("reviewer",)),
    )
    assert settings == expected
    assert type(settings.weights.context) is float
    assert type(settings.features[0][1]) is float


STEPS: list[tuple[str, Callable[[Place], Any]]] = [
    ("user", lambda place: place.user("thresholds.report = 49")),
    ("admin", lambda place: place.admin("thresholds.report = 48")),
    ("project", lambda place: place.project("thresholds.report = 47")),
    ("environment", lambda place: place.env.update(GROUNDWIRE_THRESHOLDS__REPORT="46")),
]


def test_each_layer_wins_over_those_below(place: Place) -> None:
    for number, (layer, configure) in enumerate(STEPS):
        configure(place)
        loaded = place.load()
        assert loaded.settings.thresholds == Thresholds(report=49 - number)
        assert loaded.origins["thresholds", "report"].layer == layer
        assert loaded.origins["thresholds", "block"] == Origin("default")
    loaded = place.load(thresholds={"report": 99, "block": None}, mode=None)
    assert loaded.settings.thresholds == Thresholds(report=99)
    assert loaded.origins["thresholds", "report"] == Origin("flags")


def test_origin_names_the_file_or_variable(place: Place) -> None:
    user, admin = place.user("notify = true"), place.admin('mode = "report"')
    place.env |= {"GROUNDWIRE_LOG__KEEP": "7", "GROUNDWIRE_WEIGHTS": "{context = 0}"}
    loaded = place.load()
    assert loaded.origins["notify",] == Origin("user", str(user))
    assert loaded.origins["mode",] == Origin("admin", str(admin))
    assert loaded.origins["log", "keep"] == Origin("environment", "GROUNDWIRE_LOG__KEEP")
    assert loaded.origins["weights", "context"] == Origin("environment", "GROUNDWIRE_WEIGHTS")
    assert loaded.files == (str(user), str(admin))


def test_tables_are_merged_and_lists_replaced(place: Place) -> None:
    place.user('kinds.causality_language = false\nsubagents.enforce = ["a"]')
    place.admin('kinds.certainty_language = false\nsubagents.enforce = ["b"]')
    settings = place.load().settings
    assert settings.kinds_off == ("causality_language", "certainty_language")
    assert settings.subagents.enforce == ("b",)
    place.project("kinds.causality_language = true")
    assert place.load().settings.kinds_off == ("certainty_language",)


VALUES = [
    ("GROUNDWIRE_MODE", "report", "mode", "report"),
    ("GROUNDWIRE_MODE", '"report"', "mode", "report"),
    ("GROUNDWIRE_NOTIFY", "true", "notify", True),
    ("GROUNDWIRE_BLOCKS_PER_PROMPT", "0", "blocks_per_prompt", 0),
    ("GROUNDWIRE_KINDS__CAUSALITY_LANGUAGE", "false", "kinds_off", ("causality_language",)),
    ("GROUNDWIRE_MARKERS", '{"spec.i-think" = false}', "markers_off", ("spec.i-think",)),
    ("GROUNDWIRE_SUBAGENTS__ENFORCE", '["a", "b"]', "subagents", Subagents("report", ("a", "b"))),
    # set to nothing is how shells and CI systems say "not set"
    ("GROUNDWIRE_MODE", "", "mode", "enforce"),
]


@pytest.mark.parametrize(("name", "text", "field", "expected"), VALUES)
def test_variable(place: Place, name: str, text: str, field: str, expected: object) -> None:
    place.env[name] = text
    assert getattr(place.load().settings, field) == expected


@pytest.mark.parametrize(("variables", "expected"), rows("bad_variables"))
def test_bad_variable_is_named(place: Place, variables: dict[str, str], expected: str) -> None:
    place.env |= variables
    with pytest.raises(ConfigError, match=r"environment: " + re.escape(expected)):
        place.load()


def test_folder_variables_are_no_settings(place: Place) -> None:
    place.env |= {f"GROUNDWIRE_{name}_DIR": str(place.home) for name in ("STATE", "CACHE")}
    place.env["GROUNDWIRE_CONFIG_DIR"] = str(place.home / "elsewhere")
    place.write(place.home / "elsewhere" / "config.toml", "notify = true")
    assert place.load().settings == Settings(notify=True)
    place.env["GROUNDWIRE_CONFIG"] = str(place.write(place.home / "my.toml", "framing = false"))
    assert place.load().settings == Settings(framing=False)


@pytest.mark.parametrize(("files", "report"), rows("files"))
def test_project_file_found(place: Place, files: dict[str, str], report: int) -> None:
    place.folder = place.folder / "src" / "deep"
    place.folder.mkdir(parents=True)
    for name, text in files.items():
        place.write(place.home / "shop" / name, text)
    assert place.load().settings.thresholds.report == report


def test_search_ends_at_home_without_a_repository(place: Place) -> None:
    (place.folder / ".git").rmdir()
    place.write(place.home.parent / ".groundwire.toml", "thresholds.report = 1")
    assert place.load().settings == SHIPPED
    place.write(place.home / ".groundwire.toml", "thresholds.report = 2")
    assert place.load().settings.thresholds.report == 2


@table
def test_broken_table_in_pyproject(text: str, place: Place) -> None:
    file = place.write(place.folder / "pyproject.toml", text)
    with pytest.raises(ConfigError, match="^" + re.escape(str(file))):
        place.load()


def test_keys_of_an_earlier_release_are_left_out_and_their_successors_named(place: Place) -> None:
    file = place.user("thresholds = {idle_words_block = 70, report = 41}\nverdicts.supported = -3")
    place.admin("[verdicts]\n")
    place.env["GROUNDWIRE_WEIGHTS__SIGNALS"] = "2"
    loaded = place.load()
    assert loaded.settings == Settings(thresholds=Thresholds(report=41))
    why = "now, in other units; it does nothing"
    assert loaded.warnings == (
        f"{file}: thresholds.idle_words_block: is thresholds.block {why}",
        f"{file}: verdicts.supported: is features.passed_fresh {why}",
        f"environment: GROUNDWIRE_WEIGHTS__SIGNALS: is features.company {why}",
    )


@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_what_took_the_place_of_a_key_exists(old: tuple[str, str], new: str) -> None:
    table, key = new.split(".")
    names = {"thresholds": Thresholds._fields, "features": FEATURES, "judge": Judge._fields}
    assert key in names[table]
    assert old[1] not in (*Thresholds._fields, *Weights._fields)


def test_pattern_folders_are_relative_to_their_file(place: Place) -> None:
    file = place.user('patterns.folders = ["packs", "~/mine"]')
    with pytest.raises(ConfigError, match=r"folders\[1\].*: a folder that exists") as error:
        place.load()
    assert str(error.value).startswith(f"{file}: ")
    folders = place.pack(place.settings / "packs"), place.pack(place.home / "mine")
    assert place.load().settings.pattern_folders == tuple(map(str, folders))
