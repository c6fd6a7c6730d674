"""The composite and the reinforced confidence in the hook, with real files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Hook
from tests.hook.messages import CLEAN, GUESS, stop
from tests.hook.test_import_budget import HEAVY, modules_of_a_hook_run
from tests.hook.test_process import answers_at_once
from tests.support.tables import table
from tests.support.transcripts import Session

DONE = "The pool closes its sockets now. All tests pass."
ON = "[composite]\nenabled = true\n"
SURE = "The log certainly ends with a stack trace."
BLOCKS = f"{ON}may_block = true\n"
REINFORCED = "[reinforcement]\nenabled = true\n"
HISTORY = ".claude/validation/history"


def fixed(session: Session) -> None:
    session.prompt("fix the pool")
    session.read("/home/dev/shop/src/pool.py", "def close(): ...")
    session.edit("/home/dev/shop/src/pool.py", "...", "socket.close()")
    session.bash("ruff check .", "All checks passed!")
    session.bash("mypy src", "Success: no issues found in 12 source files")
    session.bash("pytest -q", "8 passed in 0.41s")


@pytest.fixture
def start(hook: Hook) -> Callable[..., Any]:
    def begin(settings: str, **event: Any) -> None:
        hook.configure(settings)
        hook.start(**event)

    return begin


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


def rows(hook: Hook) -> list[dict[str, Any]]:
    files = sorted((hook.home / HISTORY).glob("confidences-*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("ascii").splitlines()]


# composite
def test_turns_are_rows_of_the_history(hook: Hook, start: Any, turn: Any) -> None:
    """A factor without a value has no weight, and the history comes from the rows before."""
    start(f"{ON}default_threshold = 0.7\n")
    for number in range(3):
        assert hook(**turn(f"{DONE} Part {number}.", prompt_id=str(number))).get("decision") is None
    row, second, third = rows(hook)
    assert (row["agent_name"], row["agent_type"], row["task_id"]) == ("default", "default", "0")
    assert row["project"] == str(hook.home)
    assert row["factors"] == {
        "knowledge_base_score": None,
        "code_validation_score": 1.0,
        "response_certainty_score": None,
        "agent_history_score": None,
    }
    assert row["composite_confidence"] == 1.0
    assert (row["agent_threshold"], row["threshold_met"]) == (0.7, True)
    assert [one["factors"]["agent_history_score"] for one in (second, third)] == [1.0, 1.0]
    logged = hook.log()[-1]["composite"]
    assert (logged["value"], logged["factors"]) == (third["composite_confidence"], third["factors"])


def clean_in_go(session: Session) -> None:
    session.prompt("close the pool")
    session.edit("/home/dev/shop/pool.go", "...", "socket.Close()")
    session.bash("gofmt -l . && go vet ./...", "")
    session.bash("go build ./... && go test ./...", "ok  \texample.com/shop/pool\t0.31s")


def test_a_clean_turn_passes_whatever_is_missing_and_whatever_failed_before(
    hook: Hook, start: Any, turn: Any
) -> None:
    """The main agent, with the strictest threshold that is shipped."""
    start(f"{BLOCKS}default_threshold = 0.9\n")
    stopped = hook(**turn("Perhaps the pool is closed.", lambda s: s.prompt("?"), prompt_id="1"))
    assert stopped["decision"] == "block"
    done = "The pool closes its sockets now; `go test ./...` passes."
    for number in (2, 3):
        assert "decision" not in hook(
            **turn(f"{done} {number}", clean_in_go, prompt_id=f"{number}")
        )
    talk = turn("The pool has one socket for each worker.", lambda s: s.prompt("?"), prompt_id="4")
    assert "decision" not in hook(**talk)  # nothing is known of it, so it has no row
    failed, passed, third = rows(hook)
    assert [one["threshold_met"] for one in (failed, passed, third)] == [False, True, True]
    # 1 of 2 runs before the third: (0.3 * 1 + 0.2 * 0.5) / 0.5 = 0.8 with the history, 1 without
    assert third["factors"]["agent_history_score"] is None
    assert third["composite_confidence"] == 1.0


@pytest.mark.parametrize(("policy", "value"), [("zero", 0.17), ("neutral", 0.47)])
def test_missing_factors(hook: Hook, start: Any, policy: str, value: float) -> None:
    start(f'{ON}missing_factors = "{policy}"\n')
    hook(last_assistant_message="Perhaps the log ends with a stack trace.")
    assert rows(hook)[0]["composite_confidence"] == pytest.approx(value, abs=1e-6)


AGENTS = [
    ("", "default", "default", 0.6),
    ("code-reviewer", "code-reviewer", "validator", 0.85),
    ("Planner", "Planner", "planner", 0.75),
    ("unheard of", "unheard of", "unheard_of", 0.6),
    ("x" * 500, "x" * 200, "x" * 200, 0.6),
]


@pytest.mark.parametrize(("given", "name", "kind", "threshold"), AGENTS)
def test_the_agent_type_of_the_event_is_mapped(
    hook: Hook, start: Any, given: str, name: str, kind: str, threshold: float
) -> None:
    agents = '[composite.agents]\n"code-reviewer" = "validator"\n'
    start(f"{ON}default_threshold = 0.6\n{agents}")
    event = {"hook_event_name": "SubagentStop", "agent_id": "a1"} if given else {}
    hook(last_assistant_message=SURE, agent_type=given, **event)
    (row,) = rows(hook)
    assert (row["agent_name"], row["agent_type"], row["agent_threshold"]) == (name, kind, threshold)


def test_the_composite_is_shown_in_the_reason_of_a_block(hook: Hook, start: Any) -> None:
    start(ON)
    reason = hook(last_assistant_message=GUESS)["reason"]
    assert "Weakest factor: Response Certainty 20.00%" in reason
    assert '"I think", "probably"' in reason
    start(f"{ON}default_threshold = 0.1\n", session_id="n")
    reason = hook(last_assistant_message=GUESS, session_id="n")["reason"]
    assert "Confidence 10.00% reaches the 10.00% that default needs" in reason


def test_it_stops_a_turn_once_when_it_may(hook: Hook, start: Any) -> None:
    start(f"{ON}default_threshold = 1.0\n", session_id="a")
    assert hook(last_assistant_message=SURE, session_id="a") == {}  # by default it may not
    assert rows(hook)[0]["should_block"]
    start(f"{BLOCKS}default_threshold = 1.0\n")
    first = hook(last_assistant_message=SURE, prompt_id="1")
    assert list(first) == ["decision", "reason"]
    assert first["reason"].startswith("groundwire: Confidence ")
    assert first["reason"].endswith("my confidence is too low to answer this accurately.")
    second = hook(last_assistant_message=f"{SURE} Twice.", prompt_id="1", stop_hook_active=True)
    assert list(second) == ["systemMessage"]
    assert "ended at a confidence of" in second["systemMessage"]
    third = hook(last_assistant_message=f"{SURE} Thrice.", prompt_id="1", stop_hook_active=True)
    assert third == {}
    assert "decision" in hook(last_assistant_message=SURE, prompt_id="2")
    assert [line["decision"] for line in hook.log()[1:]] == ["block", "pass", "pass", "block"]


@table
def test_what_speaks_against_a_block_speaks_against_this_one(
    event: dict[str, Any], settings: str, hook: Hook, start: Any
) -> None:
    start(f"{settings}{BLOCKS}default_threshold = 1.0\n")
    assert "decision" not in hook(last_assistant_message=SURE, **event)
    assert len(rows(hook)) == 1


@pytest.mark.parametrize("agent", [{}, {"agent_type": "compact"}])
def test_what_answers_nobody_is_not_weighed(hook: Hook, start: Any, agent: dict[str, Any]) -> None:
    start(f"{ON}{REINFORCED}")
    event = {"hook_event_name": "SubagentStop", "agent_id": "a1", **agent}
    hook(last_assistant_message=SURE, **event)
    assert rows(hook) == []
    assert not {"composite", "reinforcement"} & hook.log()[-1].keys()


def test_copies_of_the_hook_write_one_row_and_block_once(hook: Hook, start: Any) -> None:
    start(f"{BLOCKS}{REINFORCED}")
    data = stop(SURE, prompt_id="1", cwd=str(hook.home))
    answers = [json.loads(answer or b"{}") for answer in answers_at_once(hook, data, data, data)]
    assert sum(answer.get("decision") == "block" for answer in answers) == 1
    assert len(rows(hook)) == 1


def test_a_history_that_cannot_be_written_is_noted(hook: Hook, start: Any) -> None:
    (hook.home / "file").write_text("", encoding="ascii")
    start(f'{ON}history = "{hook.home}/file/history"\n', session_id="a")
    assert hook(last_assistant_message=GUESS, session_id="a")["decision"] == "block"
    assert any("confidence history" in note for note in hook.log()[-1]["notes"])
    start(ON)
    hook(last_assistant_message=SURE)
    (file,) = (hook.home / HISTORY).glob("*.jsonl")
    file.unlink()
    file.mkdir()  # a folder in place of a day's file
    assert hook(last_assistant_message=GUESS)["decision"] == "block"
    assert hook.log()[-1]["notes"]


# reinforcement
def reinforced(hook: Hook) -> dict[str, Any]:
    found: dict[str, Any] = hook.log()[-1]["reinforcement"]
    return found


def kept(hook: Hook) -> tuple[Path, dict[str, Any]]:
    path = next((hook.state / "sessions").glob("*.json"))
    return path, json.loads(path.read_text(encoding="utf-8"))


def test_evidence_and_states_come_from_the_ledger(hook: Hook, start: Any, turn: Any) -> None:
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


def test_a_second_stop_of_a_turn_counts_only_what_is_new(hook: Hook, start: Any, turn: Any) -> None:
    start(REINFORCED)
    event = turn(DONE, prompt_id="1")
    hook(**event)
    once = reinforced(hook)
    hook(**event, stop_hook_active=True)
    assert reinforced(hook) == once

    def more(session: Session) -> None:
        fixed(session)
        session.say(DONE)
        session.feedback("Run them again.")
        session.bash("pytest -q", "8 passed in 0.41s")

    hook(**turn(DONE, more, prompt_id="1", stop_hook_active=True))
    assert reinforced(hook)["steps"] == once["steps"] + 1
    hook(**turn(DONE, more, prompt_id="2"))
    assert reinforced(hook)["steps"] == once["steps"] + 1 + 5


def test_agents_and_new_sessions_have_their_own(hook: Hook, start: Any, turn: Any) -> None:
    start(REINFORCED)
    event = turn(DONE)
    hook(**event)
    agent = {"hook_event_name": "SubagentStop", "agent_id": "a", "agent_type": "coder"}
    hook(**event, **agent)
    assert reinforced(hook)["steps"] == 0  # without a transcript of its own
    hook(last_assistant_message=CLEAN)
    assert reinforced(hook)["state"] == "INTEGRATE"
    hook.start(source="clear")
    hook(last_assistant_message=CLEAN)
    assert reinforced(hook)["state"] == "INIT"


def test_a_damaged_memory_is_a_new_one(hook: Hook, start: Any, turn: Any) -> None:
    start(f"{ON}{REINFORCED}")
    hook(**turn(DONE))
    path, memory = kept(hook)
    damaged: list[Any] = [[], 3, {"reinforcement": {"": {"session": 3, "counted": {"calls": "x"}}}}]
    for broken in damaged:
        path.write_text(json.dumps({**memory, "models": broken}), encoding="utf-8")
        hook(**turn(DONE))
        assert (reinforced(hook)["state"], hook.log()[-1]["notes"]) == ("INTEGRATE", [])


def test_models_are_loaded_only_when_they_are_on(hook: Hook, start: Any, turn: Any) -> None:
    event = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(hook.home), **turn(DONE)}
    models = {"groundwire.history.append", "groundwire.confidence.reinforcement.session"}
    modules = modules_of_a_hook_run(hook.home, event)
    assert not [name for name in modules if name.startswith("groundwire.confidence")]
    assert not models & modules
    start(f"{ON}{REINFORCED}")
    modules = modules_of_a_hook_run(hook.home, event)
    assert models <= modules
    assert {name for name in modules if name in HEAVY or name.split(".")[0] in HEAVY} == set()
