"""What a turn is made of: each test builds a session file and reads it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.model import ToolCall, Turn
from groundwire.transcript.read import all_entries
from groundwire.transcript.turn import build_turn, split_turns
from tests.support.tables import table
from tests.support.transcripts import Session

Steps = Sequence[Sequence[Any]]
TurnOf = Callable[..., Turn]
PROMPT, DONE = ["prompt", "fix it"], ["say", "Done."]


@table
def test_the_final_message(steps: Steps, message: str, turn_of: TurnOf) -> None:
    turn = turn_of([PROMPT, *steps])
    assert (turn.prompt, turn.message) == ("fix it", message)


def test_blocks_of_one_message_may_stand_apart_or_without_ids(turn_of: TurnOf) -> None:
    def apart(s: Session) -> None:
        s.say("First part.", "msg_1")
        s.result(s.use("Read", {"file_path": "a.py"}, "msg_1"), "a")
        s.say("Second part.", "msg_1")

    def without_ids(s: Session) -> None:
        for words in ("First.", "Second."):
            s.say(words)["message"].pop("id")

    assert turn_of([PROMPT], apart).message == "First part.\nSecond part."
    assert turn_of([PROMPT], without_ids).message == "Second."


def test_lines_that_are_written_again_count_once(turn_of: TurnOf) -> None:
    """A compaction may keep lines by writing them once more."""

    def write(s: Session) -> None:
        s.call("Read", {"file_path": "a.py"}, "a")
        s.say("Done.")
        s.compact("The user wants it fixed.")
        s.entries += s.entries[-5:-2]

    turn = turn_of([PROMPT], write)
    assert (turn.message, len(turn.calls)) == ("Done.", 1)


@table
def test_split_turns_yields_those_that_ended_with_a_text(
    steps: Steps, finished: bool, tmp_path: Path
) -> None:
    session = Session()
    session.attach("hook_success", hookEvent="SessionStart", content="before any prompt")
    session.say("Said before any prompt.")
    session.play([PROMPT, *steps, ["prompt", "thanks"], ["say", "You are welcome."]])
    turns = list(split_turns(all_entries(session.write(tmp_path / "s.jsonl"))))
    assert [turn.prompt for turn in turns] == (["fix it"] if finished else []) + ["thanks"]


@table
def test_tool_calls(steps: Steps, calls: list[list[Any]], turn_of: TurnOf) -> None:
    turn = turn_of([PROMPT, *steps, DONE])
    found = [[one.name, False if one.result is None else one.result] for one in turn.calls]
    assert found == calls


def test_results_find_their_calls_in_any_order(turn_of: TurnOf) -> None:
    def write(s: Session) -> None:
        one = s.use("Read", {"file_path": "a.py"}, "msg_1")
        two = s.use("Read", {"file_path": "b.py"}, "msg_1")
        s.result(two, "b")
        s.result(one, "a")
        s.result(s.use("Read", {"file_path": "c.py"}), "c")
        s.entries[-2:] = reversed(s.entries[-2:])

    calls = turn_of([PROMPT], write).calls
    assert [(one.input["file_path"], one.result) for one in calls] == [
        ("a.py", "a"), ("b.py", "b"), ("c.py", "c"),
    ]  # fmt: skip


@table
def test_what_the_client_notes_about_a_call(
    more: dict[str, Any], changed: dict[str, Any], turn_of: TurnOf
) -> None:
    turn = turn_of([PROMPT, ["call", "Bash", {"command": "make"}, "ok", more]])
    plain = ToolCall(turn.calls[0].id, "Bash", {"command": "make"}, "ok")
    assert turn.calls == (plain.replace(**changed),)


@table
def test_known_texts(step: list[Any], known: list[str], turn_of: TurnOf) -> None:
    turn = turn_of([PROMPT, step, DONE])
    assert (turn.prompt, list(turn.known), turn.calls) == ("fix it", known, ())


def test_a_background_event_and_a_summary_are_known(turn_of: TurnOf) -> None:
    assert "<task-id>b1</task-id>" in turn_of([PROMPT, ["notify", "b1", "x"]]).known[0]
    assert "Fix it all." in turn_of([PROMPT, ["compact", "Fix it all."]]).known[0]


def test_a_compaction_keeps_the_calls_before_it(turn_of: TurnOf) -> None:
    steps = [["bash", "make", "ok"], ["compact", "Fix it."], ["bash", "make test", "3 passed"]]
    assert [call.result for call in turn_of([PROMPT, *steps]).calls] == ["ok", "3 passed"]


@table
def test_the_prompt(content: Any, words: str, known: list[str], turn_of: TurnOf) -> None:
    turn = turn_of([["prompt", content], DONE])
    assert (turn.prompt, list(turn.known)) == (words, known)


def test_an_older_client_writes_no_origin(turn_of: TurnOf) -> None:
    turn = turn_of([["prompt", "fix it", {"origin": None}], DONE], version="1.0.53")
    assert (turn.prompt, turn.message) == ("fix it", "Done.")


def test_a_slash_command_is_the_prompt_and_its_text_is_known(turn_of: TurnOf) -> None:
    turn = turn_of([["command", "review", "42", "You are a reviewer."], DONE])
    assert (turn.prompt, turn.message) == ("/review 42", "Done.")
    assert turn.known == ("You are a reviewer.",)
    assert turn_of([["command", "review"]]).prompt == "/review"  # not answered yet


@pytest.mark.parametrize("between", [[], [["snapshot"]], [["attach", "file"]]])
def test_other_lines_may_stand_before_the_expansion(turn_of: TurnOf, between: Steps) -> None:
    wrapper = "<command-name>/deploy</command-name>\n<command-message>deploy</command-message>"
    expansion = ["meta", [{"type": "text", "text": "Deploy to staging."}]]
    assert turn_of([["user", wrapper], *between, expansion, DONE]).prompt == "/deploy"


@table
def test_interrupted(steps: Steps, interrupted: bool, turn_of: TurnOf) -> None:
    assert turn_of([PROMPT, *steps]).interrupted is interrupted


def test_time_session_and_place(turn_of: TurnOf) -> None:
    said = ["say", "Done.", {"cwd": "/home/dev/shop/web"}]
    session_id = "5f0c1c6e-0000-4000-8000-00000000abcd"
    turn = turn_of(
        [PROMPT, said, ["line", "system", {"cwd": "/home/dev/shop/web"}]], session_id=session_id
    )
    assert (turn.session_id, turn.cwd) == (session_id, "/home/dev/shop/web")
    assert turn.timestamp == "2026-03-02T09:00:18.000Z"  # the final message, the sixth line
    assert turn.message_id.startswith("msg_01")
    # without a text the time is that of the last line
    assert turn_of([PROMPT, ["bash", "make", "ok"]]).timestamp == "2026-03-02T09:00:21.000Z"


@pytest.mark.parametrize(
    ("partial", "steps", "expected"),
    [(False, [PROMPT], False), (True, [PROMPT], True), (False, [], True), (True, [], True)],
)
def test_a_turn_without_its_beginning_is_partial(
    partial: bool, steps: Steps, expected: bool
) -> None:
    assert build_turn(Session().play([*steps, DONE]).entries, partial).partial is expected


def test_no_entries_are_an_empty_turn() -> None:
    assert build_turn(()) == Turn()
    assert list(split_turns(())) == []


def test_an_agents_own_transcript(tmp_path: Path) -> None:
    session = Session(agent=True)
    session.prompt("find it", origin=None)
    session.grep("it", ["src/it.py"])
    session.say("It is in src/it.py.")
    path = session.write(tmp_path / "agent-a1.jsonl")
    (turn,) = split_turns(all_entries(path), agent=True)
    assert (turn.prompt, turn.message, len(turn.calls)) == ("find it", "It is in src/it.py.", 1)
    assert list(split_turns(all_entries(path))) == []
