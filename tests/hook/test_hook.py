"""The hook's answers, seen from outside: the registered command as a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groundwire.service.hook import FRAMING, MOST_MATCHES
from tests.conftest import RUN, Hook
from tests.hook.conftest import Start
from tests.support.transcripts import Session

LONE = "I think it is the parser."
LONE_MATCH = {
    "kind": "speculation_language",
    "evidence": "I think",
    "offset": 0,
    "confidence": 75,
}
GUESS = "I think the crash is probably caused by a race condition."
OTHER = "I believe the timeout is probably caused by the proxy."
THIRD = "My guess is that the leak is probably caused by the cache."
RESTATED = "The crash is caused by a race condition."
CLEAN = "The log ends with a stack trace."


def stop(message: str = GUESS, **fields: Any) -> bytes:
    event = {"hook_event_name": "Stop", "session_id": "s", "last_assistant_message": message}
    return json.dumps({**event, **fields}).encode()


def write_turn(path: Path, prompt: str, message: str = GUESS, calls: int = 0, **more: Any) -> str:
    """Write a session of one turn with so many tool calls; return its path."""
    session = Session(**more)
    session.prompt(prompt)
    for number in range(calls):
        session.bash(f"grep -rn pool src{number}", "src/pool.py:41: lock = None")
    session.say(message)
    return session.write(path)


# what it prints


def test_a_block_is_one_line_with_its_keys_in_order(hook: Hook) -> None:
    process = hook.raw(stop())
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.isascii()
    assert process.stdout.count(b"\n") == 1
    answer = json.loads(process.stdout)
    assert list(answer) == ["decision", "reason", "matches"]
    assert answer["decision"] == "block"
    assert {tuple(match) for match in answer["matches"]} == {tuple(LONE_MATCH)}
    assert [match["evidence"] for match in answer["matches"]] == [
        "I think",
        "probably",
        "caused by",
    ]


def test_a_report_holds_matches_and_nothing_else(hook: Hook) -> None:
    assert hook.raw(stop(LONE)).stdout == json.dumps({"matches": [LONE_MATCH]}).encode() + b"\n"


@pytest.mark.parametrize("message", [CLEAN, "", "`I think` is a marker.", "Is it the parser?"])
def test_nothing_to_report_is_silence(hook: Hook, message: str) -> None:
    process = hook.raw(stop(message))
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")


def test_offsets_are_code_points_of_the_message(hook: Hook) -> None:
    message = f"\U0001f600 \u4f60\u597d.\n\n{GUESS}"
    for match in hook(last_assistant_message=message)["matches"]:
        end = match["offset"] + len(match["evidence"])
        assert message[match["offset"] : end] == match["evidence"]


def test_at_most_twenty_matches_the_worst_in_order(hook: Hook) -> None:
    message = "\n\n".join([LONE] * 15 + [GUESS] * 15)
    matches = hook(last_assistant_message=message)["matches"]
    assert len(matches) == MOST_MATCHES == 20
    offsets = [match["offset"] for match in matches]
    assert offsets == sorted(offsets)
    assert min(match["confidence"] for match in matches) > 75
    counts = hook.log()[-1]["counts"]
    assert counts["matches"] > 45


SUBJECTS = ["parser", "lexer", "cache", "proxy", "router", "mailer", "loader", "worker", "broker"]


@pytest.mark.parametrize(("count", "more"), [(4, ""), (5, "and 1 more"), (9, "and 5 more")])
def test_a_reason_names_four_statements_and_counts_the_rest(
    hook: Hook, start: Start, count: int, more: str
) -> None:
    start("thresholds.words_block = 75\n")  # so many words make each of them milder
    tail = "in the second step of the nightly run that ends with the export of all the old orders"
    sentences = [
        f"I think the crash of the {name} is probably caused by a race condition {tail}."
        for name in SUBJECTS[:count]
    ]
    reason = hook(last_assistant_message="\n\n".join(sentences))["reason"]
    assert len(reason) <= 1000
    assert reason.count('\n- "') == 4
    assert (more in reason, "more" in reason) == (True, bool(more))
    assert reason.endswith("Give only the corrected statements, not the whole answer again.")


def test_a_reason_keeps_its_count_when_the_verdicts_are_long(hook: Hook, start: Start) -> None:
    start("thresholds.words_block = 75\n")
    tail = "in the second step of the nightly run that ends with the export of all the old orders"
    guesses = [f"I think the crash of the {name} is caused by a race {tail}." for name in SUBJECTS]
    facts = [f"The crash of the {name} is caused by a race {tail}." for name in SUBJECTS]
    hook(last_assistant_message="\n\n".join(guesses))
    reason = hook(last_assistant_message="\n\n".join(facts))["reason"]
    assert reason.count("sent back before") >= 3
    assert len(reason) <= 1000
    assert " more of this kind." in reason


@pytest.mark.parametrize(
    "environment", [{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {"CLAUDE_CODE_SESSION_ATTENDED": "0"}]
)
def test_without_a_reader_the_whole_answer_is_asked_for(
    hook: Hook, environment: dict[str, str]
) -> None:
    answer = json.loads(hook.raw(stop(), {**hook.env, **environment}).stdout)
    assert answer["reason"].endswith("Give the whole answer again with these statements corrected.")


def test_notify_tells_the_user_what_did_not_block(hook: Hook, start: Start) -> None:
    start("notify = true\n")
    answer = hook(last_assistant_message=LONE)
    assert list(answer) == ["matches", "systemMessage"]
    assert answer["systemMessage"] == (
        'groundwire: 1 doubtful statement, the worst at 75: "I think"'
    )
    assert hook(last_assistant_message=CLEAN) == {}
    assert list(hook(last_assistant_message=GUESS)) == ["decision", "reason", "matches"]


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


@pytest.mark.parametrize(("message_block", "blocks"), [(100, False), (85, True)])
def test_the_block_threshold_for_evidence_gates(
    hook: Hook, start: Start, message_block: int, blocks: bool
) -> None:
    """The restated claim is unsupported: its own threshold holds, not the one for words."""
    start(f"thresholds = {{block = 100, message_block = {message_block}}}\n")
    assert "decision" in hook(last_assistant_message=GUESS)
    message = f"{RESTATED[:-1]}, so the crash of the race condition is definitely fixed."
    assert ("decision" in hook(last_assistant_message=message)) is blocks


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
    assert b'"decision"' in hook.raw(data).stdout
    assert b'"decision"' not in hook.raw(data).stdout


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
    paths = [write_turn(tmp_path / f"{n}.jsonl", prompt) for n, prompt in enumerate(["a", "b"])]
    answers = [
        hook(last_assistant_message=message, transcript_path=paths[number])
        for message, number in ((GUESS, 0), (OTHER, 0), (THIRD, 0), (THIRD, 1))
    ]
    assert [answer.get("decision") for answer in answers] == ["block", "block", None, "block"]


@pytest.mark.parametrize(("blocks", "decisions"), [(0, [False, False]), (1, [True, False])])
def test_the_number_of_blocks_is_a_setting(
    hook: Hook, start: Start, blocks: int, decisions: list[bool]
) -> None:
    start(f"blocks_per_prompt = {blocks}\n")
    answers = [hook(last_assistant_message=message) for message in (GUESS, OTHER)]
    assert ["decision" in answer for answer in answers] == decisions


def test_the_claim_restated_without_its_hedge_is_caught(hook: Hook) -> None:
    assert "decision" not in hook(last_assistant_message=RESTATED, session_id="fresh")
    hook(last_assistant_message=GUESS)
    answer = hook(last_assistant_message=RESTATED, stop_hook_active=True)
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
    hook: Hook, tmp_path: Path, prompt: str, blocks: bool
) -> None:
    message = "I think, and I guess, that it is probably the parser, or maybe the lexer, I suppose."
    path = write_turn(tmp_path / "s.jsonl", prompt, message)
    event = {"last_assistant_message": message, "transcript_path": path}
    answer = hook(**event, session_id="with default thresholds")
    assert {match["kind"] for match in answer["matches"]} == {"speculation_language"}
    hook.env["GROUNDWIRE_THRESHOLDS__WORDS_BLOCK"] = "70"
    hook(hook_event_name="SessionStart", source="startup")
    assert ("decision" in hook(**event)) is blocks


# which message, which transcript


def test_the_message_is_taken_from_the_transcript_when_the_event_has_none(
    hook: Hook, tmp_path: Path
) -> None:
    path = write_turn(tmp_path / "s.jsonl", "why?")
    process = hook.raw(json.dumps({"hook_event_name": "Stop", "transcript_path": path}).encode())
    assert json.loads(process.stdout)["decision"] == "block"
    assert hook.log()[-1]["message_id"].startswith("msg_01")


def test_the_event_knows_the_message_better_than_a_transcript_that_lags(
    hook: Hook, tmp_path: Path
) -> None:
    path = write_turn(tmp_path / "s.jsonl", "why?", GUESS)
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
    agent = write_turn(tmp_path / "agent-1.jsonl", "look", LONE, agent=True)
    answer = hook(
        hook_event_name="SubagentStop",
        agent_type="Explore",
        transcript_path=parent,
        agent_transcript_path=agent,
    )
    assert answer == {"matches": [LONE_MATCH]}
    assert hook.log()[-1]["transcript"] == agent


def test_each_agent_has_its_own_blocks(hook: Hook, start: Start) -> None:
    start('subagents.mode = "enforce"\nblocks_per_prompt = 1\n')
    event = {"hook_event_name": "SubagentStop", "agent_type": "Explore", "prompt_id": "1"}
    answers = [
        hook(**event, agent_id=agent, last_assistant_message=message)
        for agent, message in (("a", GUESS), ("b", OTHER), ("a", THIRD))
    ]
    assert ["decision" in answer for answer in answers] == [True, True, False]


# other hosts, other events


STRICT = {"turn_id": "t1", "model": "gpt-5"}


def test_a_strict_host_gets_only_what_its_contract_names(hook: Hook) -> None:
    assert list(hook(last_assistant_message=GUESS, **STRICT)) == ["decision", "reason"]


@pytest.mark.parametrize("message", [LONE, CLEAN])
def test_a_strict_host_gets_an_empty_object_for_nothing(hook: Hook, message: str) -> None:
    assert hook.raw(stop(message, **STRICT)).stdout == b"{}\n"


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_the_framing_is_three_lines_for_the_model(hook: Hook, source: str) -> None:
    answer = hook(hook_event_name="SessionStart", source=source)
    context = {"hookEventName": "SessionStart", "additionalContext": FRAMING}
    assert answer == {"hookSpecificOutput": context}
    assert FRAMING.count("\n") <= 2
    assert max(map(len, FRAMING.splitlines())) <= 100


@pytest.mark.parametrize("settings", ["framing = false\n", 'mode = "off"\n'])
def test_the_framing_can_be_switched_off(start: Start, settings: str) -> None:
    assert start(settings) == {}


# what it keeps


def test_the_log_has_a_line_for_each_decision_and_no_message(hook: Hook) -> None:
    secret = "The customer is called Zebulon."
    hook(last_assistant_message=f"{GUESS} {secret}", prompt_id="p1")
    hook(last_assistant_message=secret)
    blocked, passed = hook.log()
    assert (blocked["decision"], passed["decision"]) == ("block", "pass")
    assert (blocked["session"], blocked["prompt_id"], blocked["error"]) == ("s", "p1", "")
    assert blocked["counts"] == {"matches": 3, "blocking": 2, "suppressed": 0}
    assert blocked["milliseconds"] > 0
    files = [path.read_text(encoding="utf-8") for path in hook.state.rglob("*") if path.is_file()]
    assert files
    assert not any("Zebulon" in text or "zebulon" in text for text in files)


def test_the_log_can_be_switched_off(hook: Hook, start: Start) -> None:
    start("log.enabled = false\n")
    hook(last_assistant_message=GUESS)
    assert hook.log() == []


# how it runs


def test_the_hash_seed_changes_nothing(hook: Hook) -> None:
    """``-I`` would keep the variable from being read, so only ``-S`` is given here."""
    message = "\n\n".join([GUESS, OTHER, THIRD, "All 12 tests pass.", "Nothing else uses it."])
    seen = set()
    for seed in ("0", "1", "2"):
        process = subprocess.run(
            [sys.executable, "-S", str(RUN)],
            input=stop(message, session_id=seed),
            env={**hook.env, "PYTHONHASHSEED": seed},
            capture_output=True,
            timeout=30,
            check=True,
        )
        seen.add((process.stdout, process.stderr))
    assert len(seen) == 1


@pytest.mark.parametrize("message", [GUESS, LONE, CLEAN])
@pytest.mark.parametrize("switches", [["-S"], []], ids=["without site", "with site"])
def test_no_warning_is_raised(
    hook: Hook, tmp_path: Path, transcript: Path, message: str, switches: list[str]
) -> None:
    """Development mode warns about files that are left open, too."""
    process = subprocess.run(
        [sys.executable, "-I", *switches, "-X", "dev", "-W", "error", str(RUN)],
        input=stop(message, transcript_path=str(transcript)),
        env=hook.env,
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert process.stderr == b""
    assert bool(process.stdout) is (message != CLEAN)


def test_the_command_for_shells_gives_the_same_bytes(hook: Hook) -> None:
    command = Path(sys.executable).with_name("groundwire-hook")
    process = subprocess.run(
        [command], input=stop(session_id="a"), env=hook.env, capture_output=True, check=True
    )
    assert process.stdout == hook.raw(stop(session_id="b")).stdout
