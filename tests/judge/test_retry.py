"""Attempts within one time limit, on the loop's own clock."""

from __future__ import annotations

import asyncio
import itertools
import time

import pytest

from groundwire.judge.protocol import Answer, JudgeError
from groundwire.judge.retry import ATTEMPTS, within


def test_waits_grow_and_a_limit_ends_them() -> None:
    at: list[float] = []

    async def ask() -> Answer:
        at.append(time.perf_counter())
        raise JudgeError("not yet", retry=True)

    with pytest.raises(JudgeError, match=r"^not yet \(4 attempts\)$"):
        asyncio.run(within(30, ask))
    waits = [later - before for before, later in itertools.pairwise(at)]
    assert len(at) == ATTEMPTS
    assert waits[0] >= 0.075
    assert waits[2] > waits[0] * 2


def test_a_wait_longer_than_what_is_left_is_not_begun() -> None:
    attempts = 0

    async def ask() -> Answer:
        nonlocal attempts
        attempts += 1
        raise JudgeError("busy", retry=True, wait=2.0)

    started = time.perf_counter()
    with pytest.raises(JudgeError, match=r"^busy$"):
        asyncio.run(within(1.0, ask))
    assert time.perf_counter() - started < 1
    assert attempts == 1


def test_an_error_of_the_program_is_no_failure_of_the_judge() -> None:
    async def ask() -> Answer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(within(1.0, ask))
