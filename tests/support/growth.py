"""How the work of a function grows with its input: by processor time, and by counted calls."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import log
from time import process_time

#: Exponent of the processor time up to which growth counts as linear; that of pairs is 2.
LINEAR = 1.3
_ATTEMPTS = 5
_ROUNDS = 3

Work = Callable[[], object]


def exponent(few: float, many: float, factor: float) -> float:
    """Return 1 for what grows as fast as its input, 2 for its square."""
    return log(many / few) / log(factor)


def seconds(work: Work) -> float:
    """Return the processor time of one run."""
    started = process_time()
    work()
    return process_time() - started


def function_calls(work: Work) -> int:
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


def steepness(work_of: Callable[[int, int], Work], few: int, many: int) -> float:
    """Return the exponent of the processor time, the lowest of several attempts.

    ``work_of`` is given a size and the number of the round. Each attempt takes the best of three
    rounds, in which the small and the large work take turns: what else the machine does can make
    one of them slow, never too fast.
    """
    found = []
    for _ in range(_ATTEMPTS):
        rounds = [(seconds(work_of(few, at)), seconds(work_of(many, at))) for at in range(_ROUNDS)]
        small, large = map(min, zip(*rounds, strict=True))
        found.append(exponent(max(small, 1e-4), large, many / few))
        if found[-1] <= LINEAR:
            break
    return min(found)
