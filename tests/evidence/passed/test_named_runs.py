"""What "still passes" is held against: the command or the kind of run that the sentence names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, edit, matches, recorded

KIND = "ungrounded_behavioral_assertion"
PY, JS, GO, RUST = edit("shop/cart.py"), edit("src/cart.ts"), edit("shop/cart.go"), edit("cart.rs")
CSHARP, NOTES = edit("Shop/Cart.cs"), edit("docs/notes.md")
MYPY_OK = bash("mypy src", recorded("mypy", "passed"))
MYPY_BAD = bash("mypy src", recorded("mypy", "failed"), 1)
ESLINT_BAD = bash("npx eslint .", recorded("eslint", "failed"), 1)
TSC_OK = bash("npx tsc --noEmit", "")
PYTEST_OK = bash("pytest -q", recorded("pytest", "passed"))
NPM_OK = bash("npm run build", "> shop@1.0.0 build\n> node build.mjs\n\nwrote dist/shop.js")
CARGO_OK = bash("cargo build", recorded("cargo", "build_passed"))
CARGO_BAD = bash("cargo build", recorded("cargo", "build_failed"), 1)
DOTNET_OK = bash("dotnet build", recorded("dotnet", "build_passed"))
VET_OK = bash("go vet ./...", "")

#: name, message, verdict, a part of its reason, what the turn did
ROWS: list[tuple[str, str, str, str, list[Act]]] = [
    # a command in code is that command
    ("npm", "`npm run build` now passes.", "supported", "npm run build", [JS, NPM_OK]),
    ("cargo", "`cargo build` now passes.", "supported", "cargo build", [RUST, CARGO_OK]),
    ("dotnet", "`dotnet build` passes again.", "supported", "dotnet", [CSHARP, DOTNET_OK]),
    ("mypy", "`mypy src` now passes.", "supported", "mypy src", [PY, MYPY_OK]),
    ("go", "`go vet ./...` still passes.", "supported", "go vet", [GO, VET_OK]),
    ("tsc, in passing", "The menu is new, and `tsc --noEmit` still passes.", "supported", "tsc", [
        JS, TSC_OK,
    ]),
    ("another linter failed", "`mypy src` now passes.", "supported", "mypy", [
        PY, MYPY_OK, ESLINT_BAD,
    ]),
    ("a text after it", "`npm run build` now passes.", "supported", "npm", [JS, NPM_OK, NOTES]),
    ("stale", "`cargo build` still passes.", "unsupported", "cart.rs was edited", [
        CARGO_OK, RUST,
    ]),
    ("failed", "`cargo build` still passes.", "contradicted", "failed", [RUST, CARGO_BAD]),
    ("not run", "`cargo build` still passes.", "unsupported", "no build", [RUST]),
    ("only tests ran", "`tsc --noEmit` passes cleanly.", "unsupported", "no type check", [
        PY, PYTEST_OK,
    ]),
    ("hidden", "`npm run build` now passes.", "not_checkable", "tail", [
        JS, bash("npm run build 2>&1 | tail -2", "wrote dist/shop.js"),
    ]),
    # a kind in words, a tool by its name
    ("a build in words", "The production build still passes.", "supported", "build", [
        JS, NPM_OK,
    ]),
    ("types in words", "The typecheck still passes.", "supported", "mypy", [PY, MYPY_OK]),
    ("a tool", "mypy now passes.", "supported", "mypy", [PY, MYPY_OK]),
    ("a failed tool", "mypy now passes.", "contradicted", "mypy", [PY, MYPY_BAD]),
    ("clippy", "Clippy still passes.", "supported", "clippy", [
        RUST, bash("cargo clippy", recorded("cargo", "clippy_passed")),
    ]),
    # of several the worst
    ("one failed", "`npm run build` and `npx eslint .` both pass.", "contradicted", "eslint", [
        JS, NPM_OK, ESLINT_BAD,
    ]),
    ("one was not run", "Build and typecheck both pass.", "unsupported", "no type check", [
        JS, NPM_OK,
    ]),
    ("both ran", "`npm run build` and `tsc --noEmit` both pass.", "supported", "", [
        JS, NPM_OK, TSC_OK,
    ]),
    # tests stay tests
    ("tests", "The cart test now passes.", "unsupported", "no test run", [JS, NPM_OK]),
    ("a test command", "`pytest -q` still passes.", "unsupported", "edited", [PYTEST_OK, PY]),
    ("tests and a build", "Build and tests all pass.", "unsupported", "no test run", [JS, NPM_OK]),
    ("nothing that runs", "The third case still passes.", "unsupported", "no test run", [GO]),
    ("a name in code", "`cart_total` still passes.", "unsupported", "no test run", [PY]),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_a_sentence_names_decides(
    tmp_path: Path, row: tuple[str, str, str, str, list[Act]]
) -> None:
    _, message, status, why, acts = row
    found = [
        one.verdict
        for one in matches(tmp_path, message, acts)
        if one.kind == KIND and one.marker.claim == "tests_pass"
    ]
    assert found, "no claim of a passed run"
    assert found[0] is not None
    assert found[0].status == status
    assert why in found[0].why
