"""What a project may do by itself, and what only after ``groundwire trust``."""

from __future__ import annotations

import json
import os
import re
import stat

import pytest

from groundwire.config.trust import loosenings
from groundwire.config.words import show_key
from groundwire.errors import ConfigError
from groundwire.settings import SHIPPED
from tests.config.place import PACK, Place, rows


@pytest.mark.parametrize(("user", "project", "expected"), rows("loosening"))
def test_what_loosens(place: Place, user: str, project: str, expected: list[str]) -> None:
    place.pack(place.settings / "packs")
    place.pack(place.folder / "packs")
    place.user(user)
    below = place.load().document
    place.project(project)
    warnings = place.load().warnings
    ignored = [warning.split(": ")[1] for warning in warnings]
    assert ignored == expected
    place.trust()
    loaded = place.load()
    assert loaded.warnings == ()
    assert [show_key(item.path) for item in loosenings(below, loaded.document)] == expected


def test_warning_names_file_key_values_and_command(place: Place) -> None:
    file = place.project("notify = true\nthresholds = {report = 40, block = 99}")
    expected = (
        f"{file}: thresholds.block: value 99 in place of {SHIPPED.thresholds.block}: ignored, "
        f"because it loosens and it is not trusted: run groundwire trust {file}"
    )
    loaded = place.load()
    assert loaded.warnings == (expected,)
    assert loaded.settings.notify  # keys are ignored one by one
    assert loaded.settings.thresholds.report == 40
    place.env["GROUNDWIRE_THRESHOLDS__BLOCK"] = "98"  # needs no trust
    assert place.load().settings.thresholds.block == 98


def test_trust_ends_when_a_setting_changes(place: Place) -> None:
    place.project('mode = "report"\nverdicts.supported = -3')  # a key of an earlier release
    place.trust()
    assert place.load().settings.mode == "report"
    place.project('mode = "off"')
    loaded = place.load()
    assert loaded.settings.mode == "enforce"
    assert "it has changed since it was trusted" in loaded.warnings[0]


def test_trust_survives_a_comment_and_other_tables(place: Place) -> None:
    text = '[project]\nname = "{}"\n[tool.groundwire]\nmode = "report"\n'
    file = place.write(place.folder / "pyproject.toml", text.format("old"))
    place.trust()
    place.write(file, "# a comment\n" + text.format("new"))
    assert place.load().settings.mode == "report"


def test_trust_is_for_one_path(place: Place) -> None:
    """It holds behind a link; a linked file in another project would have other pattern folders."""
    trusted = place.project('mode = "report"')
    place.trust()
    (place.home / "link").symlink_to(place.folder)
    place.folder = place.home / "link"
    assert place.load().settings.mode == "report"
    place.folder = place.home / "other"
    (place.folder / ".git").mkdir(parents=True)
    (place.folder / ".groundwire.toml").symlink_to(trusted)
    assert place.load().settings.mode == "enforce"


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


def test_untrusted_pattern_folder_is_not_even_read(place: Place) -> None:
    place.project('patterns.folders = ["/", "missing"]\nmarkers."pack.own" = false')
    loaded = place.load()
    assert (loaded.settings.pattern_folders, loaded.folders) == ((), ())


DAMAGED = [b"{", b"[]", b'{"schema": 2, "files": {}}', b'{"schema": 1}', b"\xff\xfe"]


@pytest.mark.parametrize("data", DAMAGED)
def test_damaged_list_trusts_nothing_and_says_so(place: Place, data: bytes) -> None:
    place.project('mode = "report"')
    place.trust()
    (place.settings / "trusted.json").write_bytes(data)
    loaded = place.load()
    assert loaded.settings.mode == "enforce"
    assert re.search(
        r"trusted\.json: not a trust list .* no project is trusted", loaded.warnings[0]
    )
    with pytest.raises(ConfigError, match="delete it"):
        place.trust()


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


def test_invalid_project_cannot_be_trusted(place: Place) -> None:
    place.project('markers."no.such" = false\nlog.keep = 0')
    with pytest.raises(ConfigError, match=r"log\.keep.*\n.*unknown marker"):
        place.trust()
