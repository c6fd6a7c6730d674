"""The final message of a turn, and which turns came to their end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.model import Turn
from groundwire.transcript.read import all_entries
from groundwire.transcript.turn import split_turns
from tests.support.transcripts import Session
from tests.transcript.steps import (
    Write,
    api_error,
    blank_text,
    blocks_apart,
    compacted,
    done,
    in_order,
    no_text,
    notified,
    one_text,
    prompt,
    sidechain,
    stop_feedback,
    synthetic,
    text_then_tools,
    two_blocks,
    two_messages,
    without_ids,
    written_again,
)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (one_text, "Done."),
        (two_blocks, "First part.\nSecond part."),
        (blocks_apart, "First part.\nSecond part."),
        (written_again, "Done."),  # a compaction may keep lines by writing them once more
        (two_messages, "It builds."),
        (text_then_tools, "I will look."),
        (no_text, ""),
        (api_error, "It builds."),
        (synthetic, "It builds."),
        (sidechain, "It builds."),
        (blank_text, "It builds."),
        (stop_feedback, "One test fails."),
        (notified, "One test fails."),
        (compacted, "Now all of it is done."),
        (without_ids, "Second."),
    ],
)
def test_the_final_message(turn_of: Callable[..., Turn], write: Write, message: str) -> None:
    turn = turn_of(write)
    assert (turn.prompt, turn.message) == ("fix it", message)


@pytest.mark.parametrize(
    ("write", "finished"),
    [
        (two_messages, True),
        (stop_feedback, True),
        (compacted, True),
        (no_text, False),
        (text_then_tools, False),  # it crashed, or hit an error of the API
        (in_order(two_messages, Session.interrupt), False),
        (in_order(text_then_tools, Session.interrupt), False),
        (in_order(text_then_tools, Session.interrupt, done), True),
        (prompt, False),
    ],
)
def test_split_turns_yields_those_that_ended_with_a_text(
    tmp_path: Path, write: Write, finished: bool
) -> None:
    session = Session()
    session.attach("hook_success", hookEvent="SessionStart", content="before any prompt")
    session.say("Said before any prompt.")
    write(session)
    session.prompt("thanks")
    session.say("You are welcome.")
    turns = list(split_turns(all_entries(session.write(tmp_path / "s.jsonl"))))
    assert [turn.prompt for turn in turns] == (["fix it"] if finished else []) + ["thanks"]
