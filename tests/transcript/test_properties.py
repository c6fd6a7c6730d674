"""What holds for every transcript, tried on generated ones."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.evidence.timeline import timeline_of
from groundwire.transcript import read
from groundwire.transcript.turn import build_turn, is_human_prompt, split_turns
from tests.support.transcripts import Session

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


def session_of(turns: list[Any]) -> Session:
    session = Session()
    for start, steps, answer in turns:
        for name, *arguments in (start, *steps, ("say", answer)):
            getattr(session, name)(*arguments)
    return session


@given(st.lists(TURNS, min_size=1, max_size=4))
def test_splitting_a_concatenation_is_concatenating_what_was_split(turns: list[Any]) -> None:
    session = session_of(turns)
    starts = [
        number
        for number, (entry, following) in enumerate(pairwise([*session.entries, {}]))
        if is_human_prompt(entry, following)
    ]
    ends = [*starts[1:], len(session.entries)]
    alone = [
        build_turn(session.entries[start:end]) for start, end in zip(starts, ends, strict=True)
    ]
    assert list(split_turns(session.entries)) == alone
    assert [turn.message for turn in alone] == [answer.strip() for _, _, answer in turns]


@given(st.lists(TURNS, min_size=1, max_size=3), st.sampled_from([64, 4096, 131072]))
@settings(max_examples=50)
def test_the_tail_gives_the_last_turn_of_the_whole(
    tmp_path_factory: Any, turns: list[Any], window: int
) -> None:
    folder: Path = tmp_path_factory.mktemp("property")
    path = session_of(turns).write(folder / "s.jsonl")
    first_window, read._WINDOW = read._WINDOW, window
    try:
        tail = read.tail_entries(path)
    finally:
        read._WINDOW = first_window
    assert build_turn(tail.entries, tail.partial) == list(split_turns(read.all_entries(path)))[-1]


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "image", "thinking"]) | JSON},
    optional=dict.fromkeys(("text", "id", "name", "input", "tool_use_id", "content"), JSON),
)
MESSAGE = st.fixed_dictionaries(
    {}, optional={"content": st.lists(BLOCK | JSON, max_size=3) | JSON, "id": JSON, "model": JSON}
)
ODD_LINE = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "attachment", "system"]) | JSON},
    optional={
        "message": MESSAGE | JSON,
        **dict.fromkeys(("uuid", "isMeta", "isSidechain", "origin", "toolUseResult"), JSON),
        **dict.fromkeys(("attachment", "cwd", "sessionId", "timestamp", "content"), JSON),
        "subtype": st.just("local_command") | JSON,
    },
)


@given(st.lists(ODD_LINE, max_size=6), st.booleans())
def test_no_shape_of_a_line_breaks_the_reading(lines: list[Any], agent: bool) -> None:
    turn = build_turn(lines, agent=agent)
    assert isinstance(turn.message, str)
    assert timeline_of(turn).calls == turn.calls
    assert all(turn.message for turn in split_turns(lines, agent))
