"""What a turn is made of: each test builds a session file and reads it back."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.model import ToolCall, Turn
from groundwire.inputs import transcript
from groundwire.inputs.transcript import command_text, is_human_prompt, split_context, text_of
from groundwire.inputs.turns import build_turn, split_turns
from tests.support.tables import plain, rows, tables
from tests.support.transcripts import Session

TABLES = tables(__file__)
Steps = Sequence[Sequence[Any]]
TurnOf = Callable[..., Turn]
OLDER = [["prompt", "an older prompt"], ["bash", "ls", "older.py"], ["say", "An older answer."]]
PROMPT, DONE = ["prompt", "fix it"], ["say", "Done."]


@pytest.fixture
def turn_of(tmp_path: Path) -> TurnOf:
    """Write steps to a file behind an older turn, and read the last turn from its end."""

    def build(steps: Steps, again: slice = slice(0)) -> Turn:
        session = Session().play([*OLDER, *steps])
        session.entries += session.entries[again]
        tail = transcript.tail_entries(session.write(tmp_path / "s.jsonl"))
        return build_turn(tail.entries, tail.partial)

    return build


def test_lines_that_are_written_again_count_once(turn_of: TurnOf) -> None:
    """A compaction may keep lines by writing them once more."""

    steps = [PROMPT, ["call", "Read", {"file_path": "a.py"}, "a"], DONE, ["compact", "Fix it."]]
    turn = turn_of(steps, slice(-5, -2))
    assert (turn.message, len(turn.calls)) == ("Done.", 1)


def test_no_entries_are_an_empty_turn() -> None:
    assert build_turn(()) == Turn()
    assert list(split_turns(())) == []


Entry = dict[str, Any]
WRAPPERS = TABLES["wrappers"]


def user(content: Any, **fields: Any) -> Entry:
    return {"type": "user", "message": {"role": "user", "content": content}, **fields}


def said(model: str) -> Entry:
    block = {"type": "text", "text": "Yes."}
    return {"type": "assistant", "message": {"model": model, "content": [block]}}


def final(steps: Steps, *, turn_of: TurnOf) -> str:
    turn = turn_of([PROMPT, *steps])
    assert turn.prompt == "fix it"
    return turn.message


def partial(cut: bool, steps: Steps) -> bool:
    """Tell whether a turn is without its beginning."""
    return build_turn(Session().play([*steps, DONE]).entries, cut).partial


def finished(steps: Steps) -> bool:
    session = Session()
    session.attach("hook_success", hookEvent="SessionStart", content="before any prompt")
    session.say("Said before any prompt.")
    session.play([PROMPT, *steps, ["prompt", "thanks"], ["say", "You are welcome."]])
    prompts = [turn.prompt for turn in split_turns(session.entries)]
    assert prompts in (["fix it", "thanks"], ["thanks"])
    return len(prompts) == 2


def calls(steps: Steps, *, turn_of: TurnOf) -> list[list[Any]]:
    found = turn_of([PROMPT, *steps, DONE]).calls
    return [[one.name, False if one.result is None else one.result] for one in found]


def noted(more: dict[str, Any], changed: dict[str, Any], *, turn_of: TurnOf) -> bool:
    turn = turn_of([PROMPT, ["call", "Bash", {"command": "make"}, "ok", more]])
    same = ToolCall(turn.calls[0].id, "Bash", {"command": "make"}, "ok")
    return turn.calls == (same.replace(**changed),)


def turned(steps: Steps, wanted: dict[str, Any], *, turn_of: TurnOf) -> bool:
    """Tell whether the turn, and its calls as they are counted, are as wanted."""
    turn = turn_of(steps)
    found = {"results": [call.result for call in turn.calls]}
    found |= {name: getattr(turn, name) for name in Turn._fields}
    assert plain({key: found[key] for key in wanted}) == plain(wanted)
    return True


def agent(steps: Steps) -> tuple[object, ...]:
    """Return the turn of an agent's own transcript, which has none for anybody else."""
    session = Session(agent=True).play(steps)
    (turn,) = split_turns(session.entries, agent=True)
    assert list(split_turns(session.entries)) == []
    return turn.prompt, turn.message, len(turn.calls)


def sent(wrapper: str, content: str, meta: bool) -> bool:
    """Tell whether a turn begins at a slash command: the model got it."""
    following = user(content, **({"isMeta": True} if meta else {}))
    return is_human_prompt(user(WRAPPERS[wrapper]), following)


def answered(wrapper: str, model: str | None) -> bool:
    """Tell whether a turn begins before an answer; the expansion may not be there (yet)."""
    return is_human_prompt(user(WRAPPERS[wrapper]), said(model) if model else None)


test_row = rows(
    __file__,
    a_slash_command_before_an_answer=answered,
    the_final_message=final,
    split_turns_yields_those_that_ended_with_a_text=finished,
    tool_calls=calls,
    what_the_client_notes_about_a_call=noted,
    turned=turned,
    agent=agent,
    interrupted=lambda steps, *, turn_of: turn_of([PROMPT, *steps]).interrupted,
    partial=partial,
    no_turn_begins=lambda entry: not is_human_prompt(entry),
    a_turn_begins=lambda content, fields: is_human_prompt(user(content, **fields)),
    a_slash_command_begins_a_turn_when_the_model_got_it=sent,
    what_was_typed_for_a_slash_command=command_text,
    own_words_and_context=split_context,
    text_of_content=text_of,
)
