"""When the hook stops a turn, and when it never does: the registered command as a process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Hook
from tests.hook.conftest import Start
from tests.hook.messages import (
    CLEAN,
    FALSE,
    GUESS,
    LONE,
    OTHER,
    RESTATED,
    THIRD,
    stop,
    write_turn,
)

# when it blocks


MODES = [("enforce", "block", True), ("report", None, True), ("off", None, False)]


@pytest.mark.parametrize(("mode", "decision", "matches"), MODES)
def test_modes(hook: Hook, start: Start, mode: str, decision: str | None, matches: bool) -> None:
    start(f'mode = "{mode}"\n')
    answer = hook(last_assistant_message=GUESS)
    assert (answer.get("decision"), "matches" in answer) == (decision, matches)
    assert answer.get("systemMessage") is None


def test_a_mode_by_variable(hook: Hook, start: Start) -> None:
    hook.env["GROUNDWIRE_MODE"] = "report"
    start()
    assert list(hook(last_assistant_message=GUESS)) == ["matches"]


@pytest.mark.parametrize(("above", "blocks"), [(0, True), (1, False)])
def test_the_block_threshold_for_words_gates(
    hook: Hook, start: Start, above: int, blocks: bool
) -> None:
    worst = max(m["confidence"] for m in hook(last_assistant_message=GUESS)["matches"])
    start(f"thresholds.words_block = {worst + above}\n", session_id="new")
    answer = hook(last_assistant_message=GUESS, session_id="new")
    assert ("decision" in answer) is blocks


@pytest.mark.parametrize(("report", "reported"), [(75, True), (76, False)])
def test_the_report_threshold_gates(hook: Hook, start: Start, report: int, reported: bool) -> None:
    start(f"thresholds.report = {report}\n")
    assert ("matches" in hook(last_assistant_message=LONE)) is reported


@pytest.mark.parametrize(("block", "blocks"), [(100, False), (60, True)])
def test_the_block_threshold_for_turns_gates(
    hook: Hook, start: Start, tmp_path: Path, block: int, blocks: bool
) -> None:
    start(
        f"thresholds = {{block = {block}, message_block = 100, words_block = 100}}\n"
        "features = {count_differs = 0.0}\n"
    )
    path = write_turn(tmp_path / "s.jsonl", "go on", FALSE, failed=True)
    answer = hook(last_assistant_message=FALSE, transcript_path=path)
    assert ("decision" in answer) is blocks
    assert answer["matches"]


def test_all_thresholds_at_zero_block_every_match(hook: Hook, start: Start) -> None:
    start("thresholds = {report = 0, block = 0, words_block = 0, message_block = 0}\n")
    assert hook(last_assistant_message=LONE)["decision"] == "block"
    assert hook(last_assistant_message=CLEAN) == {}


def test_the_same_finding_is_sent_once_in_a_session(hook: Hook) -> None:
    assert "decision" in hook(last_assistant_message=GUESS, prompt_id="1")
    assert "decision" not in hook(last_assistant_message=GUESS, prompt_id="2")
    assert "decision" not in hook(last_assistant_message=f"Hello.\n\n{GUESS}", prompt_id="3")
    assert "decision" in hook(last_assistant_message=GUESS, session_id="another")


TWICE = [
    GUESS,
    f"{GUESS} {LONE}",
    "I think the crash is definitely caused by a race condition.",
    "I think the retry loop definitely causes the crash. All tests pass.",
    f"{GUESS}\n\n{OTHER}\n\n{THIRD}",
]


@pytest.mark.parametrize("message", TWICE)
def test_a_second_copy_of_the_hook_does_not_block_again(hook: Hook, message: str) -> None:
    """Plugin and settings may both have it registered: the same event comes twice."""
    data = stop(message, prompt_id="1")
    first, second = (json.loads(hook.raw(data).stdout) for _ in range(2))
    assert list(first) == ["decision", "reason", "matches"]
    assert second == {"matches": first["matches"]}


def test_two_blocks_for_a_prompt_and_then_one_word_to_the_user(hook: Hook) -> None:
    answers = [
        hook(last_assistant_message=message, prompt_id="1", stop_hook_active=number > 0)
        for number, message in enumerate([GUESS, OTHER, THIRD, THIRD])
    ]
    assert [answer.get("decision") for answer in answers] == ["block", "block", None, None]
    told = [answer.get("systemMessage") for answer in answers]
    assert (told[0], told[1], told[3]) == (None, None, None)
    assert "blocks of this prompt are used up" in str(told[2])
    assert "decision" in hook(last_assistant_message=THIRD, prompt_id="2")


def test_without_prompt_ids_the_prompt_itself_tells_turns_apart(hook: Hook, tmp_path: Path) -> None:
    claims = [FALSE, "The build of the parser passes all its tests.", "All checks are green now."]
    paths = [
        write_turn(tmp_path / f"{n}.jsonl", prompt, failed=True)
        for n, prompt in enumerate(["a", "b"])
    ]
    answers = [
        hook(last_assistant_message=message, transcript_path=paths[number])
        for message, number in ((claims[0], 0), (claims[1], 0), (claims[2], 0), (claims[2], 1))
    ]
    assert [answer.get("decision") for answer in answers] == ["block", "block", None, "block"]


@pytest.mark.parametrize(("blocks", "decisions"), [(0, [False, False]), (1, [True, False])])
def test_the_number_of_blocks_is_a_setting(
    hook: Hook, start: Start, blocks: int, decisions: list[bool]
) -> None:
    start(f"blocks_per_prompt = {blocks}\n")
    answers = [hook(last_assistant_message=message) for message in (GUESS, OTHER)]
    assert ["decision" in answer for answer in answers] == decisions


def test_the_claim_restated_without_its_hedge_is_caught(hook: Hook, tmp_path: Path) -> None:
    path = write_turn(tmp_path / "s.jsonl", "why?", calls=1)
    turn = {"transcript_path": path, "prompt_id": "1"}
    assert "decision" not in hook(last_assistant_message=RESTATED, session_id="fresh", **turn)
    assert "decision" in hook(last_assistant_message=GUESS, **turn)
    answer = hook(last_assistant_message=RESTATED, stop_hook_active=True, **turn)
    assert answer["decision"] == "block"
    assert "sent back before" in answer["reason"]


def test_a_restated_claim_stands_after_a_tool_call_or_for_another_prompt(
    hook: Hook, tmp_path: Path
) -> None:
    before = write_turn(tmp_path / "s.jsonl", "why?", calls=1)
    hook(last_assistant_message=GUESS, transcript_path=before, prompt_id="1")
    after = write_turn(tmp_path / "s.jsonl", "why?", calls=2)
    again = hook(last_assistant_message=RESTATED, transcript_path=after, prompt_id="1")
    other = hook(last_assistant_message=RESTATED, transcript_path=before, prompt_id="2")
    assert ("decision" in again, "decision" in other) == (False, False)


def test_an_honest_rewrite_ends_the_turn(hook: Hook) -> None:
    hook(last_assistant_message=GUESS)
    honest = "I have not found out why it crashes. A run under a sanitizer would tell."
    assert hook(last_assistant_message=honest, stop_hook_active=True) == {}


PERMISSIONS = [("plan", False), ("default", True), ("acceptEdits", True), ("newMode", True)]


@pytest.mark.parametrize(("mode", "blocks"), PERMISSIONS)
def test_plan_mode_is_never_stopped(hook: Hook, mode: str, blocks: bool) -> None:
    answer = hook(last_assistant_message=GUESS, permission_mode=mode)
    assert ("decision" in answer) is blocks
    assert answer["matches"]


BACKGROUND = [
    ("a test run", {"type": "shell", "status": "running", "command": "npm test"}, False),
    ("a build", {"type": "shell", "status": "running", "command": "cargo build"}, False),
    ("no status means running", {"type": "shell", "command": "make test"}, False),
    ("a test run that ended", {"type": "shell", "status": "completed", "command": "tox"}, True),
    ("a dev server", {"type": "shell", "status": "running", "command": "npm run dev"}, True),
    ("a watched test run", {"type": "shell", "status": "running", "command": "jest --watch"}, True),
    ("a log", {"type": "shell", "status": "running", "command": "tail -f app.log"}, True),
    ("a sub-agent", {"type": "subagent", "status": "running"}, False),
    ("a workflow", {"type": "workflow", "status": "pending"}, False),
    ("a teammate", {"type": "teammate", "status": "running"}, False),
    ("a monitor", {"type": "monitor", "status": "running"}, True),
]


@pytest.mark.parametrize(
    ("task", "blocks"), [row[1:] for row in BACKGROUND], ids=[row[0] for row in BACKGROUND]
)
def test_what_runs_in_the_background(hook: Hook, task: dict[str, str], blocks: bool) -> None:
    other = {"type": "shell", "status": "running", "command": "sleep 5"}
    answer = hook(last_assistant_message=GUESS, background_tasks=[other, task])
    assert ("decision" in answer) is blocks


OPINIONS = [
    ("What do you think causes the crash?", False),
    ("Any ideas why it crashes?", False),
    ("Fix the crash.", True),
    ("Why does it crash?", True),
]


@pytest.mark.parametrize(("prompt", "blocks"), OPINIONS)
def test_guesses_that_the_user_asked_for_are_only_reported(
    hook: Hook, start: Start, tmp_path: Path, prompt: str, blocks: bool
) -> None:
    start("thresholds = {report = 0, block = 1}\n")
    message = "I think, and I guess, that it is probably the parser, or maybe the lexer, I suppose."
    path = write_turn(tmp_path / "s.jsonl", prompt, message)
    answer = hook(last_assistant_message=message, transcript_path=path)
    assert {match["kind"] for match in answer["matches"]} == {"speculation_language"}
    assert ("decision" in answer) is blocks


# which message, which transcript


def test_the_message_is_taken_from_the_transcript_when_the_event_has_none(
    hook: Hook, tmp_path: Path
) -> None:
    path = write_turn(tmp_path / "s.jsonl", "why?", FALSE, failed=True)
    process = hook.raw(json.dumps({"hook_event_name": "Stop", "transcript_path": path}).encode())
    assert json.loads(process.stdout)["decision"] == "block"
    assert hook.log()[-1]["message_id"].startswith("msg_01")


def test_the_event_knows_the_message_better_than_a_transcript_that_lags(
    hook: Hook, tmp_path: Path
) -> None:
    path = write_turn(tmp_path / "s.jsonl", "why?", FALSE, failed=True)
    assert hook(last_assistant_message=CLEAN, transcript_path=path) == {}


AGENTS = [
    ("reported by default", "", "Explore", None),
    ("enforced for all", 'subagents.mode = "enforce"\n', "Explore", "block"),
    ("enforced by type", 'subagents.enforce = ["Explore"]\n', "Explore", "block"),
    ("another type", 'subagents.enforce = ["Plan"]\n', "Explore", None),
    ("an internal agent", 'subagents.mode = "enforce"\n', "", None),
    ("the summary of a compaction", 'subagents.mode = "enforce"\n', "compact", None),
    ("a session in report mode", 'mode = "report"\nsubagents.mode = "enforce"\n', "Explore", None),
]


@pytest.mark.parametrize(
    ("settings", "agent_type", "decision"),
    [row[1:] for row in AGENTS],
    ids=[row[0] for row in AGENTS],
)
def test_sub_agents(
    hook: Hook, start: Start, settings: str, agent_type: str, decision: str | None
) -> None:
    start(settings)
    answer = hook(
        hook_event_name="SubagentStop",
        agent_type=agent_type,
        agent_id="a1",
        last_assistant_message=GUESS,
    )
    assert answer.get("decision") == decision
    assert answer["matches"]


def test_the_main_thread_may_have_an_agent_type(hook: Hook) -> None:
    assert "decision" in hook(last_assistant_message=GUESS, agent_type="reviewer")
    assert "decision" in hook(last_assistant_message=OTHER, agent_type="")


def test_a_sub_agent_is_judged_by_its_own_transcript(hook: Hook, tmp_path: Path) -> None:
    parent = write_turn(tmp_path / "s.jsonl", "go", CLEAN)
    agent = write_turn(tmp_path / "agent-1.jsonl", "look", FALSE, failed=True, agent=True)
    answer = hook(
        hook_event_name="SubagentStop",
        agent_type="Explore",
        transcript_path=parent,
        agent_transcript_path=agent,
    )
    assert any("tests pass" in match["evidence"] for match in answer["matches"])
    assert hook.log()[-1]["transcript"] == agent


def test_each_agent_has_its_own_blocks(hook: Hook, start: Start) -> None:
    start('subagents.mode = "enforce"\nblocks_per_prompt = 1\n')
    event = {"hook_event_name": "SubagentStop", "agent_type": "Explore", "prompt_id": "1"}
    answers = [
        hook(**event, agent_id=agent, last_assistant_message=message)
        for agent, message in (("a", GUESS), ("b", OTHER), ("a", THIRD))
    ]
    assert ["decision" in answer for answer in answers] == [True, True, False]
