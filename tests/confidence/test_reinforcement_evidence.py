"""The events of the reinforced confidence in the ledger of a turn, each counted once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.reinforcement.counted import Counted, counted_fields, read_counted
from groundwire.confidence.reinforcement.evidence import Circumstances, turn_events
from groundwire.confidence.reinforcement.session import Event, Session, advance_all, new_session
from groundwire.evidence.timeline import Timeline, timeline_of
from groundwire.json_codec import dumps, loads
from groundwire.model import Marker, Match, Turn, Verdict
from tests.evidence.turns import Act, bash, call, edit, grep, reading, timeline, write

TODAY = (2026, 11, 21)
VISIT = Event("visit", 0.5, 1.0)
TEST = Event("test", 1.0, 1.0)
GOOD, BAD = Event("", 1.0, 1.0), Event("", 0.0, 1.0)
READ = reading("src/pool.py", "x = 1")
SOURCE = edit("src/pool.py")
PYTEST = bash("pytest -q", "8 passed in 0.41s")
NARROW = bash("pytest -q tests/test_pool.py", "2 passed in 0.11s")
BROKEN = bash("pytest -q", "1 failed, 7 passed in 0.41s", 1)
RUFF = bash("ruff check .", "All checks passed!")
COMMIT = bash("git commit -m pool", "[main 1a2b3c4] pool\n 1 file changed, 1 insertion(+)")
REFUSED = bash("git commit -m pool", "nothing to commit, working tree clean", 1)
MERGE = bash("git merge topic", "Updating 1a2b3c4..5d6e7f8\nFast-forward\n a.py | 2 +-")
STATUS = bash("git status --short", " M src/pool.py")
LIST = bash("ls src", "pool.py\nmain.py")


def data(validated: str, path: str = "_data/courts.md") -> Act:
    return reading(path, f"---\ndata_metadata:\n  validated: {validated}\n---\n")


def read(folder: Path, acts: list[Act]) -> Timeline:
    """Return the timeline of a turn; of one without tool calls, too."""
    return timeline(folder, acts) or timeline_of(Turn())


def seen(prompt: str = "1") -> Circumstances:
    return Circumstances(prompt, TODAY, (".md",), lambda text: "milestone" in text)


def supported(call_id: str) -> Match:
    marker = Marker("m", "completeness_claim")
    return Match(
        "completeness_claim", "", 0, 40, marker, (0, 0), (), Verdict("supported", "", call_id)
    )


CASES: list[tuple[str, list[Act], list[Event]]] = [
    ("nothing", [], []),
    ("a file read", [READ], [VISIT]),
    ("the same file twice", [READ, READ], [VISIT]),
    ("a search with hits", [grep("x", "src/pool.py")], [VISIT]),
    ("a search without", [grep("x")], []),
    ("a listing by the shell", [LIST], [VISIT]),
    ("a page fetched", [call("WebFetch", "The page says so.")], [VISIT]),
    ("an unknown tool", [call("mcp__notes__find", "Two notes.")], [VISIT]),
    ("an unknown tool without a word", [call("mcp__notes__find", " ")], []),
    ("tests passed", [PYTEST], [TEST]),
    ("tests passed twice", [PYTEST, PYTEST], [TEST, TEST]),
    ("tests of a part", [NARROW], [Event("test", 1.0, 0.5)]),
    ("tests failed", [BROKEN], [BAD]),
    ("tests with a hidden outcome", [bash("pytest -q | tail -0", "")], []),
    ("a linter passed", [RUFF], [GOOD]),
    ("a commit", [COMMIT], [Event("merge")]),
    ("a commit that was none", [REFUSED], []),
    ("a merge", [MERGE], [Event("merge")]),
    ("a look at the versions", [STATUS], []),
    ("an edit", [SOURCE], []),
    ("a refactored file", [SOURCE, PYTEST], [TEST, Event(refactored=1)]),
    ("edited after the tests", [PYTEST, SOURCE], [TEST]),
    ("a new file", [write("src/new.py", "x = 1")], [Event(created=1)]),
    ("a new file and tests", [write("src/new.py", "x"), PYTEST], [TEST, Event(created=1)]),
    ("a new document", [write("notes.MD", "x")], []),
    ("a new data file", [write("_data/x.json", "{}")], []),
    ("a file pattern", [write("notes.md", "a milestone")], [Event(matched=True)]),
    ("fresh data", [data("2026-10-01")], [VISIT, Event("", decay_months=1)]),
    ("data past its review", [data("2026-05-01")], [VISIT, Event("decay_warning", decay_months=6)]),
    ("the same elsewhere", [data("2026-05-01", "docs/courts.md")], [VISIT]),
    ("data of tomorrow", [data("2026-11-22")], [VISIT]),
    ("data without a date", [data("soon")], [VISIT]),
    (
        "data in JSON",
        [reading("site/_data/x.json", '{"_confidence": {"created": "2025-01-01"}}')],
        [VISIT, Event("decay_warning", decay_months=22)],
    ),
]


@pytest.mark.parametrize(("acts", "events"), [row[1:] for row in CASES], ids=[r[0] for r in CASES])
def test_events(tmp_path: Path, acts: list[Act], events: list[Event]) -> None:
    assert list(turn_events(read(tmp_path, acts), (), Counted(), seen())[0]) == events


def test_a_confirmed_claim_stands_before_the_call_that_supports_it(tmp_path: Path) -> None:
    found = read(tmp_path, [READ, PYTEST, COMMIT])
    claims = [supported(found.calls[1].id), supported(found.calls[1].id)]
    events, counted = turn_events(found, claims, Counted(), seen())
    assert [event.symbol for event in events] == ["visit", "confirm", "test", "merge"]
    assert turn_events(found, claims, counted, seen())[0] == ()
    # the next message of the turn claims more: what supports it was counted, the claim was not
    claims.append(supported(found.calls[2].id))
    assert turn_events(found, claims, counted, seen())[0] == (Event("confirm"),)
    claims.append(supported(""))  # no single call decides it
    again = turn_events(found, claims, Counted(), seen())[0]
    symbols = ["visit", "confirm", "test", "confirm", "merge", "confirm"]
    assert [event.symbol for event in again] == symbols


def test_the_calls_of_another_turn_with_the_same_words_are_new(tmp_path: Path) -> None:
    before = turn_events(read(tmp_path, [READ, PYTEST, COMMIT]), (), Counted(), seen())[1]
    rest = read(tmp_path, [RUFF])
    other = rest.replace(calls=tuple(one.replace(id="other") for one in rest.calls))
    assert turn_events(other, (), before, seen())[0] == (GOOD,)
    # and those of a long turn of which only the end was read
    assert turn_events(other.replace(partial=True), (), before, seen())[0] == (GOOD,)


ACTS: list[Act] = [
    *(READ, SOURCE, PYTEST, NARROW, BROKEN, RUFF, COMMIT, LIST, data("2026-01-01")),
    *(write("src/a.py", "x"), write("src/b.py", "milestone"), edit("src/main.py")),
]


@given(st.lists(st.sampled_from(ACTS), max_size=12), st.lists(st.integers(0, 12), max_size=4))
def test_stops_in_between_count_nothing_twice(
    tmp_path_factory: Any, acts: list[Act], stops: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("turn")
    whole = advance(new_session(), read(folder, acts), Counted())[0]
    session, counted = new_session(), Counted()
    for stop in (*sorted(min(stop, len(acts)) for stop in stops), len(acts), len(acts)):
        stored = loads(dumps(counted_fields(counted)))
        session, counted = advance(session, read(folder, acts[:stop]), read_counted(stored))
    # a file that was refactored at one stop may be edited again afterwards
    assert session.refactored >= whole.refactored
    assert session.replace(refactored=0) == whole.replace(refactored=0)


def advance(session: Session, found: Timeline, counted: Counted) -> tuple[Session, Counted]:
    events, counted = turn_events(found, (), counted, seen())
    return advance_all(session, events), counted


def test_another_prompt_counts_its_own_calls_and_no_file_twice(tmp_path: Path) -> None:
    found = read(tmp_path, [write("src/a.py", "x"), SOURCE, PYTEST])
    first, counted = turn_events(found, (), Counted(), seen("1"))
    second, _ = turn_events(found, (), counted, seen("2"))
    assert (first[-1], second) == (Event(refactored=1, created=1), (TEST,))


values = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text() | st.none())
fields = st.dictionaries(st.sampled_from(list(Counted._fields)), values)


@given(values | fields)
def test_stored_data_of_any_shape_is_read_or_passed_over(stored: Any) -> None:
    found = read_counted(stored)
    assert read_counted(counted_fields(found)) == found
