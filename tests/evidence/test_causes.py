"""Causes that a message states, against what the turn had read or printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import (
    Act,
    bash,
    call,
    edit,
    grep,
    matches,
    reading,
    task,
    verdict_on,
    write,
)

KIND = "causality_language"
TRACE = bash(
    "python app.py",
    "Traceback (most recent call last):\n  File \"app.py\", line 3, in total\nKeyError: 'price'",
    1,
)
NODE = bash("node server.js", "Error: listen EADDRINUSE: address already in use :::3000", 1)
GO = bash("go build ./...", "./cart.go:12:9: undefined: roundHalfUp", 1)
RUST = bash("cargo build", "error[E0382]: borrow of moved value: `orders`", 1)
JAVA = reading("src/Cart.java", "class Cart { BigDecimal total; void addItem(Item i) {} }")
SQL = bash("psql -f up.sql", 'ERROR:  column "paid_at" does not exist')
RED = bash(
    "pytest -q", "FAILED tests/test_cart.py::test_total\n=== 1 failed, 4 passed in 0.1s ===", 1
)
GREEN = bash("pytest -q", "=== 5 passed in 0.1s ===")
OTHER_GREEN = bash("pytest -q tests/test_user.py", "=== 2 passed in 0.1s ===")
FIX = edit("cart.py")
QUIET = bash("git fetch", "")

ROWS: list[tuple[str, str, list[Act]]] = [
    ("The root cause is the `KeyError` in `total`.", SUPPORTED, [TRACE]),
    ("It failed because of EADDRINUSE on start.", SUPPORTED, [NODE]),
    ("The root cause is the missing `roundHalfUp()`.", SUPPORTED, [GO]),
    ("The root cause was that `orders` is moved.", SUPPORTED, [RUST]),
    ("The root cause is `Cart.java:1`: addItem ignores the total.", QUALIFIED, [QUIET]),
    ("The root cause is that `addItem` ignores `BigDecimal`.", SUPPORTED, [JAVA]),
    ('The root cause is the column "paid_at".', SUPPORTED, [SQL]),
    ("The root cause was the rounding.", SUPPORTED, [RED, FIX, GREEN]),  # failed, fixed, passes
    (
        "The root cause is:\n\n`orders` is moved in the loop.",
        SUPPORTED,
        [RUST],
    ),  # named below a label
    # looked into, but no result shows what is named
    ("The root cause was the rounding.", QUALIFIED, [RED, FIX, OTHER_GREEN]),  # another test
    ("The root cause was the rounding.", QUALIFIED, [RED, GREEN]),  # nothing was changed
    ("The root cause is a stale lock.", QUALIFIED, [TRACE]),
    ("The root cause is `flushQueue` in `worker.ts`.", QUALIFIED, [NODE]),
    ("The root cause is the retry loop.", QUALIFIED, [grep("retry", "a.go")]),
    ("The root cause was the wrong flag.", QUALIFIED, [FIX]),  # whoever edits has seen it
    ("The root cause is `flushQueue`.", NOT_CHECKABLE, [task("`flushQueue` drops events.")]),
    ("The root cause is `flushQueue`.", NOT_CHECKABLE, [call("mcp__apm__query", "p99 4 s")]),
    # nothing was read at all
    ("The root cause is a stale lock.", UNSUPPORTED, [call("TodoWrite", "ok")]),
    ("The root cause is `flushQueue` in `worker.ts`.", UNSUPPORTED, [call("TodoWrite", "ok")]),
    (
        "It is probably the stale worker cache. The root cause is the stale worker cache.",
        UNSUPPORTED,
        [NODE],
    ),
    (
        "Maybe the migration locks orders.\n\nThe root cause is that the migration locks orders.",
        UNSUPPORTED,
        [SQL],
    ),
    # a guess that was checked, and one of something else
    (
        "Maybe the stale worker cache. I checked it. The root cause is the stale worker cache.",
        QUALIFIED,
        [NODE],
    ),
    ("It is probably slow DNS. The root cause is the stale worker cache.", QUALIFIED, [NODE]),
    (
        "I suspected the stale worker cache. The root cause is the stale worker cache.",
        QUALIFIED,
        [NODE],
    ),
]


@pytest.mark.parametrize(("message", "status", "acts"), ROWS, ids=[row[0][:70] for row in ROWS])
def test_cause(message: str, status: str, acts: list[Act], tmp_path: Path) -> None:
    found = verdict_on(tmp_path, message, KIND, acts)
    assert (found.status, found.why) == (status, found.why)


def test_it_points_to_call_and_line(tmp_path: Path) -> None:
    found = verdict_on(tmp_path, "The root cause is the `KeyError`.", KIND, [JAVA, TRACE])
    assert found.command == "python app.py"
    assert found.line == "KeyError: 'price'"


def test_it_points_to_the_guess(tmp_path: Path) -> None:
    message = "It is probably the stale worker cache. The root cause is the stale worker cache."
    assert (
        "It is probably the stale worker cache." in verdict_on(tmp_path, message, KIND, [NODE]).why
    )


@pytest.mark.parametrize(
    ("message", "milder"),
    [
        ("It is probably the stale cache; I can confirm by running it with --no-cache.", True),
        ("It is probably the stale cache. Want me to check?", True),
        ("It is probably the stale cache. I can quickly verify that with a cold run.", True),
        ("The root cause is a stale lock. A second run would confirm it.", True),
        ("Maybe the pool is too small. To check, run it with 20 connections.", True),
        ("It is probably the stale cache. I changed the key.", False),
        ("It is probably the stale cache. The tests check it.", False),
        ("It is probably the stale cache. I replaced it. I can check the rest.", False),
        ("It is probably the stale cache.\n\nI can check the docs for you.", False),
    ],
)
def test_an_offered_check_makes_a_guess_milder(message: str, milder: bool, tmp_path: Path) -> None:
    found = matches(tmp_path, message, [write("a.py", "x = 1")])
    assert ("offered-check" in {one.context for one in found}) == milder
