"""What the hook prints and keeps, seen from outside: the registered command as a process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.render.hook_json import MOST_MATCHES
from groundwire.service.hook import FRAMING
from tests.conftest import RUN, Hook
from tests.hook.conftest import Start
from tests.hook.messages import (
    CLEAN,
    FALSE,
    GUESS,
    LONE,
    LONE_MATCH,
    OTHER,
    THIRD,
    stop,
    write_turn,
)

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


def test_a_reason_keeps_its_count_when_the_verdicts_are_long(hook: Hook, tmp_path: Path) -> None:
    tail = "in the second step of the nightly run that ends with the export of all the old orders"
    claims = [f"All tests of the {name} pass {tail}." for name in SUBJECTS]
    message = "\n\n".join(claims)
    path = write_turn(tmp_path / "s.jsonl", "go on", message, failed=True)
    reason = hook(last_assistant_message=message, transcript_path=path)["reason"]
    assert reason.count("1 failed, 7 passed") >= 3
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


@pytest.mark.parametrize("message", [FALSE, CLEAN])
@pytest.mark.parametrize("switches", [["-S"], []], ids=["without site", "with site"])
def test_no_warning_is_raised(
    hook: Hook, tmp_path: Path, message: str, switches: list[str]
) -> None:
    """Development mode warns about files that are left open, too."""
    path = write_turn(tmp_path / "s.jsonl", "go on", message, failed=True)
    process = subprocess.run(
        [sys.executable, "-I", *switches, "-X", "dev", "-W", "error", str(RUN)],
        input=stop(message, transcript_path=path),
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
