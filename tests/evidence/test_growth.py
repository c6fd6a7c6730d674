"""Growth of the whole pipeline with calls and claims, by counted calls of functions.

``benchmarks/steepness.py`` counts instructions, and with them what grows inside one call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from benchmarks.growing import CLAIMS, examine_turn, examined
from benchmarks.steepness import LINEAR
from groundwire.model import ToolCall
from tests.support.growth import exponent, function_calls


def all_failing(number: int) -> ToolCall:
    """Hundreds of failures and of other commands that pass: each might make each good."""
    command = {"command": f"pytest tests/{number}.py"}
    failed = number % 2 == 0
    result = "Exit code 1\n1 failed in 0.1s" if failed else "4 passed in 0.1s"
    return ToolCall(f"t{number}", "Bash", command, result, failed)


def one_log(number: int) -> ToolCall:
    """A log that is written and looked at again and again."""
    command = "tail -5 build.log" if number % 2 else "make build > build.log 2>&1"
    result = "warning: unused variable `x`\n" * 70 if number % 2 else ""
    return ToolCall(f"t{number}", "Bash", {"command": command}, result)


@pytest.mark.parametrize("axis", ["claims", "calls"])
def test_work_grows_with_the_turn(axis: str) -> None:
    few, many = (function_calls(partial(examined, axis, size)) for size in (50, 200))
    assert exponent(few, many, 4) <= LINEAR, (few, many)


@pytest.mark.parametrize("make", [all_failing, one_log])
def test_work_grows_with_calls_that_belong_together(make: Callable[[int], ToolCall]) -> None:
    few, many = (
        function_calls(partial(examine_turn, [make(n) for n in range(first, first + size)], CLAIMS))
        for first, size in ((0, 500), (5_000, 2_000))
    )
    assert exponent(few, many, 4) <= LINEAR, (few, many)


def test_work_that_grows_faster_is_noticed() -> None:
    def called(count: int) -> int:
        return function_calls(lambda: [abs(one) for one in range(count) for _ in range(count)])

    assert exponent(called(50), called(200), 4) > LINEAR
