"""``ConfidenceCalculator``, the quality gate and their published import paths, with real files."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from claude.validation import nlnh
from claude.validation.nlnh import AgentType, ConfidenceCalculator
from claude.validation.quality_gates import QualityGatesExecutor
from groundwire.base.errors import ConfidenceError, ConfigError
from groundwire.base.settings import Composite
from tests.support.decisions import json_lines
from tests.support.programs import run_program
from tests.support.tables import rows, tables

TABLES = tables(__file__)
NAME = "archon-patcher-1"
GIVEN: dict[str, Any] = TABLES["given"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty folder the home and the working folder, without settings."""
    for name in [name for name in os.environ if name.startswith(("GROUNDWIRE_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def history(home: Path) -> list[dict[str, Any]]:
    """Return all rows in the home's history, oldest day first."""
    files = sorted((home / ".claude" / "validation" / "history").glob("*"))
    return [row for path in files for row in json_lines(path)]


def test_the_published_call_on_a_fresh_machine(home: Path) -> None:
    """V000-16: without history 0.775 is below the threshold of a patcher."""
    result = ConfidenceCalculator().calculate_confidence(**GIVEN, task_id="T-1")
    assert (result.composite_confidence, result.confidence_level) == (0.775, "MODERATE")
    assert (result.agent_threshold, result.threshold_met) == (0.8, False)
    assert result.should_block is True
    assert "Weakest factor: Agent History 50.00%" in str(result.block_reason)
    assert result.factors.knowledge_base_score == 0.85
    assert result.factors["agent_history_score"] == 0.5
    assert result["composite_confidence"] == 0.775
    assert result.confidence_level.value == "MODERATE"
    assert nlnh.calculate_response_certainty_score("I think it broke") == 0.35
    assert nlnh.calculate_agent_history_score(NAME) == 2 / 3
    assert history(home) == [result.row]
    assert result.row["agent_type"] == AgentType.PATCHER.value == "patcher"
    with pytest.raises(KeyError):
        result["nothing"]


def test_one_failure_locks_no_agent_out(home: Path) -> None:
    """V000-19 holds without a prior; a run that only its history failed is a success."""
    for prior, second in ((0, 0.8), (2, 0.866667)):
        calculator = ConfidenceCalculator(Composite(prior_runs=prior, history=f"{home}/{prior}"))
        values = [
            calculator.calculate_confidence("dgts_enforcer", "v", share, share, share)
            for share in (0.0, 1.0, 1.0)
        ]
        assert [one.composite_confidence for one in values] == [0.1, second, 0.9]
        assert [one.should_block for one in values] == [True, True, False]
    assert values[1].as_dict()["weakest_factor"] == "agent_history_score"


def requirements(result: Any) -> str:
    """Find the check as the published snippet does."""
    check = next(check for check in result.checks if check.rule == "CONFIDENCE_REQUIREMENTS")
    return str(check.status)


def test_gate_on_what_was_calculated_before(home: Path) -> None:
    executor = QualityGatesExecutor()
    found = []
    for task, share in (("", None), ("T-1", 1.0), ("T-2", 0.0)):
        if share is not None:
            given = {**GIVEN, "agent_history_score": share, "task_id": task}
            ConfidenceCalculator().calculate_confidence(**given)
        gate = executor.execute_post_implementation_gate(agent_name=NAME, agent_type="patcher")
        found.append((requirements(gate), gate.passed))
    assert found == [("SKIPPED", True), ("PASSED", True), ("FAILED", False)]
    assert "Weakest factor: Agent History" in gate.checks[0].message
    first = executor.execute_post_implementation_gate(
        agent_name=NAME, agent_type=AgentType.PATCHER, task_id="T-1"
    )
    assert first.checks[0]["message"] == "confidence 87.50%, threshold 80.00%"
    other = executor.execute_post_implementation_gate(agent_name=NAME, agent_type="planner")
    assert requirements(other) == "SKIPPED"


def bad(changes: dict[str, Any], said: str, *, home: Path) -> bool:
    """Bad input is named and not logged."""
    with pytest.raises(ConfidenceError) as error:
        ConfidenceCalculator().calculate_confidence(**{**GIVEN, **changes})
    assert isinstance(error.value, ValueError)
    return history(home) == [] and str(error.value).startswith(said)


test_row = rows(__file__, bad=bad)


def test_an_unwritable_history_is_told_and_changes_nothing(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".claude").write_text("in the way", encoding="ascii")
    result = ConfidenceCalculator().calculate_confidence(**GIVEN)
    assert (result.composite_confidence, result.should_block) == (0.775, True)
    assert any("Not a directory" in warning for warning in result.warnings)
    assert "groundwire: warning: confidence history: " in capsys.readouterr().err


def test_settings(home: Path) -> None:
    folder = home / ".config" / "groundwire"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(
        '[composite]\nhistory = "~/h"\nprior_runs = 2\nnegators = ["not"]\n'
        "[composite.thresholds]\npatcher = 0.5\nqa_lead = 0.95\n",
        encoding="ascii",
    )
    calculator = ConfidenceCalculator()
    assert calculator.calculate_confidence(**GIVEN).should_block is False
    assert calculator.calculate_confidence("QA Lead", "q", 1, 1, 1).agent_threshold == 0.95
    assert calculator.calculate_confidence("planner", "q", 1, 1, 1).agent_threshold == 0.75
    assert calculator.calculate_agent_history_score(NAME) == 2 / 3  # (1 + 1) / (1 + 2)
    assert calculator.calculate_response_certainty_score("not tested") == 0.5
    assert len(list((home / "h").iterdir())) == 1
    ConfidenceCalculator(Composite(history=str(home / "i"))).calculate_confidence(**GIVEN)
    assert (home / "i").is_dir()
    (home / ".groundwire.toml").write_text("composite.thresholds.Planner = 2", encoding="ascii")
    with pytest.raises(ConfigError, match=r"composite\.thresholds\.Planner: value"):
        ConfidenceCalculator()


def test_the_published_commands(home: Path) -> None:
    """As a module, and as a file in ``~/.claude`` that is a copy of it."""
    calculator = ConfidenceCalculator()
    for number in range(8):
        share = 1.0 if number < 5 else 0.0
        calculator.calculate_confidence("planner", "archon-planner-1", share, share, share, share)
    source = Path(nlnh.__file__).with_name("confidence_calculator.py")
    copy = home / ".claude" / "validation" / "nlnh" / source.name
    copy.parent.mkdir()
    shutil.copy(source, copy)
    arguments = ["planner", "archon-planner-1", "0.8", "0.9", "0.7"]
    for command in (["-m", "claude.validation.nlnh.confidence_calculator"], [str(copy)]):
        for path in (home / ".claude" / "validation" / "history").iterdir():
            kept = path.read_text(encoding="ascii").splitlines(keepends=True)[:8]
            path.write_text("".join(kept), encoding="ascii")
        process = run_program([sys.executable, "-W", "error", *command, *arguments])
        assert (process.returncode, process.stderr) == (0, b"")
        assert process.stdout.decode() == TABLES["printed"]
