"""Turns that no tool expects: each is judged, by all that can be read of it."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from groundwire.base import budget as watch
from groundwire.base.budget import Watch
from groundwire.base.model import BLOCK, PASS, REPORT, ToolCall
from groundwire.language import find
from groundwire.turn import results, timeline
from groundwire.turn import runs as runs_of
from groundwire.turn.programs import covers, sign
from groundwire.verdict.examine import Examined
from groundwire.verdict.features import FEATURES
from tests.everyday.rows import Act, examined
from tests.support.growth import function_calls
from tests.support.tables import rows

EDIT: Act = ["edit", "a.py"]
FAILING: Act = ["bash", "pytest -q", "1 failed, 3 passed in 0.20s", 1]
HUGE: Act = ["bash", "cat all.log", "a line of the log\n" * 500_000]
Look = Callable[..., Examined]
Tick = Callable[[float], None]


@pytest.fixture
def look(tmp_path: Path) -> Look:
    """Return a function of acts and a message that examines a turn of them."""

    def at(*acts: Act, says: str = "All tests pass.") -> Examined:
        row = {"file": "t", "number": 1, "prompt": "please do it", "says": says}
        return examined(tmp_path, row, acts)

    return at


@pytest.fixture
def tick(monkeypatch: pytest.MonkeyPatch) -> Tick:
    """Return a function after which each look at the clock finds it so many milliseconds later."""

    def every(milliseconds: float) -> None:
        ticks = count()
        monkeypatch.setattr(watch, "thread_time", lambda: next(ticks) * milliseconds / 1000)

    return every


NUMBERS = [*map(str, range(900))]
TARGETS, FILES = f"make {' target-'.join(NUMBERS[:80])}", f"pytest {' tests/t_'.join(NUMBERS)}.py"


@pytest.mark.parametrize(
    "command", ["x" * 495, "x" * 5_000, f"{'dir/' * 130}run --fast", TARGETS, FILES], ids=len
)
def test_a_long_command_leaves_the_turn_checked(look: Look, command: str) -> None:
    found = look(EDIT, ["bash", command, "make: *** [target-7] Error 1", 2], FAILING)
    assert (found.notes, found.decision.action) == ((), BLOCK)
    assert found.timeline
    assert len(found.timeline.runs) == 2


def test_a_long_signature_keeps_its_parts_and_tells_commands_apart() -> None:
    places = [f"tests/test_{number}.py" for number in range(80)]
    long, other = sign("test pytest", (), places, ()), sign("test pytest", (), places[:-1], ())
    assert long.count("|") == 3
    assert len(long) <= 500
    assert long != other
    assert covers(long, long)
    assert not covers(other, long)


TOLD = "failed: IndexError: beyond the end"
NEEDED = ("failed_open", "passed_fresh", "parts", "unseen")
READERS = [
    *((timeline, name) for name in ("edits_of", "searches_of", "tasks_of")),
    *((find, name) for name in ("_quantities", "_contradictions", "_references")),
    *((FEATURES, name) for name in FEATURES if name not in NEEDED),
]


def broken(*_: object) -> object:
    raise IndexError("beyond the end")


@pytest.mark.parametrize(("where", "name"), READERS)
def test_what_fails_costs_what_it_tells(
    look: Look, monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    change = monkeypatch.setitem if where is FEATURES else monkeypatch.setattr
    change(where, name, broken)
    found = look(EDIT, FAILING)
    assert found.decision.action == BLOCK
    [note] = found.notes
    assert note.endswith(f"{name} {TOLD}" if where is FEATURES else TOLD)


def test_a_call_that_cannot_be_read_could_have_shown_anything(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, odd = results.read_result, ["bash", "odd", "?"]

    def read(call: ToolCall) -> object:
        return broken() if "odd" in call.input["command"] else real(call)

    monkeypatch.setattr(runs_of, "read_result", read)
    found = look(EDIT, odd, FAILING)
    assert found.notes == (f"tool call 2 {TOLD}",)
    assert found.decision.action == BLOCK  # the last call was read
    assert found.timeline
    assert found.timeline.opaque == (1,)
    assert look(EDIT, odd).decision.action == PASS


def counted(look: Look, *acts: Act, **says: str) -> tuple[int, Examined]:
    found: list[Examined] = []
    return function_calls(lambda: found.append(look(*acts, **says))), found[0]


def limited(said: str, most: float, *, look: Look, tick: Tick) -> bool:
    """The time of a turn is limited, and so is that of bare text."""
    for acts in ([], [FAILING]):
        work = []
        for step in (0.0, 20.0):
            tick(step)
            calls, found = counted(look, *acts, says=said * (20_000 // len(said)))
            assert any("the time was up" in note for note in found.notes) is bool(step)
            work.append(calls)
        assert work[1] < 0.7 * work[0] < 0.7 * most
    return True


def left(step: float, unread: str, *, look: Look, tick: Tick) -> bool:
    """Calls that there is no time for make a turn partial."""
    tick(step)
    lines = "\n".join(f"error {number}: no such name" for number in range(3_000))
    acts = [["bash", f"make t{number}", lines, 2] for number in range(20)]
    message = "".join(f"I ran `cargo build x{number}`. " for number in range(200))
    found = look(FAILING, *acts, says=message)
    assert found.timeline
    assert found.timeline.partial is (unread != "references")
    return f"the time was up: the last {unread} not checked" in found.notes


test_row = rows(__file__, limited=limited, left=left)


def test_what_was_seen_in_time_decides(look: Look, tick: Tick) -> None:
    tick(1.0)
    found = look(FAILING, says="All tests pass. " * 6_000)
    assert any("the time was up" in note for note in found.notes)
    assert found.decision.action == BLOCK


def test_a_turn_behind_a_huge_result_is_not_checkable(look: Look) -> None:
    says = "I think it is the parser, all tests pass, everything is fixed. I am 100% sure."
    assert look(FAILING, says=says).decision.action == BLOCK
    assert look(HUGE, EDIT, says=says).decision.action != BLOCK
    found = look(HUGE, FAILING).decision
    assert (found.action, found.why) == (REPORT, "")


@pytest.mark.parametrize(
    "before", ["true; " * 60, f"cat <<'E'\n{'a line ' * 7_000}\nE\n", "(" * 1_000_000], ids=len
)
def test_what_a_long_command_ran_last_may_have_passed(look: Look, before: str) -> None:
    acts = [FAILING, ["bash", f"{before}pytest -q", "4 passed in 0.20s"]]
    assert counted(look, *acts)[0] < 4_000_000
    assert look(*acts).decision.action != BLOCK  # counting takes the time that it has


def test_the_work_of_other_threads_is_not_that_of_the_turn() -> None:
    watch = Watch(20)
    other = Thread(target=sum, args=(range(10_000_000),))
    other.start()
    other.join()
    assert not watch.is_over("this")
    sum(range(10_000_000))
    assert watch.is_over("that")
    assert list(watch.notes) == ["the time was up: that not checked"]
