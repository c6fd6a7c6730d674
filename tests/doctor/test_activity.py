"""The decision log, the folders and the confidence history: each finding both ways."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Hook
from tests.doctor.conftest import Patient, has
from tests.hook.messages import GUESS

ON = "[composite]\nenabled = true\n"


def test_the_hook_has_not_fired(patient: Patient) -> None:
    assert has(patient.found("log"), "note", "no turn is in the decision log yet")
    patient.register()
    assert has(patient.found("log"), "warning", "no turn is in the decision log yet", "/hooks")


def test_the_hook_has_fired(patient: Patient) -> None:
    patient.register()
    Hook(patient.home)(last_assistant_message=GUESS)
    found = patient.found("log")
    assert has(found, "ok", "the last Stop was logged at 20")
    assert has(found, "ok", ": block, 1 turn in 7 days")
    assert has(found, "ok", "no errors in 7 days")
    assert has(found, "ok", "50 % within ")
    assert {level for level, _, _ in found} == {"ok"}


@pytest.mark.parametrize(("days", "silent"), [(2, True), (10, False)])
def test_claude_code_works_and_the_hook_is_silent(
    patient: Patient, days: float, silent: bool
) -> None:
    patient.log(days_ago=5)
    patient.transcript(days)
    words = "no turn was logged since"
    assert not has(patient.found("log"), "warning", words)  # it is not registered
    patient.register()
    assert has(patient.found("log"), "warning", words, "restart Claude Code") is silent
    patient.now += 20 * 86_400
    assert has(patient.found("log"), "note", "no turns in 7 days")


@pytest.mark.parametrize(("last", "level"), [("disk full", "broken"), ("", "warning")])
def test_errors(patient: Patient, last: str, level: str) -> None:
    patient.log(days_ago=2, error="disk full")
    patient.log(days_ago=1, error=last)
    count = 2 if last else 1
    noun = "turns" if last else "turn"
    words = f"{count} {noun} of 2 ended unchecked, the last: disk full"
    assert has(patient.found("log"), level, words, "groundwire stats")


def test_latency(patient: Patient) -> None:
    for number in range(100):
        patient.log(milliseconds=float(number + 1))
    words = "50 % within 51 ms, 95 % within 96 ms, 99 % within 100 ms"
    assert has(patient.found("log"), "ok", words)
    for _ in range(20):
        patient.log(milliseconds=1_500.0)
    assert has(patient.found("log"), "warning", "a turn is slow", "install --http")
    path = patient.state / "decisions.jsonl"
    with path.open("a", encoding="ascii") as log:
        log.write("torn\n")
    assert has(patient.found("log"), "note", "in the decision log, which are ignored: 1")
    path.rename(patient.state / "elsewhere")
    path.symlink_to(patient.state / "elsewhere")
    assert has(patient.found("log"), "broken", "is no regular file", f"rm {path}")


def test_the_log_is_off(patient: Patient) -> None:
    assert not has(patient.found("log"), "note", "switched off")
    patient.cli.settings("log.enabled = false\n")
    assert has(patient.found("log"), "note", "switched off", "log.enabled = true")


@pytest.mark.parametrize("name", ["state", "cache"])
def test_a_folder_that_cannot_be_written(patient: Patient, name: str, tmp_path: Path) -> None:
    assert has(patient.found("log"), "ok", f"the {name} folder")
    (tmp_path / "file").write_text("", encoding="ascii")
    patient.env[f"GROUNDWIRE_{name.upper()}_DIR"] = str(tmp_path / "file" / "folder")
    words = f"the {name} folder: {tmp_path / 'file'} is no folder"
    assert has(patient.found("log"), "broken", words, f"GROUNDWIRE_{name.upper()}_DIR")


def test_without_a_home(patient: Patient) -> None:
    del patient.env["HOME"]
    assert has(patient.found("hook"), "broken", "HOME is not set")
    assert has(patient.found("log"), "broken", "there is no state folder", "set HOME")
    assert has(patient.found("confidence"), "note", "HOME is not set")


# the three troubleshooting cases, and what goes with them


def test_no_history(patient: Patient) -> None:
    found = patient.found("confidence")
    assert found == [
        (
            "note",
            f"no history yet in {patient.history}; the composite is off in the hook",
            "composite.enabled = true in the settings",
        )
    ]
    patient.run(0.9)
    assert has(patient.found("confidence"), "ok", f"history of 1 day in {patient.history}")
    (file,) = patient.history.iterdir()
    with file.open("ab") as out:
        out.write(b"null\n\xff\n")
    assert has(patient.found("confidence"), "note", "in the history, which are ignored: 2")


@pytest.mark.parametrize(("settings", "level"), [("", "warning"), (ON, "broken")])
def test_a_history_that_cannot_be_written(patient: Patient, settings: str, level: str) -> None:
    patient.cli.settings(settings)
    patient.history.parent.mkdir(parents=True)
    patient.history.write_text("", encoding="ascii")
    assert has(patient.found("confidence"), level, "is no folder", "composite.history")


def test_the_name_of_an_agent_must_be_the_same(patient: Patient) -> None:
    patient.run(0.9, "archon-patcher-1")
    patient.run(0.9, "clerk", "clerk")
    known = patient.found("confidence", "archon-patcher-1")
    assert has(known, "ok", 'the history knows the agent "archon-patcher-1"')
    assert has(known, "ok", "archon-patcher-1 (patcher): 1 of 1 run met 80.00%")
    assert not has(known, "ok", "clerk (clerk)")
    found = patient.found("confidence", "Archon-Patcher-2")
    words = 'no run of "Archon-Patcher-2" in 7 days; names must be the same; there are: "archon-pat'
    assert has(found, "warning", words, "the same agent name")


def test_the_factor_that_is_low(patient: Patient) -> None:
    for share in (0.9, 0.9, 0.5):
        patient.run(share)
    words = (
        "p-1 (patcher): 2 of 3 runs met 80.00%, average 83.67%; "
        "weakest factor Knowledge Base, 76.67% on average"
    )
    assert has(patient.found("confidence"), "note", words, "retrieve sources that fit")
    patient.run(0.5)
    patient.run(0.5)
    assert has(patient.found("confidence"), "warning", "2 of 5 runs met")


@pytest.mark.parametrize(("runs", "told"), [(2, False), (3, True)])
def test_the_threshold_is_too_high(patient: Patient, runs: int, told: bool) -> None:
    for _ in range(runs):
        patient.run(0.7, "guard", "dgts_enforcer")
    words = "guard (dgts_enforcer): no run reached 90.00%, the best was 79.00%"
    remedy = "composite.thresholds.dgts_enforcer = 0.79 in the settings"
    assert has(patient.found("confidence"), "warning", words, remedy) is told


@pytest.mark.parametrize(("hours", "told"), [(1, True), (30, False)])
def test_the_history_alone_keeps_it_below(patient: Patient, hours: float, told: bool) -> None:
    patient.run(0.5, "guard", "validator", hours)
    words = (
        "0 of 1 runs met their threshold in the last 24 hours, so that it reaches 80.00% at most"
    )
    assert has(patient.found("confidence"), "warning", words, "composite.min_history = 2") is told


def test_agents_without_a_type(patient: Patient) -> None:
    patient.run(0.9, "p-1", "patcher")
    patient.run(0.9, "code-reviewer", "code_reviewer")
    assert not has(patient.found("confidence"), "note", "no known type")  # it is off in the hook
    patient.cli.settings(ON)
    found = patient.found("confidence")
    words = 'agent "code-reviewer" has no known type: its threshold is the default 75.00%'
    assert has(found, "note", words, 'composite.agents."code-reviewer" = "planner" in')
    assert not has(found, "note", '"p-1"')
    patient.cli.settings(f'{ON}[composite.agents]\n"code-reviewer" = "validator"\n')
    assert not has(patient.found("confidence"), "note", "no known type")


# the command


def tree(patient: Patient) -> dict[str, tuple[int, bytes]]:
    files = [path for path in patient.home.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_the_command(patient: Patient) -> None:
    """It changes nothing, and what others wrote reaches no terminal."""
    patient.run(0.5, "\x1b[2J\u202e")
    patient.log(error="\x1b]0;x\x07")
    before = tree(patient)
    process = patient.cli("doctor")
    printed = process.stdout.decode()
    assert (process.returncode, "\x1b" in printed) == (1, False)
    assert "  broken   the hook is not registered: no turn is checked\n" in printed
    assert "           -> groundwire install\n" in printed
    process = patient.cli("doctor", "--json")
    assert tree(patient) == before
    found = json.loads(process.stdout)
    assert (process.returncode, found["healthy"]) == (1, False)
    assert set(found["findings"][0]) == {"area", "level", "text", "remedy"}
    shutil.rmtree(patient.state)
    patient.register()
    process = patient.cli("doctor", "--json")
    assert (process.returncode, json.loads(process.stdout)["healthy"]) == (0, True)
