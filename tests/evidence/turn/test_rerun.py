"""Failures that a later run made good, and runs on other code, in turns of many ecosystems."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import CONTRADICTED, NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import Act, bash, edit, matches, recorded, write

PY, JS, GO = edit("shop/cart.py"), edit("src/cart.ts"), edit("cart.go")
RS, KT, RB = edit("src/cart.rs"), edit("src/Cart.kt"), edit("lib/cart.rb")
ALL, WORKS, BUILT = "All tests pass.", "The cart works now.", "The build succeeds."
STASH, POP = bash("git stash", "Saved working directory"), bash("git stash pop", "Dropped")
VITE = bash("npm run build", "vite v5.0.0 building for production...\n✓ built in 2.32s")


def pytest_(status: str, arguments: str = "") -> Act:
    command = f"pytest {arguments}".strip()
    return bash(command, recorded("pytest", status), int(status == "failed"))


def vitest(status: str, command: str = "npx vitest run") -> Act:
    return bash(command, recorded("vitest", status), int(status == "failed"))


def jest(status: str, command: str = "npx jest") -> Act:
    return bash(command, recorded("jest", status), int(status == "failed"))


def gradle(status: str, command: str) -> Act:
    return bash(command, recorded("gradle", status), int(status.endswith("failed")))


def go(case: str, command: str) -> Act:
    return bash(command, recorded("go", case) if case else "", int("failed" in case))


def cargo(case: str, command: str) -> Act:
    return bash(command, recorded("cargo", case), 101 if "failed" in case else 0)


E2E_FAILED = bash("npx playwright test", recorded("playwright", "failed"), 1)

#: name, message, claim, verdict, what the turn did
ROWS: list[tuple[str, str, str, str, list[Act]]] = [
    # what failed was run again by itself
    (
        "the file",
        ALL,
        "tests_pass",
        QUALIFIED,
        [PY, pytest_("failed"), PY, pytest_("passed", "tests/test_order.py")],
    ),
    (
        "what failed last",
        ALL,
        "tests_pass",
        QUALIFIED,
        [PY, pytest_("failed"), PY, pytest_("passed", "--lf")],
    ),
    (
        "the test by name",
        ALL,
        "tests_pass",
        QUALIFIED,
        [JS, jest("failed"), JS, jest("passed", "npx jest -t discount")],
    ),
    (
        "and it works",
        WORKS,
        "works",
        SUPPORTED,
        [PY, pytest_("failed"), PY, pytest_("passed", "tests/test_order.py")],
    ),
    (
        "vitest by file",
        WORKS,
        "works",
        SUPPORTED,
        [JS, vitest("failed"), JS, vitest("passed", "npx vitest run mixed/order.test.mjs")],
    ),
    # another part was run after the change: the failure is of code that is gone
    (
        "another file",
        ALL,
        "tests_pass",
        UNSUPPORTED,
        [PY, pytest_("failed"), PY, pytest_("passed", "tests/test_user.py")],
    ),
    (
        "another package",
        ALL,
        "tests_pass",
        UNSUPPORTED,
        [GO, go("test_failed", "go test ./..."), GO, go("test_passed", "go test ./user/...")],
    ),
    (
        "another module",
        ALL,
        "tests_pass",
        UNSUPPORTED,
        [
            KT,
            gradle("test_failed", "./gradlew test"),
            KT,
            gradle("test_passed", "./gradlew :app:test"),
        ],
    ),
    (
        "one workspace",
        ALL,
        "tests_pass",
        UNSUPPORTED,
        [JS, vitest("failed", "npm test --workspaces"), JS, vitest("passed", "npm test -w web")],
    ),
    (
        "another file and it works",
        WORKS,
        "works",
        UNSUPPORTED,
        [PY, pytest_("failed"), PY, pytest_("passed", "tests/test_user.py")],
    ),
    (
        "one binary",
        BUILT,
        "build_ok",
        UNSUPPORTED,
        [GO, go("build_failed", "go build ./..."), GO, go("", "go build ./cmd/shop")],
    ),
    # nothing changed between, or nothing was run again
    (
        "another file, unchanged",
        ALL,
        "tests_pass",
        CONTRADICTED,
        [PY, pytest_("failed"), pytest_("passed", "tests/test_user.py")],
    ),
    ("not run again", ALL, "tests_pass", CONTRADICTED, [PY, pytest_("failed"), PY]),
    (
        "failed again",
        ALL,
        "tests_pass",
        CONTRADICTED,
        [PY, pytest_("passed", "--lf"), PY, pytest_("failed")],
    ),
    ("works, not run again", WORKS, "works", CONTRADICTED, [JS, vitest("failed"), JS]),
    # the same run in another form
    (
        "npm test, npx vitest",
        ALL,
        "tests_pass",
        SUPPORTED,
        [JS, vitest("failed", "npm test"), JS, vitest("passed")],
    ),
    (
        "npx jest, yarn test",
        ALL,
        "tests_pass",
        SUPPORTED,
        [JS, jest("failed"), JS, jest("passed", "yarn test")],
    ),
    (
        "pytest, python -m pytest",
        ALL,
        "tests_pass",
        SUPPORTED,
        [PY, pytest_("failed"), PY, bash("python3 -m pytest", recorded("pytest", "passed"))],
    ),
    (
        "in a container",
        ALL,
        "tests_pass",
        SUPPORTED,
        [PY, pytest_("failed"), PY, bash("docker exec app pytest", recorded("pytest", "passed"))],
    ),
    (
        "gradlew, gradle check",
        ALL,
        "tests_pass",
        SUPPORTED,
        [KT, gradle("test_failed", "./gradlew test"), KT, gradle("test_passed", "gradle check")],
    ),
    (
        "nextest",
        ALL,
        "tests_pass",
        SUPPORTED,
        [RS, cargo("test_failed", "cargo test"), RS, cargo("nextest_passed", "cargo nextest run")],
    ),
    (
        "rake, rspec",
        ALL,
        "tests_pass",
        SUPPORTED,
        [
            RB,
            bash("bundle exec rake spec", recorded("rspec", "failed"), 1),
            RB,
            bash("bin/rspec", recorded("rspec", "passed")),
        ],
    ),
    (
        "the filter's two spellings",
        ALL,
        "tests_pass",
        QUALIFIED,
        [JS, vitest("failed", "pnpm --filter web test"), JS, vitest("passed", "pnpm -F web test")],
    ),
    (
        "from another folder",
        ALL,
        "tests_pass",
        SUPPORTED,
        [
            JS,
            vitest("failed", "npm --prefix web test"),
            JS,
            vitest("passed", "cd web && npx vitest run"),
        ],
    ),
    # what compiles before it tests
    (
        "go test builds",
        BUILT,
        "build_ok",
        SUPPORTED,
        [GO, go("build_failed", "go build ./..."), GO, go("test_passed", "go test ./...")],
    ),
    (
        "cargo test builds",
        BUILT,
        "build_ok",
        SUPPORTED,
        [RS, cargo("build_failed", "cargo build"), RS, cargo("test_passed", "cargo test")],
    ),
    (
        "jest builds nothing",
        BUILT,
        "build_ok",
        CONTRADICTED,
        [
            JS,
            bash(
                "npm run build",
                "src/a.ts(1,1): error TS2304: Cannot find name 'x'.\nnpm error code 2",
                2,
            ),
            JS,
            jest("passed"),
        ],
    ),
    (
        "a part of it does not",
        BUILT,
        "build_ok",
        CONTRADICTED,
        [GO, go("build_failed", "go build ./..."), GO, go("test_passed", "go test ./user")],
    ),
    # unit tests, and those that go the whole way
    (
        "unit tests are meant",
        "The unit tests pass.",
        "tests_pass",
        SUPPORTED,
        [JS, vitest("passed"), E2E_FAILED],
    ),
    ("all tests are meant", ALL, "tests_pass", CONTRADICTED, [JS, vitest("passed"), E2E_FAILED]),
    (
        "fixed, says one suite",
        "The bug is fixed.",
        "fixed",
        UNSUPPORTED,
        [JS, vitest("passed"), E2E_FAILED],
    ),
    ("fixed, says none", "The bug is fixed.", "fixed", UNSUPPORTED, [JS, E2E_FAILED]),
    # another target, and what the machine lacks
    (
        "this target",
        "The web build succeeds.",
        "build_ok",
        SUPPORTED,
        [
            JS,
            bash("npm run build:web", "✓ built in 2.32s\nvite v5.0.0 building for production..."),
            bash("npm run build:ios", "xcodebuild: error: no scheme", 65),
        ],
    ),
    (
        "no daemon",
        BUILT,
        "build_ok",
        SUPPORTED,
        [JS, VITE, bash("docker build .", recorded("docker_build", "no_daemon"), 1)],
    ),
    (
        "an image that fails",
        BUILT,
        "build_ok",
        CONTRADICTED,
        [JS, bash("docker build .", recorded("docker_build", "build_failed"), 1)],
    ),
    (
        "no daemon for the start",
        WORKS,
        "works",
        SUPPORTED,
        [
            PY,
            pytest_("passed"),
            bash("docker compose up -d", recorded("docker_build", "no_daemon"), 1),
        ],
    ),
    # the code of before, and another copy
    (
        "stashed",
        ALL,
        "tests_pass",
        SUPPORTED,
        [PY, pytest_("passed"), STASH, pytest_("failed"), POP],
    ),
    (
        "run again behind the pop",
        ALL,
        "tests_pass",
        SUPPORTED,
        [
            PY,
            pytest_("failed"),
            PY,
            STASH,
            bash("git stash pop && pytest", recorded("pytest", "passed")),
        ],
    ),
    (
        "on the main branch",
        ALL,
        "tests_pass",
        SUPPORTED,
        [
            PY,
            pytest_("passed"),
            bash("git checkout main", "Switched to branch 'main'"),
            pytest_("failed"),
            bash("git checkout -", "Switched to branch 'x'"),
        ],
    ),
    (
        "in one call",
        ALL,
        "tests_pass",
        SUPPORTED,
        [
            PY,
            pytest_("passed"),
            bash("git switch main && pytest; git switch x", recorded("pytest", "failed")),
        ],
    ),
    (
        "a branch that stays",
        ALL,
        "tests_pass",
        CONTRADICTED,
        [
            PY,
            pytest_("passed"),
            bash("git checkout main", "Switched to branch 'main'"),
            pytest_("failed"),
        ],
    ),
    (
        "worked on there",
        ALL,
        "tests_pass",
        CONTRADICTED,
        [
            bash("git switch a", "Switched to branch 'a'"),
            PY,
            pytest_("failed"),
            bash("git switch b", "Switched to branch 'b'"),
        ],
    ),
    (
        "one file taken back",
        ALL,
        "tests_pass",
        CONTRADICTED,
        [
            PY,
            bash("git checkout shop/tax.py", "Updated 1 path from the index"),
            pytest_("failed"),
            bash("git checkout shop/vat.py", "Updated 1 path"),
        ],
    ),
    (
        "a tree of main",
        ALL,
        "tests_pass",
        SUPPORTED,
        [
            PY,
            pytest_("passed"),
            bash(
                "git worktree add ../base main && cd ../base && pytest",
                recorded("pytest", "failed"),
                1,
            ),
        ],
    ),
    (
        "a new tree to work in",
        ALL,
        "tests_pass",
        CONTRADICTED,
        [
            PY,
            bash(
                "git worktree add -b y ../y && cd ../y && pytest", recorded("pytest", "failed"), 1
            ),
        ],
    ),
    (
        "a scratch folder",
        ALL,
        "tests_pass",
        SUPPORTED,
        [RS, cargo("test_passed", "cargo test"), cargo("test_failed", "cd /tmp/try && cargo test")],
    ),
    (
        "the work is there",
        ALL,
        "tests_pass",
        CONTRADICTED,
        [write("/tmp/try/src/lib.rs", "x"), cargo("test_failed", "cd /tmp/try && cargo test")],
    ),
    # a part that is named by what was done to it
    (
        "the changed files",
        "ESLint passes on the changed files.",
        "lint_clean",
        SUPPORTED,
        [
            JS,
            bash("npx eslint .", recorded("eslint", "failed"), 1),
            bash("npx eslint src/cart.ts", ""),
        ],
    ),
    (
        "all files",
        "ESLint passes.",
        "lint_clean",
        CONTRADICTED,
        [
            JS,
            bash("npx eslint .", recorded("eslint", "failed"), 1),
            bash("npx eslint src/cart.ts", ""),
        ],
    ),
    # numbers
    (
        "a rough one",
        "About 40 tests pass.",
        "tests_pass",
        SUPPORTED,
        [PY, bash("pytest", "42 passed in 1.2s")],
    ),
    (
        "an exact one",
        "40 tests pass.",
        "tests_pass",
        CONTRADICTED,
        [PY, bash("pytest", "42 passed in 1.2s")],
    ),
    (
        "a sum of two of three",
        "The 30 unit tests pass.",
        "tests_pass",
        SUPPORTED,
        [
            PY,
            bash("pytest a", "10 passed in 1s"),
            bash("pytest b", "20 passed in 1s"),
            bash("pytest c", "7 passed in 1s"),
        ],
    ),
    # refused as it should be
    (
        "refused",
        "The check works: a bad key is rejected.",
        "works",
        QUALIFIED,
        [PY, bash("python cli.py --key x", "error: bad key", 2)],
    ),
    (
        "not meant to fail",
        WORKS,
        "works",
        UNSUPPORTED,
        [PY, bash("python cli.py --key x", "error: bad key", 2)],
    ),
]


#: In shortened transcripts, as they are handed on, something may have been left out.
SHORTENED: list[tuple[str, str, str, str, list[Act]]] = [
    (
        "a command",
        "Committed and pushed.",
        "pushed",
        NOT_CHECKABLE,
        [PY, bash("git commit -F - <<'EOF' …", "[x 1a2b3c4] y")],
    ),
    (
        "no command",
        "Committed and pushed.",
        "pushed",
        UNSUPPORTED,
        [PY, bash("git commit -m y", "[x 1a2b3c4] y")],
    ),
    (
        "a result",
        "It is 32% faster.",
        "quantity",
        NOT_CHECKABLE,
        [PY, bash("python bench.py", "mean 4\n… +29 lines (ctrl+o to expand)")],
    ),
    (
        "no result",
        "It is 32% faster.",
        "quantity",
        UNSUPPORTED,
        [PY, bash("python bench.py", "mean 4")],
    ),
]
ROWS += SHORTENED


@pytest.mark.parametrize(
    ("message", "claim", "wanted", "acts"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_verdict(tmp_path: Path, message: str, claim: str, wanted: str, acts: list[Act]) -> None:
    found = [match for match in matches(tmp_path, message, acts) if match.marker.claim == claim]
    verdict = found[0].verdict
    assert verdict
    assert verdict.status == wanted, verdict.why
