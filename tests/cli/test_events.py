"""``groundwire scan --events``: recorded hook inputs, one a line, each the first of its session."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.command import GUESS, LONE, LONE_MATCH, Command
from tests.support.transcripts import Session

#: A turn of ``write_transcript`` contradicts it; as bare text it is one claim among others.
FALSE = "All tests pass."


def event(message: str = GUESS, session: str = "s1", **fields: Any) -> bytes:
    common = {"session_id": session, "hook_event_name": "Stop", "last_assistant_message": message}
    return json.dumps({**common, **fields}).encode() + b"\n"


def results(printed: str | bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


def write_transcript(cli: Command, name: str, message: str = FALSE, **more: Any) -> None:
    session = Session(**more)
    session.prompt("why does the pool crash?")
    session.bash("pytest -q", "1 failed, 7 passed", exit_code=1)
    session.say(message)
    cli.write(name, session.data())


def test_one_result_a_line_in_the_order_of_the_input(cli: Command) -> None:
    odd = f"{LONE} \ud800 \u2028 The end."  # half a pair and a separator are legal in JSON
    data = event(LONE, "a") + b"\n" + event(GUESS, "b") + event("Hello.", "c") + event(odd) + b"{}"
    cli.write("e.jsonl", data)
    first, second, third, fourth, fifth = results(cli.out("scan", "--events", "e.jsonl"))
    assert first == {"session_id": "a", "decision": "report", "matches": [LONE_MATCH]}
    assert list(first) == ["session_id", "decision", "matches"]
    assert list(first["matches"][0]) == list(LONE_MATCH)
    assert (second["session_id"], second["decision"]) == ("b", "block")
    assert third == {"session_id": "c", "decision": "pass", "matches": []}
    assert (fourth["matches"], fifth["decision"]) == ([LONE_MATCH], "pass")


def test_nothing_is_remembered(cli: Command) -> None:
    """The hook would let the second one through; here each is the first of its session."""
    before = cli.files()
    printed = cli.out("scan", "--events", "-", stdin=event() * 3)
    assert [result["decision"] for result in results(printed)] == ["block"] * 3
    reported = cli.out("scan", "--events", "-", "--set", "mode=report", stdin=event())
    assert results(reported)[0]["decision"] == "report"
    assert cli.files() == before


def test_transcripts_are_read_from_the_current_folder(cli: Command) -> None:
    write_transcript(cli, "transcripts/one.jsonl")
    write_transcript(cli, "two.jsonl", GUESS)
    there = event(FALSE, "there", transcript_path="transcripts/one.jsonl")
    cli.write("e.jsonl", there + event(FALSE) + event("", transcript_path="two.jsonl"))
    decisions = [result["decision"] for result in results(cli.out("scan", "--events", "e.jsonl"))]
    assert decisions == ["block", "report", "block"]


@pytest.mark.parametrize("mode", ["report", "block"])
def test_a_sub_agent_is_judged_by_its_own_transcript(cli: Command, mode: str) -> None:
    write_transcript(cli, "agent-1.jsonl", agent=True)
    fields = {"hook_event_name": "SubagentStop", "agent_type": "Explore"}
    cli.write("e.jsonl", event(FALSE, **fields, agent_transcript_path="agent-1.jsonl"))
    setting = "subagents.mode=" + mode.replace("block", "enforce")
    [result] = results(cli.out("scan", "--events", "e.jsonl", "--set", setting))
    assert result["decision"] == mode


def test_threshold_and_verbose(cli: Command) -> None:
    cli.write("e.jsonl", event(LONE))
    arguments = ("scan", "--events", "e.jsonl", "--threshold", "80")
    assert results(cli.out(*arguments)) == [{"session_id": "s1", "decision": "pass", "matches": []}]
    assert results(cli.out(*arguments, "--verbose"))[0]["matches"] == [LONE_MATCH]


MALFORMED = [
    (b'{"session_id": "x"', "expected one JSON object a line"),
    (b"[1]", "found a JSON list; expected an object"),
    (b'{"a": "\xff"}', "expected one JSON object a line"),
]


@pytest.mark.parametrize(("line", "cause"), MALFORMED)
def test_a_malformed_line_is_named_and_the_others_are_answered(
    cli: Command, line: bytes, cause: str
) -> None:
    cli.write("e.jsonl", event(LONE) + line + b"\n" + event(GUESS))
    process = cli("scan", "--events", "e.jsonl")
    assert process.returncode == 1
    first, second, third = results(process.stdout)
    assert (first["decision"], third["decision"]) == ("report", "block")
    assert second == {"session_id": None, "decision": "error", "matches": []}
    [said] = process.stderr.decode().splitlines()
    assert said.startswith("groundwire: e.jsonl:2: ")
    assert cause in said


@pytest.mark.parametrize("path", ["missing.jsonl", "."])
def test_a_transcript_that_cannot_be_read_is_named(cli: Command, path: str) -> None:
    """The message itself is judged all the same."""
    cli.write("e.jsonl", event(LONE, transcript_path=path) + event(LONE))
    process = cli("scan", "--events", "e.jsonl")
    assert process.returncode == 1
    assert [result["matches"] for result in results(process.stdout)] == [[LONE_MATCH]] * 2
    [said] = process.stderr.decode().splitlines()
    assert said.startswith(f"groundwire: e.jsonl:1: {path}: cannot read the transcript: ")
