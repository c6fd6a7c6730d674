"""What a run of the program says for a claim, and what a linter and a text do not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, call, edit, matches, reading, recorded

PY, JS, GO, RUST = edit("shop/cart.py"), edit("src/cart.ts"), edit("shop/cart.go"), edit("cart.rs")
NOTES, GUIDE = edit("docs/notes.md"), edit("guide.rst")
RUN_PY = bash("python shop/demo.py", "total 42")
RUN_RUST = bash("cargo run --quiet", "total 42")
BROWSER = call("mcp__playwright__browser_click", "Clicked. Page: /cart/done")
HIDDEN = bash("node demo.mjs 2>&1 | tail -3; ls", "total 42\nsrc")
RUFF_BAD = bash("ruff check .", recorded("ruff", "failed"), 1)
ESLINT_BAD = bash("npx eslint .", recorded("eslint", "failed"), 1)
MYPY_BAD = bash("mypy .", recorded("mypy", "failed"), 1)
JEST_BAD = bash("npx jest", recorded("jest", "failed"), 1)

#: name, message, claim, verdict, what the turn did
ROWS: list[tuple[str, str, str, str, list[Act]]] = [
    # the program ran well after the last edit, and no test says what that covers
    ("a run, python", "Verified it live.", "verified", "not_checkable", [PY, RUN_PY]),
    ("a run, rust", "It works as intended.", "works", "not_checkable", [RUST, RUN_RUST]),
    ("a browser", "I've fixed the menu.", "fixed", "not_checkable", [JS, BROWSER]),
    ("of all", "All of it is verified.", "verified", "qualified", [PY, RUN_PY]),
    ("before the edit", "It works as intended.", "works", "unsupported", [RUN_RUST, RUST]),
    ("a guess", "It should now work.", "works", "qualified", [PY, RUN_PY]),
    ("a dry run of git", "It works as intended.", "works", "qualified", [
        GO, bash("git add -An .", "add 'shop/cart.go'"),
    ]),
    ("hidden, nothing edited", "I reproduced it.", "verified", "not_checkable", [HIDDEN]),
    ("nothing ran, nothing edited", "I reproduced it.", "verified", "not_checkable", [
        reading("src/cart.ts", "export const a = 1"),
    ]),
    # a linter found something in code that ran since
    ("a linter, python", "The cart works now.", "works", "not_checkable", [PY, RUFF_BAD, RUN_PY]),
    ("a linter, browser", "Confirmed that the menu closes.", "verified", "not_checkable", [
        JS, ESLINT_BAD, BROWSER,
    ]),
    ("a type checker", "The cart works now.", "works", "not_checkable", [PY, MYPY_BAD, RUN_PY]),
    ("a linter alone", "The cart works now.", "works", "unsupported", [PY, RUFF_BAD]),
    ("a linter after an older run", "The cart works now.", "works", "unsupported", [
        RUN_PY, PY, RUFF_BAD,
    ]),
    ("tests", "The cart works now.", "works", "contradicted", [JS, JEST_BAD, BROWSER]),
    ("all, over a linter", "All of it works now.", "works", "unsupported", [PY, RUFF_BAD, RUN_PY]),
    # texts for readers
    ("a text", "Fixed.", "fixed", "not_checkable", [NOTES]),
    ("two texts", "Fixed: the heading reads 2025.", "fixed", "not_checkable", [NOTES, GUIDE]),
    ("a text and a source", "Fixed.", "fixed", "unsupported", [NOTES, GO]),
    ("what pip reads", "Fixed.", "fixed", "unsupported", [edit("requirements.txt")]),
    ("what cmake reads", "Fixed.", "fixed", "unsupported", [edit("CMakeLists.txt")]),
    ("a crash, in a text", "Fixed the crash.", "fixed", "unsupported", [NOTES]),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_a_run_says(tmp_path: Path, row: tuple[str, str, str, str, list[Act]]) -> None:
    _, message, claim, status, acts = row
    found = [
        one
        for one in matches(tmp_path, message, acts)
        if one.verdict and one.marker.claim == claim and one.marker.strength != "faint"
    ]
    assert found, "no claim"
    worst = max(found, key=lambda one: one.confidence)
    assert worst.verdict
    assert worst.verdict.status == status


REMOTE = bash("ssh web 'cd shop && git checkout -- cart.py && git pull -q'", "")
REMOVED = bash("ssh web 'rm shop/cart.py && git pull -q'", "")
LOCAL = bash("git checkout -- shop/cart.py", "")


@pytest.mark.parametrize(
    ("after", "status"), [(REMOTE, "supported"), (REMOVED, "supported"), (LOCAL, "unsupported")]
)
def test_git_on_another_machine_changes_nothing_here(
    tmp_path: Path, after: Act, status: str
) -> None:
    acts = [PY, bash("pytest -q", recorded("pytest", "passed")), after]
    found = matches(tmp_path, "All tests pass.", acts)
    assert found[0].verdict
    assert found[0].verdict.status == status
