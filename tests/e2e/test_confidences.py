"""The composite and the reinforced confidence in turns of the real client."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.e2e.client import ClaudeCode
from tests.e2e.conftest import Installation
from tests.e2e.stub import Run, Say, Use

pytestmark = pytest.mark.e2e

PROMPT = "Add a function that sums a list, with a test."
CODE = "def total(values):\n    return sum(values)\n"
TEST = (
    "import unittest\nfrom shop import total\n\n\nclass T(unittest.TestCase):\n"
    "    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n"
)
DONE = Say("The function stands in shop.py. All tests pass.")
UNKNOWN = Say("I don't know - my confidence is too low to answer this accurately.")


def settings(claude: ClaudeCode, text: str) -> None:
    path = claude.home / ".config/groundwire/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")


def history(claude: ClaudeCode) -> list[dict[str, Any]]:
    files = sorted((claude.home / ".claude/validation/history").glob("*.jsonl"))
    return [json.loads(line) for one in files for line in one.read_text("ascii").splitlines()]


def writing(claude: ClaudeCode, name: str, text: str) -> Use:
    return Use("Write", {"file_path": str(claude.project / name), "content": text})


def test_a_turn_with_tools_is_weighed(with_install: ClaudeCode) -> None:
    claude = with_install
    settings(claude, "[composite]\nenabled = true\n[reinforcement]\nenabled = true\n")
    acts = [writing(claude, "shop.py", CODE), writing(claude, "test_shop.py", TEST)]
    session = claude.ask(PROMPT, *acts, Run("python3 -m unittest test_shop"), DONE)
    assert not session.hook_failures() + session.blocks()
    (row,) = history(claude)
    assert row["factors"]["code_validation_score"] == pytest.approx(0.8)  # all but the types
    assert row["factors"]["knowledge_base_score"] is None
    assert row["project"] == str(claude.project)
    last = claude.decisions()[-1]
    assert last["composite"]["value"] == row["composite_confidence"]
    # one run that passed; two new files that are no content
    assert last["reinforcement"]["steps"] == 1
    assert last["reinforcement"]["state"] == "INIT"
    again = claude.ask("Show it.", Run("cat shop.py"), DONE, resume=session)
    assert not again.hook_failures()
    kept = claude.decisions()[-1]["reinforcement"]
    assert kept["steps"] == 2
    assert kept["state"] == "OBSERVE"


def test_a_low_confidence_stops_the_turn_when_it_may(with_install: ClaudeCode) -> None:
    claude = with_install
    settings(claude, "[composite]\nenabled = true\nmay_block = true\ndefault_threshold = 0.9\n")
    session = claude.ask("What does the log say?", Say("The log ends with a trace."), UNKNOWN)
    [reason] = session.blocks()
    assert reason.startswith("Confidence 50.00% is below the 90.00% that default needs.")
    assert session.result == UNKNOWN.text
    assert not session.hook_failures()
    assert [row["should_block"] for row in history(claude)] == [True, True]


def test_doctor_after_a_turn(with_install: ClaudeCode, installation: Installation) -> None:
    claude = with_install
    claude.ask("What does the log say?", Say("The log ends with a trace."))
    command = [str(installation.command), "doctor", "--json"]
    done = subprocess.run(
        command,
        cwd=claude.project,
        env=claude.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)
    assert (done.returncode, found["healthy"]) == (0, True)
    texts = [finding["text"] for finding in found["findings"]]
    assert any("starts and stops a sample turn" in text for text in texts)
    assert any("the last Stop was logged at" in text for text in texts)
