"""What a message says that the turn did not do, against the calls of the turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, call, edit, matches, reading, task, write
from tests.support.transcripts import Session

COMMIT = bash("git commit -am 'Sort the cart'", "[main 1a2b3c4] Sort the cart")
PUSH = bash("git push origin main", "   1a2b3c4..5d6e7f8  main -> main")
LOOK = reading("README.md", "# Shop")


def scratch(session: Session) -> None:
    session.create("/tmp/probe.sh", "helm lint")


#: message, verdict, what the turn did
ROWS: list[tuple[str, str, list[Act]]] = [
    # other files
    ("Edited `shop/cart.py`. No other files touched.", "supported", [edit("shop/cart.py")]),
    ("Changed `cart.go` and `cart_test.go`; nothing else was edited.", "supported", [
        edit("shop/cart.go"), edit("shop/cart_test.go"),
    ]),
    ("I only read the crate and touched nothing else.", "supported", [LOOK]),
    ("I corrected `values.yaml`. No other files were changed.", "supported", [
        edit("chart/values.yaml"), scratch,
    ]),
    ("Fixed `src/cart.ts`. No other files were touched.", "unsupported", [
        edit("src/cart.ts"), edit("src/login.ts"),
    ]),
    ("Fixed `Cart.php` and edited nothing else.", "unsupported", [
        edit("src/Cart.php"), write("config/queue.php", "<?php"),
    ]),
    ("Fixed `cart.rs` and its tests. No other files were touched.", "not_checkable", [
        edit("src/cart.rs"), edit("src/menu_tests.rs"),
    ]),
    ("I sorted the cart in Elixir and touched nothing else.", "not_checkable", [
        edit("lib/cart.ex"), edit("lib/menu.ex"),
    ]),
    ("Fixed `cart.rb`. No other files were touched.", "not_checkable", [
        edit("app/cart.rb"), bash("npm install", "added 12 packages in 2s"),
    ]),
    ("Fixed `cart.rb`. No other files were touched.", "not_checkable", [
        edit("app/cart.rb"), task("I sorted the cart."),
    ]),
    ("Fixed `cart.kt`. No other files were touched.", "not_checkable", [
        edit("app/cart.kt"), call("mcp__ide__rename", "renamed"),
    ]),
    ("Fixed `cart.kt`. No other files were touched.", "not_checkable", [
        edit("app/cart.kt"), bash("git cherry-pick 1a2b3c4", "[dev 9f8e7d6] Mend tax"),
    ]),
    ("Fixed `cart.kt`. No other files were touched.", "supported", [
        edit("app/cart.kt"), bash("git checkout dev", "Switched to branch 'dev'"),
    ]),
    # commits and pushes
    ("No commits were made in the Gradle project.", "supported", [edit("build.gradle")]),
    ("Nothing was pushed.", "supported", [edit("mix.exs"), COMMIT]),
    ("Nothing was committed.", "unsupported", [edit("Cargo.toml"), COMMIT]),
    ("I made no commits and pushed nothing.", "unsupported", [edit("go.mod"), COMMIT]),
    ("Nothing has been pushed.", "unsupported", [COMMIT, PUSH]),
    ("Nothing was pushed.", "supported", [bash("git push --dry-run", "To origin")]),
    ("Nothing was committed.", "supported", [
        bash("git commit -m x", "nothing to commit, working tree clean", 1),
    ]),
    ("Nothing was committed.", "not_checkable", [
        bash("cd $(mktemp -d) && git init", "Initialized empty Git repository"), COMMIT,
    ]),
    ("No pushes.", "not_checkable", [edit("pom.xml"), task("I pushed it.")]),
    # agents
    ("No agents were started.", "supported", [edit("app/cart.rb"), LOOK]),
    ("No agents were started.", "unsupported", [task("I looked at the cart.")]),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_the_turn_did_not_do(tmp_path: Path, row: tuple[str, str, list[Act]]) -> None:
    message, status, acts = row
    found = [one for one in matches(tmp_path, message, acts) if one.marker.claim == "own_acts"]
    assert found, "no claim"
    assert found[0].verdict
    assert found[0].verdict.status == status, found[0].verdict.why
