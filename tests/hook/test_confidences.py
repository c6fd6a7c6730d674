"""The composite and the reinforced confidence in the hook, as processes with real files."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Hook
from tests.hook.conftest import Start
from tests.hook.messages import CLEAN, GUESS
from tests.hook.test_import_budget import HEAVY, modules_of_a_hook_run
from tests.hook.test_session import GROUNDWIRE, answers_at_once
from tests.support.transcripts import Session

PASSED = "8 passed in 0.41s"
FAILED = "1 failed, 7 passed in 0.41s"
DONE = "The pool closes its sockets now. All tests pass."
ON = "[composite]\nenabled = true\n"
BLOCKS = f"{ON}may_block = true\n"
REINFORCED = "[reinforcement]\nenabled = true\n"
FACTORS = (
    "knowledge_base_score",
    "code_validation_score",
    "response_certainty_score",
    "agent_history_score",
)


def fixed(session: Session) -> None:
    session.prompt("fix the pool")
    session.read("/home/dev/shop/src/pool.py", "def close(): ...")
    session.edit("/home/dev/shop/src/pool.py", "...", "socket.close()")
    session.bash("ruff check .", "All checks passed!")
    session.bash("mypy src", "Success: no issues found in 12 source files")
    session.bash("pytest -q", PASSED)


@pytest.fixture
def turn(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Return a function that writes a turn and returns the event that ends it."""

    def write(message: str, act: Callable[[Session], None] = fixed, **event: Any) -> dict[str, Any]:
        session = Session()
        act(session)
        session.say(message)
        path = session.write(tmp_path / "session.jsonl")
        return {"last_assistant_message": message, "transcript_path": path, **event}

    return write


def rows(hook: Hook, folder: str = ".claude/validation/history") -> list[dict[str, Any]]:
    files = sorted((hook.home / folder).glob("confidences-*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("ascii").splitlines()]


# composite


def test_a_turn_is_a_row_of_the_history(hook: Hook, start: Start, turn: Any) -> None:
    start(ON)
    assert hook(**turn(DONE, prompt_id="p1")).get("decision") is None
    (row,) = rows(hook)
    assert (row["agent_name"], row["agent_type"], row["task_id"]) == ("default", "default", "p1")
    assert row["project"] == str(hook.home)
    assert tuple(row["factors"]) == FACTORS
    assert [row["factors"][name] for name in FACTORS] == [None, 1.0, 0.5, 0.5]
    whole = (0.3 * 1.0 + 0.2 * 0.5 + 0.2 * 0.5) / 0.7  # the missing factor has no weight
    assert row["composite_confidence"] == pytest.approx(whole, abs=1e-6)
    assert (row["agent_threshold"], row["threshold_met"]) == (0.75, False)
    logged = hook.log()[-1]["composite"]
    assert (logged["value"], logged["factors"]) == (row["composite_confidence"], row["factors"])


def test_history_comes_from_the_rows_before(hook: Hook, start: Start, turn: Any) -> None:
    start(f"{ON}default_threshold = 0.7\n")
    for number in range(3):
        hook(**turn(f"{DONE} Part {number}.", prompt_id=str(number)))
    found = [row["factors"]["agent_history_score"] for row in rows(hook)]
    assert found == [0.5, 1.0, 1.0]
    assert (
        "2 of 2 runs met" in hook.log()[-1]["composite"]["why"] or rows(hook)[-1]["threshold_met"]
    )


MISSING = [
    ("renormalise", (0.2 * 0.35 + 0.2 * 0.5) / 0.4),
    ("zero", 0.2 * 0.35 + 0.2 * 0.5),
    ("neutral", 0.3 * 0.5 + 0.3 * 0.5 + 0.2 * 0.35 + 0.2 * 0.5),
]


@pytest.mark.parametrize(("policy", "value"), MISSING)
def test_missing_factors(hook: Hook, start: Start, policy: str, value: float) -> None:
    start(f'{ON}missing_factors = "{policy}"\n')
    hook(last_assistant_message="Perhaps the log ends with a stack trace.")
    assert rows(hook)[0]["composite_confidence"] == pytest.approx(value, abs=1e-6)


AGENTS = [
    ("", "default", "default", 0.75),
    ("code-reviewer", "code-reviewer", "validator", 0.85),
    ("Planner", "Planner", "planner", 0.75),
    ("unheard of", "unheard of", "unheard_of", 0.6),
    ("x" * 500, "x" * 200, "x" * 200, 0.6),
]


@pytest.mark.parametrize(("given", "name", "kind", "threshold"), AGENTS)
def test_the_agent_type_of_the_event_is_mapped(
    hook: Hook, start: Start, given: str, name: str, kind: str, threshold: float
) -> None:
    agents = '[composite.agents]\n"code-reviewer" = "validator"\n'
    main = "" if given else "default_threshold = 0.75\n"
    start(f"{ON}{main or 'default_threshold = 0.6' + chr(10)}{agents}")
    event = {"hook_event_name": "SubagentStop", "agent_id": "a1"} if given else {}
    hook(last_assistant_message=CLEAN, agent_type=given, **event)
    (row,) = rows(hook)
    assert (row["agent_name"], row["agent_type"], row["agent_threshold"]) == (name, kind, threshold)


def test_the_composite_is_shown_in_the_reason_of_a_block(hook: Hook, start: Start) -> None:
    start(ON)
    reason = hook(last_assistant_message=GUESS)["reason"]
    assert "Weakest factor: Response Certainty 20.00%" in reason
    assert '"I think", "probably"' in reason
    assert len(reason) <= 1000
    start(f"{ON}default_threshold = 0.1\n", session_id="n")
    reason = hook(last_assistant_message=GUESS, session_id="n")["reason"]
    assert "Confidence 10.00% reaches the 10.00% that default needs" in reason


def test_by_default_it_stops_nothing(hook: Hook, start: Start) -> None:
    start(f"{ON}default_threshold = 1.0\n")
    assert hook(last_assistant_message=CLEAN) == {}
    assert rows(hook)[0]["should_block"]


def test_it_stops_a_turn_once_when_it_may(hook: Hook, start: Start) -> None:
    start(f"{BLOCKS}default_threshold = 1.0\n")
    first = hook(last_assistant_message=CLEAN, prompt_id="1")
    assert list(first) == ["decision", "reason"]
    assert first["reason"].startswith("Confidence 50.00% is below the 100.00% that default needs.")
    assert first["reason"].endswith("my confidence is too low to answer this accurately.")
    second = hook(last_assistant_message=f"{CLEAN} Twice.", prompt_id="1", stop_hook_active=True)
    assert list(second) == ["systemMessage"]
    assert "ended at a confidence of" in second["systemMessage"]
    third = hook(last_assistant_message=f"{CLEAN} Thrice.", prompt_id="1", stop_hook_active=True)
    assert third == {}
    assert "decision" in hook(last_assistant_message=CLEAN, prompt_id="2")
    assert [line["decision"] for line in hook.log()] == ["block", "pass", "pass", "block"]


NEVER = [
    ({"permission_mode": "plan"}, ""),
    ({}, 'mode = "report"\n'),
    ({"background_tasks": [{"type": "agent", "status": "running"}]}, ""),
    ({}, "blocks_per_prompt = 0\n"),
    ({"hook_event_name": "SubagentStop", "agent_type": "coder"}, ""),
]


@pytest.mark.parametrize(("event", "settings"), NEVER)
def test_what_speaks_against_a_block_speaks_against_this_one(
    hook: Hook, start: Start, event: dict[str, Any], settings: str
) -> None:
    start(f"{settings}{BLOCKS}default_threshold = 1.0\n")
    assert "decision" not in hook(last_assistant_message=CLEAN, **event)
    assert len(rows(hook)) == 1


NOBODY = [
    {"hook_event_name": "SubagentStop", "agent_id": "a1"},
    {"hook_event_name": "SubagentStop", "agent_id": "a1", "agent_type": "compact"},
]


@pytest.mark.parametrize("event", NOBODY, ids=lambda event: event.get("agent_type", "internal"))
def test_what_answers_nobody_is_not_weighed(
    hook: Hook, start: Start, event: dict[str, Any]
) -> None:
    start(f"{ON}{REINFORCED}")
    hook(last_assistant_message=CLEAN, **event)
    assert rows(hook) == []
    assert not {"composite", "reinforcement"} & hook.log()[-1].keys()


def test_two_copies_of_the_hook_write_one_row_and_block_once(hook: Hook, start: Start) -> None:
    start(f"{BLOCKS}{REINFORCED}")
    event = {"hook_event_name": "Stop", "session_id": "s", "prompt_id": "1", "cwd": str(hook.home)}
    data = json.dumps({**event, "last_assistant_message": CLEAN}).encode()
    answers = [json.loads(answer or b"{}") for answer in answers_at_once(hook, data, 3)]
    assert sum(answer.get("decision") == "block" for answer in answers) == 1
    assert len(rows(hook)) == 1


def test_a_history_that_cannot_be_written_is_noted(hook: Hook, start: Start) -> None:
    (hook.home / "file").write_text("", encoding="ascii")
    start(f'{ON}history = "{hook.home}/file/history"\n')
    answer = hook(last_assistant_message=GUESS)
    assert answer["decision"] == "block"
    assert any("confidence history" in note for note in hook.log()[-1]["notes"])


def test_a_malformed_history_is_passed_over(hook: Hook, start: Start) -> None:
    start(ON)
    hook(last_assistant_message=CLEAN)
    folder = hook.home / ".claude/validation/history"
    (file,) = folder.glob("*.jsonl")
    with file.open("ab") as out:
        out.write(b'{"agent_name": "default"}\nnull\n\xff\xfe\n{"torn')
    assert hook(last_assistant_message=f"{CLEAN} Again.") == {}
    assert hook.log()[-1]["composite"]["factors"]["agent_history_score"] == 0.0
    lines = [line for line in file.read_bytes().splitlines() if line.startswith(b'{"timestamp"')]
    assert len(lines) == 2


# reinforcement


def reinforced(hook: Hook) -> dict[str, Any]:
    found: dict[str, Any] = hook.log()[-1]["reinforcement"]
    return found


def test_evidence_and_states_come_from_the_ledger(hook: Hook, start: Start, turn: Any) -> None:
    def work(session: Session) -> None:
        fixed(session)
        session.bash("git commit -qam pool && git log -1 --oneline", "1a2b3c4 pool")
        session.bash("git commit -m pool", "[main 1a2b3c4] pool\n 1 file changed, 1 insertion(+)")

    start(REINFORCED)
    hook(**turn(DONE, work, prompt_id="1"))
    found = reinforced(hook)
    # a file read, a linter, a type checker, a test run; its claim is confirmed; a commit
    assert (found["state"], found["milestone"], found["steps"]) == ("REFRESH", "M4", 4)
    core = 0.5
    for evidence in (0.5, 1, 1, 1):
        core += 0.2 * evidence * (0.5**0.5 - core) - 0.1 * (core - 0.5)
    added = 0.05 + 0.05 + 0.004 + 0.01 + 0.003  # four states, one refactored file
    assert found["value"] == pytest.approx(core + added, abs=1e-6)


def test_a_second_stop_of_a_turn_counts_only_what_is_new(
    hook: Hook, start: Start, turn: Any
) -> None:
    start(REINFORCED)
    event = turn(DONE, prompt_id="1")
    hook(**event)
    once = reinforced(hook)
    hook(**event)
    hook(**event, stop_hook_active=True)
    assert reinforced(hook) == once

    def more(session: Session) -> None:
        fixed(session)
        session.say(DONE)
        session.feedback("Run them again.")
        session.bash("pytest -q", PASSED)

    hook(**turn(DONE, more, prompt_id="1", stop_hook_active=True))
    assert reinforced(hook)["steps"] == once["steps"] + 1
    hook(**turn(DONE, more, prompt_id="2"))
    assert reinforced(hook)["steps"] == once["steps"] + 1 + 5


def test_failures_lower_it(hook: Hook, start: Start, turn: Any) -> None:
    def broken(session: Session) -> None:
        session.prompt("run the tests")
        session.bash("pytest -q", FAILED, exit_code=1)

    start(REINFORCED)
    hook(**turn(DONE, prompt_id="1"))
    before = reinforced(hook)["value"]
    hook(**turn("One test fails.", broken, prompt_id="2"))
    assert reinforced(hook)["value"] < before


def test_old_data_is_a_decay_warning(hook: Hook, start: Start, turn: Any) -> None:
    def work(session: Session) -> None:
        fixed(session)
        session.bash("git commit -m pool", "[main 1a2b3c4] pool\n 1 file changed, 1 insertion(+)")
        head = "---\ndata_metadata:\n  created: 2001-01-01\n  validated: 2001-02-01\n---\n"
        session.read("/home/dev/shop/_data/courts.md", head)

    start(REINFORCED)
    hook(**turn(DONE, work))
    assert reinforced(hook)["state"] == "INIT"
    path = next((hook.state / "sessions").glob("*.json"))
    kept = json.loads(path.read_text(encoding="utf-8"))["models"]["reinforcement"][""]
    assert kept["session"]["decay_months"] > 290


def test_agents_and_new_sessions_have_their_own(hook: Hook, start: Start, turn: Any) -> None:
    start(REINFORCED)
    event = turn(DONE)
    hook(**event)
    agent = {"hook_event_name": "SubagentStop", "agent_id": "a", "agent_type": "coder"}
    hook(**event, **agent)
    assert reinforced(hook)["steps"] == 0  # without a transcript of its own
    hook(last_assistant_message=CLEAN)
    assert reinforced(hook)["state"] == "INTEGRATE"
    start(source="clear")
    hook(last_assistant_message=CLEAN)
    assert reinforced(hook)["state"] == "INIT"


def test_a_damaged_memory_is_a_new_one(hook: Hook, start: Start, turn: Any) -> None:
    start(f"{ON}{REINFORCED}")
    hook(**turn(DONE))
    path = next((hook.state / "sessions").glob("*.json"))
    memory = json.loads(path.read_text(encoding="utf-8"))
    damaged: list[Any] = [[], 3, {"reinforcement": {"": {"session": 3, "counted": {"calls": "x"}}}}]
    for broken in damaged:
        path.write_text(json.dumps({**memory, "models": broken}), encoding="utf-8")
        hook(**turn(DONE))
        assert (reinforced(hook)["state"], hook.log()[-1]["notes"]) == ("INTEGRATE", [])


# both


def test_stats_show_what_the_hook_wrote(hook: Hook, start: Start, turn: Any) -> None:
    start(f"{ON}{REINFORCED}")
    hook(**turn(DONE))
    command = [str(GROUNDWIRE), "stats", "--format", "json"]
    printed = subprocess.run(command, env=hook.env, cwd=hook.home, capture_output=True, check=True)
    found = json.loads(printed.stdout)
    assert found["composite"]["per_project"][0]["project"] == str(hook.home)
    (session,) = found["reinforcement"]["last_sessions"]
    assert (session["session"], session["state"]) == ("s", "INTEGRATE")
    assert session["value"] == reinforced(hook)["value"]


def test_without_the_settings_nothing_of_them_is_loaded(tmp_path: Path, transcript: Path) -> None:
    event = {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": GUESS}
    modules = modules_of_a_hook_run(tmp_path, {**event, "transcript_path": str(transcript)})
    ours = {name for name in modules if name.startswith("groundwire.")}
    assert not {name for name in ours if "confidence" in name or "history." in name} - {
        "groundwire.evidence.runs.history"
    }


def test_with_the_settings_on_a_turn_stays_within_the_budget(
    hook: Hook, start: Start, turn: Any
) -> None:
    start(f"{ON}{REINFORCED}")
    event = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(hook.home), **turn(DONE)}
    modules = modules_of_a_hook_run(hook.home, event)
    assert {"groundwire.history.append", "groundwire.confidence.reinforcement_session"} <= modules
    assert {name for name in modules if name in HEAVY or name.split(".")[0] in HEAVY} == set()


def test_a_folder_in_place_of_a_day_file_changes_nothing(hook: Hook, start: Start) -> None:
    start(ON)
    plain = hook(last_assistant_message=GUESS)
    (file,) = (hook.home / ".claude/validation/history").glob("*.jsonl")
    file.unlink()
    file.mkdir()
    other = hook(last_assistant_message=GUESS, session_id="other")
    assert (other["decision"], other["matches"]) == (plain["decision"], plain["matches"])
    assert hook.log()[-1]["notes"]
