"""Turns that no tool expects: each is judged, by all that can be read of it."""

from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

from groundwire import watch
from groundwire.evidence import results, runs_of, timeline
from groundwire.evidence.features import FEATURES
from groundwire.evidence.signature import covers, sign
from groundwire.model import BLOCK, PASS, REPORT, ToolCall
from groundwire.scan import find
from groundwire.watch import Watch
from tests.evidence.turns import Act, bash, edit, examined
from tests.support.growth import function_calls
from tests.support.tables import rows

FAILING = bash("pytest -q", "1 failed, 3 passed in 0.20s", exit_code=1)
HUGE = bash("cat all.log", "a line of the log\n" * 500_000)
CLAIM = "All tests pass."


NUMBERS = [*map(str, range(900))]
LONG = {
    "word": "x" * 5_000,
    "path": f"{'dir/' * 130}run --fast",
    "targets": f"make {' target-'.join(NUMBERS[:80])}",
    "files": f"pytest {' tests/test_'.join(NUMBERS)}.py",
}


@pytest.mark.parametrize("command", ["x" * 495, *LONG.values()], ids=["short", *LONG])
def test_a_long_command_leaves_the_turn_checked(tmp_path: Path, command: str) -> None:
    acts = [edit("a.py"), bash(command, "make: *** [target-7] Error 1", exit_code=2), FAILING]
    found = examined(tmp_path, acts, CLAIM)
    assert found.notes == ()
    assert found.decision.action == BLOCK
    assert found.timeline is not None
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


def broken(*_: object) -> None:
    raise IndexError("beyond the end")


def test_a_feature_that_fails_is_noted_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [
        name for name in FEATURES if name not in ("failed_open", "passed_fresh", "parts", "unseen")
    ]
    for name in names:
        monkeypatch.setitem(FEATURES, name, broken)
    found = examined(tmp_path, [edit("a.py"), FAILING], CLAIM)
    assert found.decision.action == BLOCK
    assert {*found.notes} == {f"feature {name} {TOLD}" for name in names}


@pytest.mark.parametrize(
    ("module", "reader"),
    [
        *((timeline, name) for name in ("edits_of", "searches_of", "tasks_of")),
        *((find, name) for name in ("_quantities", "_contradictions", "_references")),
    ],
)
def test_a_reader_that_fails_costs_what_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object, reader: str
) -> None:
    monkeypatch.setattr(module, reader, broken)
    found = examined(tmp_path, [edit("a.py"), FAILING], CLAIM)
    assert found.decision.action == BLOCK
    [note] = found.notes
    assert note.endswith(TOLD)


def test_a_call_that_cannot_be_read_could_have_shown_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(call: ToolCall) -> object:
        if "odd" in call.input["command"]:
            raise IndexError("beyond the end")
        return real(call)

    real = results.read_result
    monkeypatch.setattr(runs_of, "read_result", read)
    acts = [edit("a.py"), bash("odd", "?"), FAILING]
    found = examined(tmp_path, acts, CLAIM)
    assert found.notes == (f"tool call 2 {TOLD}",)
    assert found.decision.action == BLOCK  # the last call was read
    assert found.timeline is not None
    assert found.timeline.opaque == (1,)
    assert examined(tmp_path, [edit("a.py"), bash("odd", "?")], CLAIM).decision.action == PASS


@pytest.fixture
def tick(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function after which each look at the clock finds it so many milliseconds later."""

    def every(milliseconds: float) -> None:
        ticks = count()
        monkeypatch.setattr(watch, "thread_time", lambda: next(ticks) * milliseconds / 1000)

    return every


Tick = Callable[[float], None]


def limited(said: str, most: float, *, tmp_path: Path, tick: Tick) -> bool:
    """The time of a turn is limited, and so is that of bare text."""
    message = said * (20_000 // len(said))
    for acts in ([], [FAILING]):
        work = {}
        for step in (0.0, 20.0):
            tick(step)
            notes: list[str] = []
            look = partial(_noted, notes, tmp_path, acts, message)
            work[step] = function_calls(look)
            assert any("the time was up" in note for note in notes) is bool(step)
        assert work[20.0] < 0.7 * work[0.0] < 0.7 * most
    return True


def _noted(notes: list[str], folder: Path, acts: list[Act], message: str) -> None:
    notes += examined(folder, acts, message).notes


def left(step: float, unread: str, *, tmp_path: Path, tick: Tick) -> bool:
    """Calls that there is no time for make a turn partial."""
    tick(step)
    lines = "\n".join(f"error {number}: no such name" for number in range(3_000))
    acts = [FAILING, *(bash(f"make t{number}", lines, 2) for number in range(20))]
    message = "".join(f"I ran `cargo build x{number}`. " for number in range(200))
    found = examined(tmp_path, acts, message)
    assert found.timeline is not None
    assert found.timeline.partial is (unread != "references")
    return f"the time was up: the last {unread} not checked" in found.notes


test_row = rows(__file__, limited=limited, left=left)


def test_what_was_seen_in_time_decides(tmp_path: Path, tick: Callable[[float], None]) -> None:
    tick(1.0)
    found = examined(tmp_path, [FAILING], "All tests pass. " * 6_000)
    assert any("the time was up" in note for note in found.notes)
    assert found.decision.action == BLOCK


def test_a_turn_behind_a_huge_result_is_not_checkable(tmp_path: Path) -> None:
    claim = "I think it is the parser, all tests pass, everything is fixed. I am 100% sure."
    assert examined(tmp_path, [edit("a.py")], claim).decision.action == BLOCK
    assert examined(tmp_path, [HUGE, edit("a.py")], claim).decision.action != BLOCK
    found = examined(tmp_path, [HUGE, FAILING], CLAIM).decision
    assert (found.action, found.why) == (REPORT, "not all of the turn was read")


@pytest.mark.parametrize(
    "before", ["true; " * 60, f"cat <<'E'\n{'a line ' * 7_000}\nE\n", "(" * 1_000_000], ids=len
)
def test_what_a_long_command_ran_last_may_have_passed(tmp_path: Path, before: str) -> None:
    acts = [FAILING, bash(f"{before}pytest -q", "4 passed in 0.20s")]
    assert function_calls(lambda: examined(tmp_path, acts, CLAIM)) < 4_000_000
    assert examined(tmp_path, acts, CLAIM).decision.action != BLOCK


def test_the_work_of_other_threads_is_not_that_of_the_turn() -> None:
    watch = Watch(20)
    other = Thread(target=sum, args=(range(10_000_000),))
    other.start()
    other.join()
    assert not watch.is_over("this")
    sum(range(10_000_000))
    assert watch.is_over("that")
    assert list(watch.notes) == ["the time was up: that not checked"]
