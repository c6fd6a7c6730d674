"""How the work of a function grows with its input, by counted calls."""

import sys
from collections.abc import Callable
from math import log


def exponent(few: float, many: float, factor: float) -> float:
    """Return 1 for what grows as fast as its input, 2 for its square."""
    return log(many / few) / log(factor)


def function_calls(work: Callable[[], object]) -> int:
    """Count the calls of functions, which no load of the machine changes."""
    count = 0

    def notice(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    profile = sys.getprofile()
    sys.setprofile(notice)
    try:
        work()
    finally:
        sys.setprofile(profile)
    return count
