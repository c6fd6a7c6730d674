"""What contradicts a claim, and what only looks as if it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, edit, matches, recorded, write

PYTEST_OK = recorded("pytest", "passed")
PYTEST_BAD = recorded("pytest", "failed")
JEST_OK = recorded("jest", "passed")
JEST_BAD = recorded("jest", "failed")
PY, JS, RUST, C = edit("shop/cart.py"), edit("src/cart.ts"), edit("src/cart.rs"), edit("src/cart.c")
NOT_FOUND = bash("pytest -q", "/bin/bash: line 1: pytest: command not found", 127)
CART = bash("pytest -q tests/test_cart.py", "5 passed in 0.1s")
PRICE_BAD = bash("pytest -q tests/test_price.py", "1 failed, 2 passed in 0.1s", 1)
UNIT, INTEGRATION_BAD = (
    bash("npm run test:unit", JEST_OK),
    bash("npm run test:integration", JEST_BAD, 1),
)
TWO_BINARIES = (
    "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; finished in 0.00s\n\n"
    "     Running tests/cart.rs\n\nrunning 2 tests\n"
    "test result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.00s"
)
BUILT = bash("make -j4", "[100%] Built target shop")
TRIED = bash("gcc /tmp/try.c -o /tmp/try", "/tmp/try.c:2:1: error: expected ';' before '}'", 1)
STASHED = bash("git stash && pytest -q; git stash pop", PYTEST_BAD)
PASS = "All tests pass."

#: name, message, claim, verdict, what the turn did
ROWS: list[tuple[str, str, str, str, list[Act]]] = [
    # a run that could not start shows nothing
    ("not installed", PASS, "tests_pass", "unsupported", [PY, NOT_FOUND]),
    ("not installed, it works", "The cart works now.", "works", "unsupported", [PY, NOT_FOUND]),
    (
        "found elsewhere",
        PASS,
        "tests_pass",
        "supported",
        [PY, NOT_FOUND, bash("python3 -m pytest -q", PYTEST_OK)],
    ),
    (
        "no such task",
        PASS,
        "tests_pass",
        "supported",
        [JS, bash("npm run ci", 'npm error Missing script: "ci"', 1), bash("npx jest", JEST_OK)],
    ),
    (
        "a module that the tests need",
        PASS,
        "tests_pass",
        "contradicted",
        [
            PY,
            bash("pytest -q", f"E   ModuleNotFoundError: No module named 'shop'\n{PYTEST_BAD}", 1),
        ],
    ),
    # one of several runs is meant
    ("this part", "The cart tests pass.", "tests_pass", "supported", [PY, CART, PRICE_BAD]),
    (
        "the other part",
        "The price tests pass.",
        "tests_pass",
        "contradicted",
        [PY, CART, PRICE_BAD],
    ),
    ("all parts", PASS, "tests_pass", "contradicted", [PY, CART, PRICE_BAD]),
    ("this task", "The unit tests pass.", "tests_pass", "supported", [JS, UNIT, INTEGRATION_BAD]),
    (
        "the other task",
        "The integration tests pass.",
        "tests_pass",
        "contradicted",
        [JS, UNIT, INTEGRATION_BAD],
    ),
    ("all tasks", PASS, "tests_pass", "contradicted", [JS, UNIT, INTEGRATION_BAD]),
    # counts of one of several binaries
    (
        "of one",
        "All 2 tests pass.",
        "tests_pass",
        "supported",
        [RUST, bash("cargo test", TWO_BINARIES)],
    ),
    (
        "of both",
        "All 5 tests pass.",
        "tests_pass",
        "supported",
        [RUST, bash("cargo test", TWO_BINARIES)],
    ),
    (
        "of none",
        "All 9 tests pass.",
        "tests_pass",
        "contradicted",
        [RUST, bash("cargo test", TWO_BINARIES)],
    ),
    # git
    (
        "nothing was left",
        "The change is committed.",
        "committed",
        "qualified",
        [bash("git commit -m x", "On branch main\nnothing to commit, working tree clean", 1)],
    ),
    (
        "a hook refused",
        "The change is committed.",
        "committed",
        "contradicted",
        [PY, bash("git commit -am x", "error: ruff failed\nfatal: pre-commit hook failed", 1)],
    ),
    (
        "a hook refused once",
        "The change is committed.",
        "committed",
        "supported",
        [
            PY,
            bash("git commit -am x", "error: ruff failed", 1),
            bash("git commit -am x", "[main 1a2b3c4] x\n 1 file changed, 1 insertion(+)"),
        ],
    ),
    # the project, and a file beside it
    (
        "a trial",
        "The build succeeds.",
        "build_ok",
        "supported",
        [C, BUILT, write("/tmp/try.c", "x"), TRIED],
    ),
    ("only a trial", "The build succeeds.", "build_ok", "contradicted", [C, TRIED]),
    (
        "the project",
        "The build succeeds.",
        "build_ok",
        "contradicted",
        [C, bash("make -j4", "src/cart.c:3:1: error: expected ';'\nmake: *** [all] Error 1", 2)],
    ),
    # the code of before
    (
        "the code of before",
        PASS,
        "tests_pass",
        "supported",
        [PY, bash("pytest -q", PYTEST_OK), STASHED],
    ),
    (
        "the code put away for good",
        PASS,
        "tests_pass",
        "contradicted",
        [PY, bash("git stash", "Saved working directory"), bash("pytest -q", PYTEST_BAD, 1)],
    ),
    # what fails as it should
    (
        "nothing found",
        "The bug is fixed.",
        "fixed",
        "supported",
        [PY, bash("pytest -q", PYTEST_OK), bash("grep -rn TODO src", "", 1)],
    ),
    (
        "files differ",
        "The bug is fixed.",
        "fixed",
        "supported",
        [PY, bash("pytest -q", PYTEST_OK), bash("diff a b", "1c1\n< x\n---\n> y", 1)],
    ),
    (
        "reproduced before",
        "After the change the tests pass.",
        "tests_pass",
        "supported",
        [bash("pytest tests/test_bug.py", PYTEST_BAD, 1), PY, bash("pytest -q", PYTEST_OK)],
    ),
    (
        "a server for some seconds",
        "The server works.",
        "works",
        "not_checkable",
        [JS, bash("timeout 5 npm start", "listening on port 3000", 124)],
    ),
    (
        "another check failed",
        "The cart works now.",
        "works",
        "supported",
        [
            PY,
            bash("pytest -q", PYTEST_OK),
            bash("ruff check .", "shop/a.py:1:1: F401 unused\nFound 1 error.", 1),
        ],
    ),
    (
        "the tests failed",
        "The cart works now.",
        "works",
        "contradicted",
        [PY, bash("pytest -q", PYTEST_BAD, 1)],
    ),
]


@pytest.mark.parametrize(
    ("message", "claim", "wanted", "acts"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_verdict(tmp_path: Path, message: str, claim: str, wanted: str, acts: list[Act]) -> None:
    found = [match for match in matches(tmp_path, message, acts) if match.marker.claim == claim]
    verdict = found[-1].verdict
    assert verdict
    assert verdict.status == wanted, verdict.why
