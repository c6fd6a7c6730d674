"""Turns that no tool expects: each is judged, by all that can be read of it."""

from collections.abc import Callable
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
from groundwire.service.examine import Examined
from groundwire.watch import Watch
from tests.evidence.turns import Act, bash, edit, examined
from tests.support.growth import function_calls

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


@pytest.mark.parametrize(
    ("said", "most"),
    [
        *(("all tests pass, ", 1.3e6), ("All tests pass. ", 1.4e6), ("I think ", 0.4e6)),
        *(("not will ", 0.4e6), ("3.5 ms, 20% of 1,000 ", 4.4e6)),
    ],
)
@pytest.mark.parametrize("acts", [[], [FAILING]], ids=["bare", "turn"])
def test_the_time_of_a_turn_is_limited(
    tmp_path: Path, tick: Callable[[float], None], said: str, most: float, acts: list[Act]
) -> None:
    message = said * (20_000 // len(said))
    work = {}
    for step in (0.0, 20.0):
        tick(step)
        found: list[Examined] = []
        work[step] = function_calls(lambda to=found: to.append(examined(tmp_path, acts, message)))  # type: ignore[misc]
        assert any("the time was up" in note for note in found[0].notes) is bool(step)
    assert work[20.0] < 0.7 * work[0.0] < 0.7 * most


def test_what_was_seen_in_time_decides(tmp_path: Path, tick: Callable[[float], None]) -> None:
    tick(1.0)
    found = examined(tmp_path, [FAILING], "All tests pass. " * 6_000)
    assert any("the time was up" in note for note in found.notes)
    assert found.decision.action == BLOCK


@pytest.mark.parametrize(
    ("step", "left"),
    [(1_000, "shell commands"), (20, "edits"), (12, "searches"), (4, "references")],
)
def test_calls_that_there_is_no_time_for_make_a_turn_partial(
    tmp_path: Path, tick: Callable[[float], None], step: float, left: str
) -> None:
    tick(step)
    lines = "\n".join(f"error {number}: no such name" for number in range(3_000))
    acts = [FAILING, *(bash(f"make t{number}", lines, 2) for number in range(20))]
    message = "".join(f"I ran `cargo build x{number}`. " for number in range(200))
    found = examined(tmp_path, acts, message)
    assert found.timeline is not None
    assert found.timeline.partial is (left != "references")
    assert f"the time was up: the last {left} not checked" in found.notes


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
