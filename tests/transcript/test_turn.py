"""What a turn is made of: each test builds a session file and reads it back."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.evidence.timeline import timeline_of
from groundwire.model import ToolCall, Turn
from groundwire.transcript import read
from groundwire.transcript.lines import command_text, is_human_prompt, split_context, text_of
from groundwire.transcript.session import split_turns
from groundwire.transcript.turn import build_turn
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

    def build(steps: Steps, *writes: Callable[[Session], object], **options: Any) -> Turn:
        session = Session(**options).play([*OLDER, *steps])
        for write in writes:
            write(session)
        tail = read.tail_entries(session.write(tmp_path / "s.jsonl"))
        return build_turn(tail.entries, tail.partial)

    return build


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


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_slash_command_before_an_answer(wrapper: str) -> None:
    """The expansion may be filtered out of a shared transcript, or not be written yet."""
    entry = user(WRAPPERS[wrapper])
    assert is_human_prompt(entry, said("claude-opus-5"))
    assert not is_human_prompt(user(WRAPPERS["name first"]), said("<synthetic>"))
    assert is_human_prompt(entry, None) is (wrapper == "message first")


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


test_row = rows(
    __file__,
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


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
PROMPTS = WORDS.map(lambda words: f"please: {words}")
ANSWERS = WORDS.map(lambda words: f"({words})")
STEPS = st.one_of(
    st.tuples(st.just("say"), ANSWERS),
    st.tuples(st.just("bash"), st.just("make"), WORDS),
    st.tuples(st.just("read"), st.just("src/a.py"), WORDS),
    st.tuples(st.just("think")),
    st.tuples(st.just("snapshot")),
    st.tuples(st.just("meta"), WORDS),
    st.tuples(st.just("feedback"), WORDS),
    st.tuples(st.just("notify"), st.just("b1"), WORDS),
    st.tuples(st.just("compact"), WORDS),
    st.tuples(st.just("local_command"), st.just("model"), WORDS),
)
STARTS = st.one_of(
    st.tuples(st.just("prompt"), PROMPTS),
    st.tuples(st.just("command"), st.just("review"), WORDS, st.just("Review it.")),
)
TURNS = st.tuples(STARTS, st.lists(STEPS, max_size=6), ANSWERS)


@given(st.lists(TURNS, min_size=1, max_size=4), st.sampled_from([64, 4096, 131072]))
@settings(max_examples=60)
def test_a_session_is_its_turns_and_its_tail_the_last(
    tmp_path_factory: Any, turns: list[Any], window: int
) -> None:
    session = Session()
    for start, steps, answer in turns:
        session.play([start, *steps, ("say", answer)])
    lines = pairwise([*session.entries, {}])
    starts = [number for number, (one, after) in enumerate(lines) if is_human_prompt(one, after)]
    spans = pairwise([*starts, len(session.entries)])
    alone = [build_turn(session.entries[start:end]) for start, end in spans]
    assert list(split_turns(session.entries)) == alone
    assert [turn.message for turn in alone] == [answer.strip() for _, _, answer in turns]
    path = session.write(tmp_path_factory.mktemp("property") / "s.jsonl")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(read, "_WINDOW", window)
        tail = read.tail_entries(path)
    assert build_turn(tail.entries, tail.partial) == alone[-1]


KEYS = """type message content id name input text model uuid isMeta isSidechain origin tool_use_id
    toolUseResult attachment cwd sessionId timestamp subtype""".split()
TYPES = "user assistant attachment system text tool_use tool_result image local_command".split()


def odd(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return objects that have keys of a line, of its message or of a block, and odd values."""
    of_a_type = st.fixed_dictionaries({"type": st.sampled_from(TYPES)})
    return st.tuples(of_a_type, st.dictionaries(st.sampled_from(KEYS), inner)).map(
        lambda pair: {**pair[1], **pair[0]}
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | odd(inner),
    max_leaves=12,
)


@given(st.lists(odd(JSON), max_size=6), st.booleans())
def test_no_shape_of_a_line_breaks_the_reading(lines: list[Any], agent: bool) -> None:
    turn = build_turn(lines, agent=agent)
    assert isinstance(turn.message, str)
    assert timeline_of(turn).calls == turn.calls
    assert all(turn.message for turn in split_turns(lines, agent))
