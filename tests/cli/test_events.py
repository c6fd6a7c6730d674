"""``groundwire scan --events``: recorded hook inputs, one a line, each the first of its session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import GUESS, LONE, LONE_MATCH, Command
from tests.support.transcripts import Session

#: A turn of ``write_transcript`` contradicts it; as bare text it is one claim among others.
FALSE = "All tests pass."


def event(message: str = GUESS, session: str = "s1", **fields: Any) -> bytes:
    common = {"session_id": session, "hook_event_name": "Stop", "last_assistant_message": message}
    return json.dumps({**common, **fields}).encode() + b"\n"


def results(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


def write_transcript(path: Path, message: str = FALSE, **more: Any) -> None:
    session = Session(**more)
    session.prompt("why does the pool crash?")
    session.bash("pytest -q", "1 failed, 7 passed", exit_code=1)
    session.say(message)
    path.parent.mkdir(parents=True, exist_ok=True)
    session.write(path)


def test_one_result_a_line_in_the_order_of_the_input(cli: Command) -> None:
    cli.write("e.jsonl", event(LONE, "a") + b"\n" + event(GUESS, "b") + event("Hello.", "c"))
    first, second, third = results(cli.out("scan", "--events", "e.jsonl"))
    assert first == {"session_id": "a", "decision": "report", "matches": [LONE_MATCH]}
    assert (second["session_id"], second["decision"]) == ("b", "block")
    assert third == {"session_id": "c", "decision": "pass", "matches": []}
    assert list(first) == ["session_id", "decision", "matches"]
    assert list(first["matches"][0]) == list(LONE_MATCH)


def test_events_from_stdin(cli: Command) -> None:
    [result] = results(cli.out("scan", "--events", "-", stdin=event(LONE)))
    assert result["matches"] == [LONE_MATCH]


def test_nothing_is_remembered(cli: Command) -> None:
    """The hook would let the second one through; here each is the first of its session."""
    cli.write("e.jsonl", event() * 3)
    before = cli.files()
    printed = cli.out("scan", "--events", "e.jsonl")
    assert [result["decision"] for result in results(printed)] == ["block"] * 3
    assert cli.out("scan", "--events", "e.jsonl") == printed
    assert cli.files() == before


def test_a_relative_transcript_is_read_from_the_current_folder(cli: Command) -> None:
    write_transcript(cli.folder / "transcripts" / "one.jsonl")
    there = event(FALSE, "there", transcript_path="transcripts/one.jsonl")
    cli.write("e.jsonl", there + event(FALSE, "bare"))
    decisions = [result["decision"] for result in results(cli.out("scan", "--events", "e.jsonl"))]
    assert decisions == ["block", "report"]


def test_the_message_comes_from_the_transcript_when_the_event_has_none(cli: Command) -> None:
    write_transcript(cli.folder / "one.jsonl", GUESS)
    cli.write("e.jsonl", event("", transcript_path="one.jsonl"))
    [result] = results(cli.out("scan", "--events", "e.jsonl"))
    assert result["decision"] == "block"


@pytest.mark.parametrize(("settings", "decision"), [("report", "report"), ("enforce", "block")])
def test_a_sub_agent_is_judged_by_its_own_transcript(
    cli: Command, settings: str, decision: str
) -> None:
    write_transcript(cli.folder / "agent-1.jsonl", agent=True)
    fields = {"hook_event_name": "SubagentStop", "agent_type": "Explore"}
    cli.write("e.jsonl", event(FALSE, **fields, agent_transcript_path="agent-1.jsonl"))
    arguments = ("scan", "--events", "e.jsonl", "--set", f"subagents.mode={settings}")
    assert results(cli.out(*arguments))[0]["decision"] == decision


def test_threshold_and_verbose(cli: Command) -> None:
    cli.write("e.jsonl", event(LONE))
    arguments = ("scan", "--events", "e.jsonl", "--threshold", "80")
    assert results(cli.out(*arguments)) == [{"session_id": "s1", "decision": "pass", "matches": []}]
    assert results(cli.out(*arguments, "--verbose"))[0]["matches"] == [LONE_MATCH]


MALFORMED = [
    ("half an object", b'{"session_id": "x"', "expected one JSON object a line"),
    ("an array", b"[1]", "found a JSON list; expected an object"),
    ("not JSON", b"hello", "expected one JSON object a line"),
    ("not UTF-8", b'{"a": "\xff"}', "expected one JSON object a line"),
]


@pytest.mark.parametrize(
    ("line", "cause"), [row[1:] for row in MALFORMED], ids=[row[0] for row in MALFORMED]
)
def test_a_malformed_line_is_named_and_the_others_are_answered(
    cli: Command, line: bytes, cause: str
) -> None:
    cli.write("e.jsonl", event(LONE) + line + b"\n" + event(GUESS))
    process = cli("scan", "--events", "e.jsonl")
    assert process.returncode == 1
    first, second, third = results(process.stdout.decode())
    assert (first["decision"], third["decision"]) == ("report", "block")
    assert second == {"session_id": None, "decision": "pass", "matches": []}
    [said] = process.stderr.decode().splitlines()
    assert said.startswith("groundwire: e.jsonl:2: ")
    assert cause in said


@pytest.mark.parametrize("path", ["missing.jsonl", "."])
def test_a_transcript_that_cannot_be_read_is_named(cli: Command, path: str) -> None:
    """The message itself is judged all the same."""
    cli.write("e.jsonl", event(LONE, transcript_path=path) + event(LONE))
    process = cli("scan", "--events", "e.jsonl")
    assert process.returncode == 1
    assert [r["matches"] for r in results(process.stdout.decode())] == [[LONE_MATCH]] * 2
    [said] = process.stderr.decode().splitlines()
    assert said.startswith(f"groundwire: e.jsonl:1: {path}: cannot read the transcript: ")


def test_an_event_without_any_field_passes(cli: Command) -> None:
    assert results(cli.out("scan", "--events", "-", stdin=b"{}\n"))[0]["decision"] == "pass"


def test_odd_characters_stay_on_their_line(cli: Command) -> None:
    """Half a surrogate pair and a line separator are legal inside a JSON string."""
    message = f"{LONE} \ud800 \u2028 The end."
    [result] = results(cli.out("scan", "--events", "-", stdin=event(message)))
    assert result["matches"] == [LONE_MATCH]


@pytest.mark.parametrize(
    "more", [("a.md",), ("--format", "text"), ("--explain",), ("--offset-unit", "utf16")]
)
def test_what_does_not_go_with_events_is_refused(cli: Command, more: tuple[str, ...]) -> None:
    cli.write("e.jsonl", event())
    assert "--events goes with none of" in cli.refused("scan", "--events", "e.jsonl", *more)
