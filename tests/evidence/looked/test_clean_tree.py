"""That a work tree is clean, against the last status of the turn and what came behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import CONTRADICTED, NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import Act, bash, call, edit, matches, task, write

LONG_CLEAN = "On branch main\nnothing to commit, working tree clean"
LONG = """On branch main
Changes to be committed:
  (use "git restore --staged <file>..." to unstage)
\tmodified:   src/lib.rs

Untracked files:
  (use "git add <file>..." to include in what will be committed)
\tnotes/"""
UNSTAGED = """On branch dev
Changes not staged for commit:
\tmodified:   lib/cart.ex

no changes added to commit"""
BRANCH = "## main...origin/main"
CLEAN = "The working tree is clean."
COMMIT = bash("git commit -q -m 'Sort the cart'", "")

#: message, verdict, what the turn did
ROWS: list[tuple[str, str, list[Act]]] = [
    # printed clean
    (CLEAN, SUPPORTED, [edit("src/lib.rs"), COMMIT, bash("git status", LONG_CLEAN)]),
    ("Pushed, tree clean.", SUPPORTED, [bash("git status --short", "")]),
    ("No uncommitted changes.", SUPPORTED, [bash("git push && git status -sb", BRANCH)]),
    ("Nothing is uncommitted.", SUPPORTED, [bash("git status --porcelain | wc -l", "       0")]),
    (CLEAN, SUPPORTED, [
        bash("git add -A && git commit -q -m x && git log -1 && git status -s", "1a2b3c4 x"),
    ]),
    (CLEAN, SUPPORTED, [bash("git commit -m x", "nothing to commit, working tree clean", 1)]),
    ("`git status` is clean.", SUPPORTED, [bash("git status", LONG_CLEAN), bash("mix test", "ok")]),
    (CLEAN, SUPPORTED, [bash("git status -s", ""), write(".claude/notes.md", "Sorted.")]),
    (CLEAN, SUPPORTED, [
        bash("git status -s", "?? cart.go"), bash("git add cart.go && git commit -q -m x", ""),
        bash("git status -s", ""),
    ]),
    # edited behind it
    (CLEAN, UNSUPPORTED, [bash("git status", LONG_CLEAN), edit("chart/values.yaml")]),
    ("`git status` shows nothing.", UNSUPPORTED, [
        COMMIT, bash("git status --short", ""), write("app/Cart.php", "<?php"),
    ]),
    (CLEAN, NOT_CHECKABLE, [
        bash("git status", LONG_CLEAN), edit("cart.kt"), bash("git checkout -- cart.kt", ""),
    ]),
    (CLEAN, SUPPORTED, [
        bash("git status", LONG_CLEAN), edit("cart.kt"), bash("git add cart.kt", ""), COMMIT,
    ]),
    # printed changes
    (CLEAN, CONTRADICTED, [bash("git status", UNSTAGED)]),
    ("No uncommitted changes.", CONTRADICTED, [bash("git status --short", " M app/cart.rb")]),
    ("`git status` is clean.", UNSUPPORTED, [bash("git status -sb", "## main\n?? a.swift")]),
    ("`git status` is clean.", UNSUPPORTED, [bash("git status", LONG), COMMIT]),
    (CLEAN, UNSUPPORTED, [
        bash("git status -s", " M cart.go\n M menu.go"), bash("git add cart.go", ""), COMMIT,
    ]),
    ("Clean worktree.", CONTRADICTED, [bash("git status -s | head -3", " M build.gradle")]),
    # something behind it may have taken them away
    (CLEAN, NOT_CHECKABLE, [bash("git status", UNSTAGED), bash("git commit -am x", "")]),
    (CLEAN, NOT_CHECKABLE, [bash("git status", LONG), bash("git add -A", ""), COMMIT]),
    (CLEAN, NOT_CHECKABLE, [bash("git status", UNSTAGED), bash("git stash -u", "Saved")]),
    (CLEAN, NOT_CHECKABLE, [bash("git status -s", "?? dist/"), bash("make clean", "rm -r dist")]),
    (CLEAN, NOT_CHECKABLE, [bash("git status -s", "?? tmp/"), edit(".gitignore")]),
    (CLEAN, NOT_CHECKABLE, [bash("git status -s", " M a.go"), task("I committed the rest.")]),
    (CLEAN, NOT_CHECKABLE, [
        bash("git status -s", " M a.go\n?? b.go"), bash("git add a.go b.go", ""), COMMIT,
    ]),
    # told
    ("The working tree is clean. Only `notes.md` is untracked.", NOT_CHECKABLE, [
        bash("git status -s", "?? notes.md"),
    ]),
    # seen in part
    (CLEAN, NOT_CHECKABLE, [bash("git status -sb | head -1", "## main...origin/main")]),
    (CLEAN, NOT_CHECKABLE, [bash("git status -s src/", "")]),
    (CLEAN, NOT_CHECKABLE, [bash("git status -s | grep -v dist", "")]),
    # several trees
    (CLEAN, NOT_CHECKABLE, [
        bash("git -C /srv/api status -s", ""), bash("git -C /srv/web status -s", " M a.ts"),
    ]),
    ("Both worktrees are clean.", UNSUPPORTED, [
        bash("git -C /srv/web status -s", " M a.ts"), bash("git -C /srv/api status -s", ""),
    ]),
    ("All have clean trees.", SUPPORTED, [
        bash("git -C /srv/web status -s", ""), bash("ssh mini 'cd shop && git status -s'", ""),
    ]),
    # no status
    (CLEAN, UNSUPPORTED, [edit("cart.py")]),
    (CLEAN, UNSUPPORTED, [COMMIT, edit("mix.exs"), bash("git log --oneline -1", "1a2b3c4 x")]),
    (CLEAN, NOT_CHECKABLE, [edit("pom.xml"), bash("git add pom.xml", ""), COMMIT]),
    (CLEAN, NOT_CHECKABLE, [edit("pom.xml"), call("mcp__git__status", "clean")]),
    (CLEAN, QUALIFIED, [bash("git log --oneline -1", "1a2b3c4 Sort the cart")]),
]  # fmt: skip
QUIET = [
    "If the working tree is clean, tag the gem.",
    "The working tree was clean when I started.",
    "Start from a clean tree.",
    "Check that `git status` is clean before the Helm release.",
    "`git status` lists `Cargo.lock`.",
    "The Go dependency tree is clean.",
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_whether_the_tree_is_clean(tmp_path: Path, row: tuple[str, str, list[Act]]) -> None:
    message, status, acts = row
    found = [one for one in matches(tmp_path, message, acts) if one.marker.claim == "tree_clean"]
    assert found, "no claim"
    assert found[0].verdict
    assert found[0].verdict.status == status, found[0].verdict.why


@pytest.mark.parametrize("message", QUIET)
def test_what_says_nothing_of_the_tree(tmp_path: Path, message: str) -> None:
    found = matches(tmp_path, message, [bash("git status -s", " M a.go")])
    assert not [one for one in found if one.marker.claim == "tree_clean"]


def test_the_line_that_git_printed_is_named(tmp_path: Path) -> None:
    found = matches(tmp_path, CLEAN, [bash("git status -sb", "## main\n M app/cart.rb")])
    verdict = next(one.verdict for one in found if one.marker.claim == "tree_clean")
    assert verdict
    assert verdict.line.strip() == "M app/cart.rb"
    assert verdict.line in verdict.why
