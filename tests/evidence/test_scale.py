"""Turns with thousands of tool calls: time grows with them, memory stays bounded."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.evidence.runs import runs_of
from groundwire.evidence.runs.results import LONGEST_HEAD, LONGEST_TAIL, both_ends, read_result
from groundwire.model import ToolCall, Turn
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import Examined, examine, turn_of
from groundwire.settings import SHIPPED
from groundwire.transcript.read import CAP
from tests.support.growth import LINEAR, exponent, function_calls, steepness
from tests.support.transcripts import Session

SCANNER = Scanner(shipped_rules())
MESSAGE = (
    "I updated `src/pkg/mod7.py`. The root cause was the missing lock. All tests pass now and the "
    "build succeeds. It works, see commit 1a2b3c4. There are no other callers, 42 tests passed."
)
#: Prints the megabytes of the results, and those that the analysis added to the peak.
MEASURED = """
from resource import RUSAGE_SELF, getrusage
from tests.evidence.test_scale import examined, mixed
def peak():
    try:
        with open("/proc/self/status") as status:
            return int(dict(row.split(":", 1) for row in status)["VmHWM"].split()[0]) / 1024
    except OSError:
        return getrusage(RUSAGE_SELF).ru_maxrss / 2**20
calls = tuple(mixed(number, 33_000) for number in range(2_000))
before = peak()
assert examined(calls).analysis.matches
print(sum(len(call.result or "") for call in calls) / 1e6, peak() - before)
"""
Make = Callable[[int, int], ToolCall]
#: Exponent of the time, up to which growth counts as linear.


def bash(number: int, command: str, result: str, error: bool = False) -> ToolCall:
    return ToolCall(f"t{number}", "Bash", {"command": command}, result, error)


def lines(size: int, text: str) -> str:
    return "".join(f"{text} {n}\n" for n in range(size // (len(text) + 5) + 1))


def mixed(number: int, size: int) -> ToolCall:
    """A working session: reads, edits, tests in several ecosystems, searches, builds, git."""
    path = f"/home/dev/shop/src/pkg/mod{number % 331}.py"
    change = {"file_path": path, "old_string": "assert a", "new_string": "assert b"}
    failed = number % 70 == 3
    kinds: tuple[Callable[[], ToolCall], ...] = (
        lambda: ToolCall(
            f"t{number}", "Read", {"file_path": path}, lines(size, "    1\tdef total(x)")
        ),
        lambda: ToolCall(f"t{number}", "Edit", change, "The file has been updated"),
        lambda: bash(
            number,
            f"pytest -v tests/test_mod{number % 331}.py",
            lines(size, "tests/test_mod.py::test_a PASSED")
            + ("1 failed, 3 passed in 1.2s" if failed else "4 passed in 1.2s"),
            failed,
        ),
        lambda: ToolCall(f"t{number}", "Grep", {"pattern": "total"}, lines(size, f"{path}:12: x")),
        lambda: bash(
            number, f"npm run build -w pkg{number} 2>&1 | tail -40", lines(size, "compiled a.ts")
        ),
        lambda: bash(number, f"go test ./pkg{number}/...", lines(size, "ok  \tshop/pkg\t0.01s")),
        lambda: bash(number, f"cargo build -p pkg{number} > {number}.log 2>&1", ""),
        lambda: bash(number, f"tail -20 {number - 1}.log", lines(size, "warning: unused variable")),
        lambda: bash(number, f"git diff HEAD -- {path}", lines(size, "+    total = 0")),
        lambda: bash(
            number, f"./scripts/check{number}.sh; echo done", lines(size, "step ok in 12 ms")
        ),
    )
    return kinds[number % len(kinds)]()


def all_failing(number: int, size: int) -> ToolCall:
    """Hundreds of failures and of other commands that pass: each might make each good."""
    if number % 2:
        return bash(number, f"pytest tests/b{number}.py", "4 passed in 0.1s")
    return bash(number, f"pytest tests/a{number}.py", "Exit code 1\n1 failed in 0.1s", True)


def one_log(number: int, size: int) -> ToolCall:
    """A log that is written and looked at again and again."""
    if number % 2:
        return bash(number, "tail -5 build.log", lines(2_000, "warning: unused variable `x`"))
    return bash(number, "make build > build.log 2>&1", "")


def examined(calls: tuple[ToolCall, ...]) -> Examined:
    """Examine a message with several claims after these calls."""
    turn = Turn(prompt="fix it", message=MESSAGE, calls=calls, cwd="/home/dev/shop")
    event = Event("Stop", "s", message=MESSAGE, cwd=str(Path(__file__).parent))
    result = examine(event, turn, SCANNER, SHIPPED, Memory())
    assert result.analysis.matches
    return result


def turns(make: Make, count: int, size: int) -> Iterator[tuple[ToolCall, ...]]:
    """Yield turns of so many calls, each with commands of its own, so that nothing is reused."""
    for first in (0, 10_000, 20_000):
        yield tuple(make(number, size) for number in range(first, first + count))


@pytest.mark.parametrize("make", [mixed, all_failing, one_log], ids=lambda make: make.__name__)
def test_time_grows_with_the_number_of_calls(make: Make) -> None:
    ready = {count: list(turns(make, count, 2_000)) for count in (500, 2_000)}

    def work_of(count: int, at: int) -> Callable[[], object]:
        return partial(examined, ready[count][at])

    assert steepness(work_of, 500, 2_000) <= LINEAR


@pytest.mark.parametrize("make", [mixed, all_failing, one_log], ids=lambda make: make.__name__)
def test_work_grows_with_the_number_of_calls(make: Make) -> None:
    few, many = (
        function_calls(partial(examined, next(turns(make, count, 500)))) for count in (300, 1_200)
    )
    assert exponent(few, many, 4) <= 1.1, (few, many)


def test_work_that_grows_faster_is_noticed() -> None:
    def pairs(count: int, _at: int) -> Callable[[], object]:
        return lambda: [one for one in range(count) for other in range(count) if one == other]

    def called(count: int) -> int:
        return function_calls(lambda: [abs(one) for one in range(count) for _ in range(count)])

    assert steepness(pairs, 500, 2_000) > LINEAR
    assert exponent(called(50), called(200), 4) > 1.1


def test_two_thousand_calls_and_fifty_megabytes() -> None:
    """In a process of its own, whose highest memory says what the analysis needed."""
    process = subprocess.run(
        [sys.executable, "-c", MEASURED],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
        timeout=120,
    )
    megabytes, needed = map(float, process.stdout.split())
    assert megabytes > 50
    assert needed < 0.5 * megabytes


def test_beyond_the_reading_cap_the_ledger_is_partial_and_says_so(tmp_path: Path) -> None:
    session = Session()
    session.prompt("fix it")
    session.bash("pytest -q", "42 passed in 1.2s")
    for number in range(12):
        session.read(f"/home/dev/shop/data/{number}.txt", "row " * 200_000)
    session.edit("/home/dev/shop/src/cart.py", "a", "b")
    session.say("All tests pass.")
    path = session.write(tmp_path / "t.jsonl")
    assert (tmp_path / "t.jsonl").stat().st_size > CAP
    event = Event("Stop", "s", transcript_path=path, message="All tests pass.")
    found = examine(event, turn_of(event), SCANNER, SHIPPED, Memory())
    [match] = [m for m in found.analysis.matches if m.marker.claim == "tests_pass"]
    assert match.verdict is not None
    assert match.verdict.status == "not_checkable"
    assert match.verdict.why == "the turn was too long to be read whole"
    assert "its ledger is partial" in found.notes[-1]
    assert found.memory.digest is not None
    assert found.memory.digest.whole is False


def test_of_a_very_long_result_both_ends_are_read() -> None:
    text = "collected 9 items\n" + "x" * 2_000_000 + "\n9 passed in 0.1s"
    ends = both_ends(text)
    assert len(ends) < LONGEST_HEAD + LONGEST_TAIL + 100
    assert ends.startswith("collected 9 items\n")
    assert ends.endswith("\n9 passed in 0.1s")
    call = bash(1, "pytest", text)
    assert read_result(call).cut
    assert [run.outcome.passed for run in runs_of([call])] == [9]
