"""That a branch has nothing unpushed, against the commands that looked at that branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import Act, bash, call, edit, matches, task

BRANCH = "## main...origin/main"
COUNT = "git rev-list --count origin/main..main"

#: message, verdict, what the turn did
ROWS: list[tuple[str, str, list[Act]]] = [
    # the branch was shown
    ("`main` is in sync with origin.", SUPPORTED, [bash("git status -sb", BRANCH)]),
    ("`dev` has nothing unpushed.", SUPPORTED, [
        bash("git push origin dev", "To github.com:shop/api.git\n   1a2b3c4..5d6e7f8  dev -> dev"),
    ]),
    ("`cart` has no commits ahead of `origin/cart`.", SUPPORTED, [
        bash("git status", "On branch cart\nYour branch is up to date with 'origin/cart'."),
    ]),
    ("Nothing unpushed in the crate.", SUPPORTED, [
        bash("git status", "On branch main\nYour branch is up to date with 'origin/main'."),
    ]),
    # it was compared
    ("`main` has no unpushed commits.", NOT_CHECKABLE, [bash(COUNT, "0")]),
    ("`cart` is in sync with origin.", NOT_CHECKABLE, [
        bash("git rev-parse cart origin/cart", "1a2b3c4\n1a2b3c4"),
    ]),
    ("`cart` is in sync with origin.", NOT_CHECKABLE, [
        bash("git branch -vv", "* main 1a2b3c4 Sort the cart"),
    ]),
    # another branch was
    ("`menu` has no local commits ahead of `origin/menu`.", UNSUPPORTED, [bash(COUNT, "0")]),
    ("`menu` has nothing unpushed.", UNSUPPORTED, [
        bash("git status -sb", "## main...origin/main"), bash("go test ./...", "ok  shop 0.1s"),
    ]),
    ("`menu` is in sync with upstream.", UNSUPPORTED, [edit("lib/cart.ex")]),
    ("`release` has no unpushed commits.", UNSUPPORTED, [bash("git branch -a", "  release")]),
    ("`menu` has nothing unpushed.", NOT_CHECKABLE, [
        bash("for b in $(git branch); do git rev-list --count origin/$b..$b; done", "0"),
    ]),
    ("`menu` has nothing unpushed.", NOT_CHECKABLE, [task("I pushed it."), bash(COUNT, "0")]),
    ("`menu` has nothing unpushed.", NOT_CHECKABLE, [call("mcp__git__log", "none")]),
    # no branch is named
    ("There is nothing unpushed in the Helm repo.", QUALIFIED, [edit("chart/values.yaml")]),
]  # fmt: skip
QUIET = [
    "If `main` is in sync with origin, tag the gem.",
    "A cron job keeps `main` in sync with upstream.",
    "`dev` is not in sync with origin.",
    "The Gradle mirror should be in sync with upstream.",
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_whether_the_branch_is_in_sync(tmp_path: Path, row: tuple[str, str, list[Act]]) -> None:
    message, status, acts = row
    found = [one for one in matches(tmp_path, message, acts) if one.marker.claim == "in_sync"]
    assert found, "no claim"
    assert found[0].verdict
    assert found[0].verdict.status == status, found[0].verdict.why


@pytest.mark.parametrize("message", QUIET)
def test_what_says_nothing_of_the_branch(tmp_path: Path, message: str) -> None:
    found = matches(tmp_path, message, [edit("lib/cart.ex")])
    assert not [one for one in found if one.marker.claim == "in_sync"]
