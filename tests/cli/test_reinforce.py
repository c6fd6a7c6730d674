"""``groundwire reinforce``: the formulas, the session file, bad input."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.command import Command


def value(cli: Command, *arguments: str) -> float:
    fields: dict[str, Any] = json.loads(cli.out("reinforce", "--json", *arguments))
    return float(fields["value"])


#: Vectors of group 004 through the command.
VALUES = [
    ("start", [], 0.5),
    ("one step, 004-V02", ["--evidence", "1:1"], 0.541421),
    ("five steps, 004-V02", ["--evidence", "1"] * 5, 0.614866),
    ("no evidence, 004-V10", ["--base", "0.6", "--evidence", "0:1"], 0.59),
    ("states count once, 004-V18", ["--symbol", "visit", "--symbol", "confirm"], 0.6),
    ("a flag and its state", ["--symbol", "visit", "--symbol", "confirm", "--validation"], 0.6),
    ("refactored, created, aged", ["--refactored", "2", "--created", "1"], 0.496),
    ("aged data", ["--data-months", "12"], 0.488),
    ("highest milestone, 004-V25", ["--milestone", "M1", "--milestone", "M3"], 0.68),
    (
        "header, 004-V12",
        "--formula full --base 0.707 --evidence 0.08:0.05 --validation --aho-corasick "
        "--integration".split(),
        0.815,
    ),
    ("published, 004-V04", ["--formula", "simplified-as-published", "--evidence", "1"], 0.520711),
    (
        "enhanced, V004-12",
        ["--formula", "enhanced", "--contribution", "M2=0.1", "--contribution", "M4_VV=0.06"],
        0.75,
    ),
]


@pytest.mark.parametrize(
    ("arguments", "wanted"), [r[1:] for r in VALUES], ids=[r[0] for r in VALUES]
)
def test_value(cli: Command, arguments: list[str], wanted: float) -> None:
    assert value(cli, *arguments) == pytest.approx(wanted)


def test_the_steps_as_text(cli: Command) -> None:
    printed = cli.out("reinforce", "--evidence", "1:1", "--symbol", "visit")
    assert printed.splitlines() == [
        "0.500000  base",
        "0.541421  evidence 1, observation 1",
        "0.638071  limit with alpha 0.2, delta 0.1",
        "+0.050000  observed",
        "0.591421  reinforced confidence: state OBSERVE, base 0.500, evidence brought it to 0.541",
    ]


def test_a_session_goes_on(cli: Command) -> None:
    for symbol in ("visit", "confirm", "test", "merge"):
        last = cli.out("reinforce", "--session", "s.json", "--symbol", symbol, "--json")
    fields = json.loads(last)
    assert (fields["state"], fields["value"]) == ("REFRESH", pytest.approx(0.614))
    stored = json.loads((cli.folder / "s.json").read_text(encoding="utf-8"))
    assert stored["entered"] == ["OBSERVE", "VALIDATE", "INTEGRATE", "REFRESH"]


def test_settings_of_a_user(cli: Command) -> None:
    cli.settings("[reinforcement]\nalpha = 0.3\ndelta = 0.05\napply_milestone_boost = true\n")
    assert value(cli, "--evidence", "1") == pytest.approx(0.562132)
    assert value(cli, "--evidence", "1", "--alpha", "0.2") == pytest.approx(0.541421)
    assert value(cli, "--session", "s.json", "--symbol", "visit") == pytest.approx(0.65)


REFUSED = [
    ("base", ["--base", "0"], ["base: value 0.0", "0.5 to 0.707107"]),
    ("evidence", ["--evidence", "2"], ["evidence: value 2.0", "0 to 1"]),
    ("NaN", ["--evidence", "nan:1"], ["evidence: value nan"]),
    ("infinite", ["--evidence", "1:inf"], ["observation: value inf"]),
    ("negative", ["--evidence", "-0.5"], ["evidence: value -0.5"]),
    ("no number", ["--evidence", "much"], ["evidence: value 'much'", "0.8:0.5"]),
    ("alpha", ["--evidence", "1", "--alpha", "0.5"], ["alpha: value 0.5", "0.1 to 0.3"]),
    ("delta", ["--evidence", "1", "--delta", "0"], ["delta: value 0.0", "0.05 to 0.15"]),
    ("symbol", ["--symbol", "look"], ["--symbol", "visit", "decay_warning"]),
    ("milestone", ["--milestone", "M7"], ["milestone: value 'M7'"]),
    ("count", ["--created=-1"], ["--created", "equal to 0"]),
    (
        "partial evidence",
        ["--formula", "simplified-as-published", "--evidence", "0.5"],
        ["evidence: value 0.5:1", "allowed: 1:1"],
    ),
    ("contribution", ["--formula", "enhanced", "--contribution", "M2"], ["such as M2=0.1"]),
    ("less than none", ["--formula", "enhanced", "--contribution", "M2=-1"], ["boost: value -1"]),
    ("session and formula", ["--session", "s", "--formula", "full"], ["--session goes with none"]),
    ("no session", ["--session", "other.json"], ["other.json: holds no session"]),
    ("no JSON", ["--session", "a.md"], ["a.md: holds no session"]),
    ("binary", ["--session", "bin"], ["bin: binary"]),
    ("nowhere", ["--session", "none/s.json"], ["none/s.json: No such file"]),
]


@pytest.mark.parametrize(
    ("arguments", "causes"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_bad_input(cli: Command, arguments: list[str], causes: list[str]) -> None:
    kept = {
        cli.write("other.json", '{"schema": 1}'): b'{"schema": 1}',
        cli.write("a.md", "text"): b"text",
        cli.write("bin", b"\0"): b"\0",
    }
    said = cli.refused("reinforce", *arguments)
    assert [cause for cause in causes if cause not in said] == []
    assert {path: path.read_bytes() for path in kept} == kept


def test_a_base_for_a_session_that_began(cli: Command) -> None:
    cli.out("reinforce", "--session", "s.json", "--base", "0.6")
    assert "holds a session that began" in cli.refused(
        "reinforce", "--session", "s.json", "--base", "0.7"
    )
