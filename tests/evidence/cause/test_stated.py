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
    ("The root cause is a stale handle.", QUALIFIED, [TRACE]),
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
        ("The notice is most likely from the dashboard. Which page shows it?", True),
        ("It is likely the proxy. Could you paste the response headers?", True),
        ("It is likely the proxy. Should I add a retry?", False),
        ("It is likely the proxy. Which page shows it I know.", False),
        ("It is probably the stale cache. I changed the key.", False),
        ("It is probably the stale cache. The tests check it.", False),
        ("It is probably the stale cache. I replaced it. I can check the rest.", False),
        ("It is probably the stale cache.\n\nI can check the docs for you.", False),
    ],
)
def test_an_offered_check_makes_a_guess_milder(message: str, milder: bool, tmp_path: Path) -> None:
    found = matches(tmp_path, message, [write("a.py", "x = 1")])
    assert ("offered-check" in {one.context for one in found}) == milder


PUSHED = bash("git push origin main", "To github.com:a/b.git\n   1a2b3c4..5d6e7f8  main -> main")
REJECTED = bash(
    "git push origin main",
    "To github.com:a/b.git\n ! [rejected]        main -> main (fetch first)\n"
    "error: failed to push some refs to 'github.com:a/b.git'",
    1,
)
FETCHED = bash("git fetch", "From github.com:a/b\n   1a2b3c4..9c8d7e6  main -> origin/main")
FORCED = bash(
    "git fetch", "From github.com:a/b\n + 1a2b3c4...9c8d7e6 main -> origin/main  (forced update)"
)
CURL = bash("curl -s localhost:8080/pay", "HTTP/1.1 500 Internal Server Error", 22)
LIMITED = bash("curl -s https://api.shop.test/pay", "HTTP/1.1 429 Too Many Requests", 22)
KILLED = bash("make train", "make: *** [train] Killed: 9", 137)
GRADLE = bash("./gradlew build", "Execution failed for task ':app:compileJava'.", 1)
PULLED = bash("docker pull shop/app", "Error response from daemon: manifest unknown", 1)
CUT = bash("npm ci", "npm error code E404\n... [98 lines truncated] ...", 1)

#: Causes of a kind that leaves a trace: message, calls, verdict.
TRACED: list[tuple[str, list[Act], str]] = [
    ("The payment failed because of a rate limit.", [CURL], UNSUPPORTED),
    ("The payment failed because the gateway throttled us with 429s.", [LIMITED], QUALIFIED),
    ("The build failed because the runner ran out of memory.", [GRADLE], UNSUPPORTED),
    ("The training failed because it ran out of memory.", [KILLED], QUALIFIED),
    ("The pull failed due to DNS on the runner.", [PULLED], UNSUPPORTED),
    ("The pull failed because of the corporate proxy.", [PULLED], UNSUPPORTED),
    ("The crash was caused by a race condition in the worker.", [NODE], UNSUPPORTED),
    (
        "The crash was caused by a race condition in the counter.",
        [reading("counter.go", "// one goroutine per shard\ntotal++")],
        QUALIFIED,
    ),
    ("Root cause: the token had expired.", [PULLED], UNSUPPORTED),
    ("The compile failed because of CRLF line endings.", [GO], UNSUPPORTED),
    ("The migration failed because of a deadlock.", [SQL], UNSUPPORTED),
    ("The request times out because the handler never answers.", [NODE], QUALIFIED),  # the effect
    # somebody told of it, or it was tried or changed
    ("The pull failed due to DNS on the runner.", [PULLED, bash("nslookup shop", "")], QUALIFIED),
    ("The hang was caused by a deadlock in `total`.", [edit("a.go", "mu.Lock()", "x")], QUALIFIED),
    # denied, or in another part of the sentence
    ("The build failed because of the flag, not because of a rate limit.", [GRADLE], QUALIFIED),
    ("The root cause was the wrong flag, so I also raised the timeout.", [GRADLE], QUALIFIED),
    # what is hidden may show it; an earlier turn may have
    ("The install failed because of a rate limit.", [CUT], QUALIFIED),
    ("As discussed, the payment failed because of a rate limit.", [CURL], QUALIFIED),
    ("The install failed because of a rate limit.", [CURL, call("mcp__ci__log", "")], QUALIFIED),
    # that it worked in the end shows nothing of why it had not before
    (
        "The push failed because `main` was behind.",
        [bash("git push origin main", "error: failed to push some refs", 1), PUSHED],
        QUALIFIED,
    ),
    ("The push failed because `main` was behind.", [REJECTED, PUSHED], SUPPORTED),
    (
        "The push failed because `origin/main` had been force-pushed.",
        [REJECTED, FETCHED, PUSHED],
        UNSUPPORTED,
    ),
    (
        "The push failed because `origin/main` had been force-pushed.",
        [REJECTED, FORCED, PUSHED],
        SUPPORTED,
    ),
    # what failed is no sign of why it did
    ("`node server.js` failed because of a stale handle.", [NODE], QUALIFIED),
    ("`node server.js` failed because of EADDRINUSE.", [NODE], SUPPORTED),
    ("The root cause is `origin/dev`.", [reading("dev.md", "dev notes")], QUALIFIED),
    (
        "It fails because there is no `shop_api/__main__.py`.",
        [bash("python -m shop_api", "No module named shop_api.__main__", 1)],
        SUPPORTED,
    ),
]


@pytest.mark.parametrize(("message", "acts", "status"), TRACED)
def test_a_kind_of_cause_leaves_a_trace(
    message: str, acts: list[Act], status: str, tmp_path: Path
) -> None:
    found = verdict_on(tmp_path, message, KIND, acts)
    assert (found.status, found.why) == (status, found.why)
