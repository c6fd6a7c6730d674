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
from tests.config.place import PACK, Place

# what the user has set; what the project sets; the keys in it that loosen
LOOSENING = [
    ("", 'mode = "report"', ["mode"]),
    ("", 'mode = "off"', ["mode"]),
    ('mode = "report"', 'mode = "off"', ["mode"]),
    ('mode = "off"', 'mode = "report"', []),
    ('mode = "report"', 'mode = "enforce"', []),
    ("", 'mode = "enforce"', []),
    ("", "blocks_per_prompt = 1", ["blocks_per_prompt"]),
    ("", "blocks_per_prompt = 3", []),
    ("", "thresholds.report = 51", ["thresholds.report"]),
    ("", "thresholds.report = 49", []),
    ("", "thresholds.report = 50", []),
    # each key by itself: one up, one down
    ("", "thresholds.block = 71\nthresholds.words_block = 89", ["thresholds.block"]),
    ("thresholds.message_block = 95", "thresholds.message_block = 90", []),
    (
        "thresholds.message_block = 80",
        "thresholds.message_block = 81",
        ["thresholds.message_block"],
    ),
    ("", "kinds.causality_language = false", ["kinds.causality_language"]),
    ("kinds.causality_language = false", "kinds.causality_language = false", []),
    ("kinds.causality_language = false", "kinds.causality_language = true", []),
    ("", 'markers."spec.i-think" = false', ['markers."spec.i-think"']),
    ('markers."spec.i-think" = false', 'markers."spec.i-think" = true', []),
    # filters drop matches: without one there are more
    ("", "filters.question = false", []),
    ("filters.question = false", "filters.question = true", ["filters.question"]),
    ("", "filters.question = true", []),
    ("", '[[allow]]\nphrase = "a"\nreason = "r"', ["allow"]),
    ("", '[[allow]]\nmarker = "spec.i-think"\nreason = "r"', ["allow"]),
    (
        '[[allow]]\nphrase = "a"\nreason = "r"\n[[allow]]\nphrase = "b"\nreason = "r"',
        '[[allow]]\nphrase = "a"\nreason = "in other words"',
        [],
    ),
    ('[[allow]]\nphrase = "a"\nreason = "r"', "allow = []", []),
    ("", "strengths.weak = 0.64", ["strengths.weak"]),
    ("", "strengths.weak = 0.66", []),
    ("", "weights.context_density = 0.9", ["weights.context_density"]),
    ("", "weights.context_density = 1.1", []),
    ("", "weights.category_stacking = 2", []),
    ("", "weights.category_stacking = 0", ["weights.category_stacking"]),
    # these factors can be negative: in a long text more weight means less suspicion
    ("", "weights.text_length = 100", ["weights.text_length"]),
    ("", "weights.evidence_proximity = 2", ["weights.evidence_proximity"]),
    ("", "weights.context = 2", ["weights.context"]),
    ("", "weights.context = 0", ["weights.context"]),
    ("", "weights.pattern_strength = 1.1", ["weights.pattern_strength"]),
    ("", "weights.context = 1", []),
    ("", "features.unrun = 9.9\nfeatures.passed_fresh = 0.5", []),
    ("", "features.unrun = -9.9", ["features.unrun"]),
    ("features.unrun = -5", "features.unrun = -4", []),
    ("features.unrun = 9", "features.unrun = 8", ["features.unrun"]),
    # the value of a faint marker is negative
    ("", "features.strength = 9.9", ["features.strength"]),
    ("", 'patterns.folders = ["packs"]', ["patterns.folders"]),
    ("", "patterns.folders = []", []),
    # to take the user's pattern files away takes their markers away
    ('patterns.folders = ["packs"]', "patterns.folders = []", ["patterns.folders"]),
    ("", 'subagents.mode = "off"', ["subagents.mode"]),
    ("", 'subagents.mode = "enforce"', []),
    ("", 'subagents.enforce = ["reviewer"]', []),
    ('subagents.enforce = ["a", "b"]', 'subagents.enforce = ["b", "c"]', ["subagents.enforce"]),
    ('subagents.enforce = ["a", "b"]', 'subagents.enforce = ["c", "b", "a"]', []),
    ("", "log.enabled = false", ["log.enabled"]),
    ("log.enabled = false", "log.enabled = true", []),
    ("", "composite.enabled = true\ncomposite.may_block = true", []),
    ("composite.enabled = true", "composite.enabled = false", ["composite.enabled"]),
    ("composite.may_block = true", "composite.may_block = false", ["composite.may_block"]),
    ("", "composite.thresholds.planner = 0.76", []),
    ("", "composite.thresholds.planner = 0.74", ["composite.thresholds.planner"]),
    # a type that has no threshold yet has the default one
    ("", "composite.thresholds.qa = 0.8", []),
    ("", "composite.thresholds.qa = 0.7", ["composite.thresholds.qa"]),
    (
        "composite.default_threshold = 0.6",
        "composite.thresholds.qa = 0.7\ncomposite.default_threshold = 0.5",
        ["composite.default_threshold"],
    ),
    # to be measured as another type, to forget failures, to write elsewhere
    ("", 'composite.agents.Explore = "clerk"', ["composite.agents.Explore"]),
    ("", "composite.min_history = 100", ["composite.min_history"]),
    ("", "composite.lookback_hours = 1", ["composite.lookback_hours"]),
    ("", 'composite.history = "/tmp/x"', ["composite.history"]),
    ("", "composite.retention_days = 1", ["composite.retention_days"]),
    ("", 'composite.missing_factors = "neutral"', ["composite.missing_factors"]),
    ("", "composite.lookback_hours = 24", []),
    # what a judge is asked costs, and leaves the machine
    ("", "judge.enabled = true", ["judge.enabled"]),
    ("judge.enabled = true", "judge.enabled = false", []),
    ("", 'judge.base_url = "http://127.0.0.1:1"', ["judge.base_url"]),
    ("", "judge.budget_ms = 500", ["judge.budget_ms"]),
    ("", '[judge.prices]\n"openai/gpt-4" = 0.5', ['judge.prices."openai/gpt-4"']),
    ("", "log.max_bytes = 20000\nlog.keep = 1\nnotify = true\nframing = false", []),
]


@pytest.mark.parametrize(("user", "project", "expected"), LOOSENING)
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
    file = place.project("thresholds.block = 99")
    expected = (
        f"{file}: thresholds.block: value 99 in place of {SHIPPED.thresholds.block}: ignored, "
        f"because it loosens and it is not trusted: run groundwire trust {file}"
    )
    assert place.load().warnings == (expected,)


def test_keys_are_ignored_one_by_one(place: Place) -> None:
    place.project("notify = true\nthresholds = {report = 40, block = 99}")
    settings = place.load().settings
    assert settings.notify
    assert (settings.thresholds.report, settings.thresholds.block) == (40, SHIPPED.thresholds.block)


def test_environment_and_flags_need_no_trust(place: Place) -> None:
    place.env["GROUNDWIRE_THRESHOLDS__BLOCK"] = "99"
    loaded = place.load(mode="off")
    assert (loaded.settings.mode, loaded.settings.thresholds.block) == ("off", 99)
    assert loaded.warnings == ()


def test_trust_ends_when_a_setting_changes(place: Place) -> None:
    place.project('mode = "report"')
    place.trust()
    assert place.load().settings.mode == "report"
    place.project('mode = "off"')
    loaded = place.load()
    assert loaded.settings.mode == "enforce"
    assert "it has changed since it was trusted" in loaded.warnings[0]


def test_trust_of_a_file_with_a_key_of_an_earlier_release(place: Place) -> None:
    place.project('mode = "report"\nverdicts.supported = -3')
    place.trust()
    loaded = place.load()
    assert loaded.settings.mode == "report"
    assert len(loaded.warnings) == 1


def test_trust_survives_a_comment_and_other_tables(place: Place) -> None:
    text = '[project]\nname = "{}"\n[tool.groundwire]\nmode = "report"\n'
    file = place.write(place.folder / "pyproject.toml", text.format("old"))
    place.trust()
    place.write(file, "# a comment\n" + text.format("new"))
    assert place.load().settings.mode == "report"


def test_trust_is_for_one_path(place: Place) -> None:
    place.project('mode = "report"')
    place.trust()
    (place.home / "copy" / ".git").mkdir(parents=True)
    place.folder = place.home / "copy"
    place.project('mode = "report"')
    assert place.load().settings.mode == "enforce"


def test_trust_holds_behind_a_link(place: Place) -> None:
    place.project('mode = "report"')
    place.trust()
    (place.home / "link").symlink_to(place.folder)
    place.folder = place.home / "link"
    assert place.load().settings.mode == "report"


def test_linked_file_in_another_project_is_not_trusted(place: Place) -> None:
    """Its relative pattern folders would be those of the other project."""
    trusted = place.project('mode = "report"')
    place.trust()
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
    place.project('patterns.folders = ["/", "missing"]')
    loaded = place.load()
    assert (loaded.settings.pattern_folders, loaded.folders) == ((), ())


def test_unknown_marker_of_an_untrusted_pack_is_no_error(place: Place) -> None:
    place.project('markers."pack.own" = false\nnotify = true')
    assert place.load().settings.notify is True


DAMAGED = [b"", b"{", b"[]", b'{"schema": 2, "files": {}}', b'{"schema": 1}', b"\xff\xfe", b"null"]


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


def test_list_is_private_and_replaced_as_a_whole(place: Place) -> None:
    file = place.project('mode = "report"')
    os.umask(os.umask(0))  # whatever it is
    place.trust()
    path = place.settings / "trusted.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(json.loads(path.read_bytes())["files"]) == [str(file)]
    assert os.listdir(place.settings) == ["trusted.json"]


def test_list_that_cannot_be_written(place: Place) -> None:
    place.project('mode = "report"')
    place.env["GROUNDWIRE_CONFIG_DIR"] = str(place.write(place.home / "file", "") / "below")
    with pytest.raises(ConfigError, match=r"trusted\.json: cannot be written"):
        place.trust()


def test_invalid_project_cannot_be_trusted(place: Place) -> None:
    place.project('markers."no.such" = false\nlog.keep = 0')
    with pytest.raises(ConfigError, match=r"log\.keep.*\n.*unknown marker"):
        place.trust()
