"""``groundwire composite`` and ``groundwire gate`` as processes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.command import Command

PLANNER = ("composite", "planner", "archon-planner-1", "0.8", "0.9", "0.7")
LINES = """Composite Confidence: 82.50%
Confidence Level: MODERATE
Threshold: 75.00%
Threshold Met: True
Should Block: False

Factor Scores:
  Knowledge Base: 80.00%
  Code Validation: 90.00%
  Response Certainty: 70.00%
  Agent History: 87.50%
"""


def history(cli: Command) -> list[dict[str, Any]]:
    """Return the rows that the command has written."""
    names = [name for name in cli.files() if name.startswith(".claude/validation/history/")]
    texts = [(cli.home / name).read_text(encoding="ascii") for name in sorted(names)]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def test_the_lines_are_exact(cli: Command) -> None:
    assert cli.out(*PLANNER, "--history", "0.875") == LINES
    assert cli.out(*PLANNER, "--history", "0.75").startswith("Composite Confidence: 80.00%\n")


def test_history_is_looked_up(cli: Command) -> None:
    assert cli.out(*PLANNER).endswith("Agent History: 50.00%\n")
    assert cli.out(*PLANNER).endswith("Agent History: 100.00%\n")
    assert [row["factors"]["agent_history_score"] for row in history(cli)] == [0.5, 1.0]


def test_a_block_says_why_on_stderr(cli: Command) -> None:
    process = cli("composite", "patcher", "p", "0.85", "0.9", "0.75")
    assert process.returncode == 0
    assert b"Should Block: True\n" in process.stdout
    assert b"Weakest factor: Agent History 50.00%" in process.stderr


def test_json(cli: Command) -> None:
    found = json.loads(cli.out(*PLANNER, "--history", "0.875", "--task-id", "T-17", "--json"))
    assert found["composite_confidence"] == 0.825
    assert (found["task_id"], found["weakest_factor"]) == ("T-17", "knowledge_base_score")
    (row,) = history(cli)
    assert {key: found[key] for key in row} == row


BAD = [
    (("planr", "a", "1", "1", "1"), "agent_type: value 'planr': allowed: planner, patcher"),
    (("planner", "", "1", "1", "1"), "agent_name: value '': allowed: a text of 1 to 200"),
    (("planner", "a", "nan", "1", "1"), "knowledge_base_score: value nan: allowed: a number from"),
    (("planner", "a", "1", "inf", "1"), "code_validation_score: value inf"),
    (("planner", "a", "1", "1", "-0.2"), "response_certainty_score: value -0.2"),
    (("planner", "a", "1", "1", "80"), "response_certainty_score: value 80.0"),
    (("planner", "a", "1", "1", "1", "--history", "2"), "agent_history_score: value 2.0"),
    (("planner", "a", "high", "1", "1"), "Invalid value for 'KB'"),
    (("planner", "a", "1", "1"), "Missing argument 'CERTAINTY'"),
    (("planner", "a", "1", "1", "1", "--histroy", "1"), "--histroy"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input(cli: Command, arguments: tuple[str, ...], message: str) -> None:
    assert message in cli.refused("composite", *arguments)
    assert history(cli) == []


def test_a_configured_agent_type_and_threshold(cli: Command) -> None:
    cli.settings("[composite.thresholds]\nqa_lead = 0.95\nplanner = 0.9\n")
    assert "Threshold: 90.00%" in cli(*PLANNER).stdout.decode()
    assert "Threshold: 95.00%" in cli("composite", "QA Lead", "q", "1", "1", "1").stdout.decode()
    lower = cli.out(*PLANNER, "--set", "composite.thresholds.planner=0.5")
    assert "Threshold: 50.00%" in lower


def test_an_unwritable_history_is_a_warning(cli: Command) -> None:
    cli.write("../.claude", "in the way")
    process = cli(*PLANNER)
    assert process.returncode == 0
    assert process.stdout.startswith(b"Composite Confidence: 75.00%\n")
    assert b"groundwire: warning: confidence history: Not a directory" in process.stderr


GOOD = ("gate", "patcher", "p", "--kb", "1", "--code", "1")


def test_gate_lets_an_answer_out(cli: Command) -> None:
    printed = cli.out(*GOOD, "-", stdin="It is fixed.\n")
    assert printed == (
        "PASSED  CONFIDENCE_REQUIREMENTS: confidence 80.00%, threshold 80.00%\n\nIt is fixed.\n"
    )


def test_gate_stops_an_answer(cli: Command) -> None:
    process = cli(*GOOD, "-", stdin="I think it is fixed.\n")
    status, _, answer = process.stdout.decode().partition("\n\n")
    assert (process.returncode, process.stderr) == (1, b"")
    assert status.startswith("FAILED  CONFIDENCE_REQUIREMENTS: Confidence 77.00% is below")
    assert answer == "I don't know - my confidence is too low to answer this accurately.\n"


def test_gate_as_json(cli: Command) -> None:
    passed = json.loads(cli.out(*GOOD, "-", "--json", stdin="Fixed."))
    assert (passed["response"], passed["confidence"], passed["passed"]) == ("Fixed.", 0.8, True)
    assert "reason" not in passed
    again = ("gate", "patcher", "other", "--kb", "1", "--code", "0.9")
    stopped = json.loads(cli(*again, "-", "--json", stdin="Maybe fixed.").stdout)
    assert 'lowered by "Maybe"' in stopped["reason"]
    assert [check["status"] for check in stopped["checks"]] == ["FAILED"]


def test_gate_from_facts(cli: Command) -> None:
    cli.write("found.json", json.dumps([{"similarity": 0.92}, {"similarity": 0.85}]))
    facts = ("--code-exists", "--syntax-valid", "--type-valid", "--tests-exist", "--tests-pass")
    printed = cli.out("gate", "patcher", "p", "--retrieval", "found.json", *facts)
    assert printed.startswith("PASSED  CONFIDENCE_REQUIREMENTS: confidence 80.00%")
    (row,) = history(cli)
    assert list(row["factors"].values()) == [1.0, 1.0, 0.5, 0.5]


def test_gate_on_the_last_calculation(cli: Command) -> None:
    assert cli.out("gate", "planner", "archon-planner-1").startswith("SKIPPED")
    cli.out(*PLANNER)
    assert cli.out("gate", "planner", "archon-planner-1").startswith("PASSED")
    assert len(history(cli)) == 1


GATES = [
    (("--kb", "1", "--retrieval", "x"), "--kb and --retrieval exclude each other"),
    (("--code", "1", "--tests-pass"), "exclude each other"),
    (("--retrieval", "none.json"), "none.json: No such file"),
    (("--retrieval", "bad.json"), "bad.json: Expecting value"),
    (("--retrieval", "object.json"), "object.json: allowed: a JSON list, each with a similarity"),
    (("--retrieval", "nan.json"), "nan.json: retrieval_results[0].similarity: value nan"),
    (("--certainty", "7"), "response_certainty_score: value 7.0"),
    (("none.md",), "none.md: No such file"),
]


@pytest.mark.parametrize(("arguments", "message"), GATES)
def test_bad_input_of_a_gate(cli: Command, arguments: tuple[str, ...], message: str) -> None:
    cli.write("bad.json", "similarity")
    cli.write("object.json", "{}")
    cli.write("nan.json", '[{"similarity": NaN}]')
    assert message in " ".join(cli.refused("gate", "patcher", "p", *arguments).split())
