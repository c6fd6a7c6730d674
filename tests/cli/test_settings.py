"""Settings by file, environment and flag, seen in what the command prints."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.command import GUESS, LONE, LONE_MATCH, Command
from tests.config.place import PACK as OTHER_PACK

ASKED = "I think it is the parser?"
OWN = "It is zorbly the parser."
PACK = OTHER_PACK.replace("zorble likely", "zorbly")  # a word that no shipped marker has


def evidence(matches: list[dict[str, Any]]) -> list[str]:
    return [match["evidence"] for match in matches]


def test_the_flag_beats_the_environment_beats_the_file(cli: Command) -> None:
    environment = {"GROUNDWIRE_THRESHOLDS__REPORT": "70"}
    cli.settings("[thresholds]\nreport = 80\n")
    assert cli.scan(LONE) == []
    assert cli.scan(LONE, env=environment) == [LONE_MATCH]
    assert cli.scan(LONE, "--threshold", "90", env=environment) == []
    assert cli.scan(LONE, "--set", "thresholds.report=90", env=environment) == []


def test_a_project_tightens_freely(cli: Command) -> None:
    cli.settings("thresholds.report = 80\n")
    cli.write(".groundwire.toml", "thresholds.report = 60\n")
    assert cli.scan(LONE) == [LONE_MATCH]


def test_a_project_loosens_only_when_trusted(cli: Command) -> None:
    path = cli.write(".groundwire.toml", "kinds.speculation_language = false\n")
    process = cli("scan", stdin=LONE)
    assert b'"I think"' in process.stdout
    assert process.stderr.startswith(f"groundwire: warning: {path}: kinds.spec".encode())
    assert "trusted: " in cli.out("trust")
    assert cli.scan(LONE) == []


def test_settings_in_pyproject(cli: Command) -> None:
    cli.write(
        "pyproject.toml", "[project]\nname = 'x'\n[tool.groundwire]\nthresholds.report = 20\n"
    )
    assert "report = 20" in cli.out("config", "show")


@pytest.mark.parametrize("command", ["scan", "explain"])
def test_warnings_are_told_by_every_command(cli: Command, command: str) -> None:
    cli.write(".groundwire.toml", "mode = 'off'\n")
    assert b"groundwire: warning: " in cli(command, stdin=LONE).stderr


SET = [
    ("a number", ["thresholds.report=76"], []),
    ("white space", [" thresholds . report = 76 "], []),
    ("the last one counts", ["thresholds.report=76", "thresholds.report=75"], ["I think"]),
    ("a whole table", ["thresholds={report=76}"], []),
    ("a kind off", ["kinds.speculation_language=false"], []),
    ("another kind off", ["kinds.causality_language=false"], ["I think"]),
    ("a marker off, its id quoted", ['markers."speculation.i-think"=false'], []),
    ("a marker off, as a table", ['markers={"speculation.i-think"=false}'], []),
    ("a marker on", ['markers."speculation.i-think"=true'], ["I think"]),
    ("a weaker prior", ["strengths.weak=0.2"], []),
    ("a factor off: 65", ["weights.text_length=0", "thresholds.report=66"], []),
    ("the same factor: 65", ["weights.text_length=0", "thresholds.report=65"], ["I think"]),
]


@pytest.mark.parametrize(
    ("settings", "found"), [row[1:] for row in SET], ids=[row[0] for row in SET]
)
def test_set(cli: Command, settings: list[str], found: list[str]) -> None:
    arguments = [part for setting in settings for part in ("--set", setting)]
    assert evidence(cli.scan(LONE, *arguments)) == found


def test_all_weights_off_leave_every_match_at_50(cli: Command) -> None:
    off = ",".join(
        f"{name}=0"
        for name in (
            *("pattern_strength", "text_length", "evidence_proximity"),
            *("context_density", "category_stacking", "context"),
        )
    )
    matches = cli.scan(GUESS, "--set", f"weights={{{off}}}")
    assert {match["confidence"] for match in matches} == {50}


def test_a_filter_off_lets_its_candidates_stand(cli: Command) -> None:
    assert cli.scan(ASKED) == []
    assert evidence(cli.scan(ASKED, "--set", "filters.question=false")) == ["I think"]


ALLOW = [
    ("the exact id", "marker", "speculation.i-think", []),
    ("another id", "marker", "speculation.probably", ["I think"]),
    ("the evidence itself", "phrase", "I think", []),
    ("another case", "phrase", "i THINK", []),
    ("a longer phrase around it", "phrase", "I think it is the parser", []),
    ("a part of the evidence", "phrase", "think", ["I think"]),
    ("a part of a word behind it", "phrase", "I think it is the pars", ["I think"]),
    ("a phrase beside it", "phrase", "it is the parser", ["I think"]),
    ("a phrase that is not there", "phrase", "I think it was the parser", ["I think"]),
]


@pytest.mark.parametrize(
    ("key", "value", "found"), [row[1:] for row in ALLOW], ids=[row[0] for row in ALLOW]
)
def test_allowlist(cli: Command, key: str, value: str, found: list[str]) -> None:
    cli.settings(f'[[allow]]\n{key} = "{value}"\nreason = "house style"\n')
    assert evidence(cli.scan(LONE)) == found


def test_the_reason_of_an_allowance_is_shown(cli: Command) -> None:
    cli.settings('[[allow]]\nphrase = "I think it"\nreason = "house style"\n')
    assert "allowlist: house style" in cli.out("explain", stdin=LONE)


def test_mode_and_blocks_reach_the_decision(cli: Command) -> None:
    event = f'{{"last_assistant_message": "{GUESS}"}}\n'
    assert '"decision": "block"' in cli.out("scan", "--events", "-", stdin=event)
    reported = cli.out("scan", "--events", "-", "--set", "mode=report", stdin=event)
    assert '"decision": "report"' in reported


def test_an_own_pack_by_flag_and_by_file(cli: Command) -> None:
    cli.write("packs/speculation.toml", PACK)
    assert cli.scan(OWN) == []
    assert evidence(cli.scan(OWN, "--patterns", "packs")) == ["zorbly"]
    assert evidence(cli.scan(OWN, "--set", 'patterns.folders=["packs"]')) == ["zorbly"]
    cli.settings('patterns.folders = ["../../shop/packs"]\n')  # relative to the settings file
    assert evidence(cli.scan(OWN)) == ["zorbly"]
    assert "config-test" in cli.out("explain", stdin=OWN)


def test_an_own_pack_beside_the_shipped_rules(cli: Command) -> None:
    cli.write("packs/speculation.toml", PACK)
    assert evidence(cli.scan(f"{LONE} {OWN}", "--patterns", "packs")) == ["I think", "zorbly"]


REDEFINED = [
    ("the id", 'id = "speculation.i-think"', "speculation.i-think: already defined in "),
    ("the form", 'forms = ["i think"]', "form 'i think' already belongs to speculation.i-think"),
]


@pytest.mark.parametrize(
    ("line", "cause"), [row[1:] for row in REDEFINED], ids=[row[0] for row in REDEFINED]
)
def test_a_pack_that_redefines_is_refused(cli: Command, line: str, cause: str) -> None:
    key = line.partition(" ")[0]
    lines = [line if row.startswith(key) else row for row in PACK.splitlines()]
    path = cli.write("packs/speculation.toml", "\n".join(lines) + "\n")
    said = cli.refused("scan", "--patterns", "packs", stdin=LONE)
    assert said.startswith(f"groundwire: {path}: ")
    assert cause in said
