"""Every error that a settings file can have, with its place and what is allowed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from groundwire.config.convert import from_settings
from groundwire.config.schema import SettingsTable, json_schema
from groundwire.errors import ConfigError
from groundwire.model import KINDS
from groundwire.rules.weights import FEATURES
from groundwire.settings import SHIPPED
from groundwire.state.sources import MAX_BYTES
from tests.config.place import Place

MODE = 'one of "enforce", "report", "off"'
PERCENT = "a whole number from 0 to 100"
WEIGHT = "a number from 0 to 100"
LOGIT = "a number from -10 to 10 for each name of a feature"
PRIOR = "a number between 0 and 1, both excluded"
TEXT = "a text that is not empty"
TEXTS = 'a list of texts that are not empty, such as ["a", "b"]'
SHARE = "a number from 0 to 1"
AGENTS = f"{SHARE} for each agent type, in lower case with underscores"
ONE_OF_TWO = "needs a marker or a phrase: exactly one of the two"
TWO_ENTRIES = """
[[allow]]
phrase = "a"
reason = "r"
[[allow]]
phrase = "a"
marker = "spec.i-think"
reason = "r"
"""

BAD = [
    ('mode = "loud"', f'mode: value "loud": {MODE}'),
    ("mode = true", f"mode: value true: {MODE}"),
    ("mode = 2026-01-01", f'mode: value "2026-01-01": {MODE}'),
    ("notify = 1", "notify: value 1: true or false"),
    ('framing = "yes"', 'framing: value "yes": true or false'),
    ("blocks_per_prompt = -1", "blocks_per_prompt: value -1: a whole number from 0 to 20"),
    ("blocks_per_prompt = 2.0", "blocks_per_prompt: value 2.0: a whole number from 0 to 20"),
    ("thresholds = 5", "thresholds: value 5: a table"),
    ("thresholds.report = 101", f"thresholds.report: value 101: {PERCENT}"),
    ("thresholds.block = -1", f"thresholds.block: value -1: {PERCENT}"),
    # a bool is an int in Python, and no number here
    ("thresholds.words_block = true", f"thresholds.words_block: value true: {PERCENT}"),
    ('thresholds.message_block = "85"', f'thresholds.message_block: value "85": {PERCENT}'),
    ("thresholds.report = 70.0", f"thresholds.report: value 70.0: {PERCENT}"),
    ("weights.context = -0.1", f"weights.context: value -0.1: {WEIGHT}"),
    ("weights.context = nan", f"weights.context: value NaN: {WEIGHT}"),
    ("weights.context = inf", f"weights.context: value Infinity: {WEIGHT}"),
    ("weights.context = false", f"weights.context: value false: {WEIGHT}"),
    # a contribution of 1e308 logits would overflow the score
    ("weights.text_length = 1e308", f"weights.text_length: value 1e+308: {WEIGHT}"),
    ("features.unrun = 11", f"features.unrun: value 11: {LOGIT}"),
    ("features.unrun = nan", f"features.unrun: value NaN: {LOGIT}"),
    ("features.unrun = true", f"features.unrun: value true: {LOGIT}"),
    ("features = 1", f"features: value 1: {LOGIT}"),
    ("features.unrunn = 1", "features.unrunn: unknown feature: allowed: unrun, "),
    ("strengths.weak = 0", f"strengths.weak: value 0: {PRIOR}"),
    ("strengths.strong = 1.0", f"strengths.strong: value 1.0: {PRIOR}"),
    ("strengths.medium = nan", f"strengths.medium: value NaN: {PRIOR}"),
    ("kinds.causality_language = 1", "kinds.causality_language: value 1: true or false"),
    ("kinds = []", "kinds: value []: true or false"),
    ('markers."spec.i-think" = "off"', 'markers."spec.i-think": value "off": true or false'),
    ("allow = 3", "allow: value 3: a list of tables, written [[allow]]"),
    ('allow = ["x"]', 'allow[1]: value "x": a list of tables, written [[allow]]'),
    ('[[allow]]\nphrase = "a b"', f"allow[1].reason: missing: {TEXT}"),
    ('[[allow]]\nphrase = "a b"\nreason = " "', f'allow[1].reason: value " ": {TEXT}'),
    ('[[allow]]\nphrase = ""\nreason = "r"', f'allow[1].phrase: value "": {TEXT}'),
    ('[[allow]]\nreason = "r"', f"allow[1]: {ONE_OF_TWO}"),
    (
        TWO_ENTRIES,
        f"allow[2]: {ONE_OF_TWO}",
    ),
    ('patterns.folders = "packs"', f'patterns.folders: value "packs": {TEXTS}'),
    ('patterns.folders = [""]', f'patterns.folders[1]: value "": {TEXTS}'),
    ("subagents.mode = 0", f"subagents.mode: value 0: {MODE}"),
    ('subagents.enforce = ["a", 1]', f"subagents.enforce[2]: value 1: {TEXTS}"),
    ("log.enabled = 0", "log.enabled: value 0: true or false"),
    ("log.max_bytes = 100", "log.max_bytes: value 100: a whole number from 10000 to 1000000000"),
    ("log.keep = 0", "log.keep: value 0: a whole number from 1 to 100"),
    ("advisory.threshold = 0.95", "advisory.threshold: value 0.95: a number from 0.5 to 0.9"),
    ("advisory.high_relevance = 1", "advisory.high_relevance: value 1: a number between 0 and 1"),
    ("advisory.required = 'a'", f'advisory.required: value "a": {TEXTS}'),
    ("reinforcement.alpha = 0.4", "reinforcement.alpha: value 0.4: a number from 0.1 to 0.3"),
    ("reinforcement.delta = nan", "reinforcement.delta: value NaN: a number from 0.05 to 0.15"),
    ("reinforcement.category_bonus = -1", f"reinforcement.category_bonus: value -1: {SHARE}"),
    ("reinforcement.content_suffixes = ['md']", 'reinforcement.content_suffixes[1]: value "md"'),
    ("judge.enabled = 1", "judge.enabled: value 1: true or false"),
    ('judge.provider = "x"', 'judge.provider: value "x": one of "openai", "anthropic", "azure"'),
    ('judge.model = ""', 'judge.model: value "": a text that is not empty'),
    ('judge.base_url = "ftp://x"', 'judge.base_url: value "ftp://x": an address with http'),
    ("judge.budget_ms = 20000", "judge.budget_ms: value 20000: a whole number from 500 to 15000"),
    ("judge.statements = 0", "judge.statements: value 0: a whole number from 1 to 10"),
    ("judge.evidence_characters = 9", "judge.evidence_characters: value 9: a whole number from"),
    ("judge.prices.gpt = 1", 'judge.prices.gpt: value "gpt": dollars from 0 to 1000 for each'),
    ('judge.prices."azure/x" = -1', 'judge.prices."azure/x": value -1: dollars from 0 to 1000'),
    ("composite.enabled = 1", "composite.enabled: value 1: true or false"),
    ("composite.default_threshold = 75", f"composite.default_threshold: value 75: {SHARE}"),
    ("composite.default_threshold = nan", f"composite.default_threshold: value NaN: {SHARE}"),
    ("composite.thresholds.planner = -0.1", f"composite.thresholds.planner: value -0.1: {AGENTS}"),
    ("composite.thresholds.planner = true", f"composite.thresholds.planner: value true: {AGENTS}"),
    # one spelling only, so that no threshold is given twice
    ("composite.thresholds.Planner = 0.5", 'composite.thresholds.Planner: value "Planner": a numb'),
    ('composite.thresholds."qa lead" = 1', 'composite.thresholds."qa lead": value "qa lead": a '),
    ("composite.thresholds = 0.5", f"composite.thresholds: value 0.5: {AGENTS}"),
    ("composite.agents.Explore = 1", "composite.agents.Explore: value 1: for each agent of Claude"),
    ('composite.agents.Explore = "QA Lead"', 'composite.agents.Explore: value "QA Lead": for each'),
    ('composite.missing_factors = "skip"', 'composite.missing_factors: value "skip": one of "ren'),
    ("composite.lookback_hours = 0", "composite.lookback_hours: value 0: a whole number of hours"),
    ("composite.lookback_hours = 2.5", "composite.lookback_hours: value 2.5: a whole number of ho"),
    ("composite.retention_days = 0", "composite.retention_days: value 0: a whole number of days"),
    ("composite.min_history = -1", "composite.min_history: value -1: a whole number from 0 to"),
    ('composite.history = " "', f'composite.history: value " ": {TEXT}'),
    ('composite.negators = "not"', f'composite.negators: value "not": {TEXTS}'),
    ("composite.treshold = 1", "composite.treshold: unknown key: allowed: thresholds, "),
    # names: the near miss stands first
    ("thresholds.blok = 1", "thresholds.blok: unknown key: allowed: block, "),
    ("treshold = 1", "treshold: unknown key: allowed: thresholds, "),
    (
        '[[allow]]\nphrase = "a"\nreason = "r"\nkind = "x"',
        "allow[1].kind: unknown key: allowed: marker, phrase, reason",
    ),
    ("kinds.causal_language = false", "kinds.causal_language: unknown kind: allowed: causality_"),
    (
        'markers."spec.i-thin" = false',
        'markers."spec.i-thin": unknown marker: allowed: spec.i-think, spec.probably',
    ),
    (
        "filters.quotations = false",
        "filters.quotations: unknown filter: allowed: quotation, question",
    ),
    (
        '[[allow]]\nmarker = "spec.prob"\nreason = "r"',
        'allow[1].marker: unknown marker "spec.prob": allowed: spec.probably, spec.i-think',
    ),
]


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
    (b"mode = 'off'\nmode = 'off'\n", "line 2, column 13: Cannot overwrite"),
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


def test_byte_order_mark_is_no_error(place: Place) -> None:
    place.user("").write_bytes(b"\xef\xbb\xbfnotify = true\n")
    assert place.load().settings.notify is True


def test_folder_in_place_of_a_file(place: Place) -> None:
    (place.settings / "config.toml").mkdir()
    with pytest.raises(ConfigError, match=r"config\.toml: is not a regular file"):
        place.load()


def test_pipe_in_place_of_a_file_does_not_hang(place: Place) -> None:
    import os

    os.mkfifo(place.folder / ".groundwire.toml")
    with pytest.raises(ConfigError, match=r"groundwire\.toml: is not a regular file"):
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
    with pytest.raises(ConfigError) as error:
        place.load(blocks_per_prompt="many")
    places = [line.split(": ")[0] for line in str(error.value).splitlines()]
    assert places == [
        *(str(user), str(user), str(admin), str(project)),
        *("environment", "command line", str(user)),
    ]


def test_masked_error_is_told_all_the_same(place: Place) -> None:
    place.user('mode = "x"')
    with pytest.raises(ConfigError, match='mode: value "x"'):
        place.load(mode="report")


def test_many_names_are_cut(place: Place) -> None:
    from groundwire.config.words import near_misses_first

    names = [f"name-{number}" for number in range(50)]
    text = near_misses_first("name-33", names)
    assert text.startswith("name-33, ")
    assert text.endswith(" and 30 more")


def test_schema_defaults_are_the_shipped_settings() -> None:
    assert SettingsTable().model_dump() == from_settings(SHIPPED)


def test_json_schema_lists_the_names() -> None:
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


def test_missing_explicit_file(place: Place, tmp_path: Path) -> None:
    place.env["GROUNDWIRE_CONFIG"] = str(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match=r"none\.toml: does not exist"):
        place.load()
