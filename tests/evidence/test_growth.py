"""Growth of the whole pipeline with the calls of a turn, its results, and the claims."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.model import ToolCall, Turn
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import Examined, examine
from groundwire.settings import SHIPPED
from tests.support.growth import LINEAR, exponent, function_calls, steepness

SCANNER = Scanner(shipped_rules())
MESSAGE = (
    "I updated `src/pkg/mod7.py`. The root cause was the missing lock. All tests pass now and the "
    "build succeeds. It works, see commit 1a2b3c4. There are no other callers, 42 tests passed."
)
#: Exponent of counted work up to which growth counts as linear.
STEADY = 1.1
Make = Callable[[int, int], ToolCall]


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


def examined(calls: tuple[ToolCall, ...], message: str = MESSAGE) -> Examined:
    """Examine a message with several claims after these calls."""
    turn = Turn(prompt="fix it", message=message, calls=calls, cwd="/home/dev/shop")
    event = Event("Stop", "s", message=message, cwd=str(Path(__file__).parent))
    result = examine(event, turn, SCANNER, SHIPPED, Memory())
    assert result.analysis.matches
    return result


def calls_of(make: Make, count: int, size: int, first: int = 0) -> tuple[ToolCall, ...]:
    """Return calls with commands of their own, so that nothing of another turn is known."""
    return tuple(make(number, size) for number in range(first, first + count))


@pytest.mark.parametrize("make", [mixed, all_failing, one_log], ids=lambda make: make.__name__)
def test_work_grows_with_the_number_of_calls(make: Make) -> None:
    few, many = (
        function_calls(partial(examined, calls_of(make, count, 500, first=10 * count)))
        for count in (500, 2_000)
    )
    assert exponent(few, many, 4) <= STEADY, (few, many)


def test_time_grows_with_the_size_of_a_result() -> None:
    def work_of(size: int, at: int) -> Callable[[], object]:
        calls = calls_of(mixed, 10, size, first=10 * (1 + at))
        return partial(examined, calls)

    # 500 KB and 4 MB in one turn: from what no longer fits a cache on, time is steady
    assert steepness(work_of, 50_000, 400_000) <= LINEAR


def test_work_grows_with_the_number_of_claims() -> None:
    calls = calls_of(mixed, 100, 500)
    few, many = (
        function_calls(
            partial(examined, calls, " ".join(f"{MESSAGE} Step {n}." for n in range(count)))
        )
        for count in (50, 200)
    )
    assert exponent(few, many, 4) <= STEADY, (few, many)


def test_work_that_grows_faster_is_noticed() -> None:
    def called(count: int) -> int:
        return function_calls(lambda: [abs(one) for one in range(count) for _ in range(count)])

    assert exponent(called(50), called(200), 4) > STEADY
