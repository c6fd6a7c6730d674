"""Claims that only a look of a certain sort carries, against the looks of their turn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.evidence.runs.shell import Command, read_commands
from groundwire.model import CONTRADICTED, NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED
from tests.evidence.turns import Act, bash, edit, grep, matches, reading, task, write

Row = tuple[str, list[Act], str]
MARKERS = {
    "only_uses": "absence.only-used-by",
    "no_conflict": "absence.no-conflict",
    "no_merge_conflict": "absence.no-merge-conflict",
    "all_up": "completeness.everything.running",
    "copied": "behavior.results.same-bytes",
    "read_all": "completeness.scope.read-all",
    "none_of": "absence.none-of",
    "compared": "behavior.results.compared",
    "types": "behavior.types.pass",
    "lint": "behavior.lint.clean",
    "tests": "behavior.tests.pass",
    "so_both": "behavior.works.so-both",
}


def status_of(folder: Path, sort: str, message: str, acts: list[Act]) -> str:
    """Return the status of the match of the marker for ``sort``; "" when there is none."""
    found = [one for one in matches(folder, message, acts) if one.marker.id == MARKERS[sort]]
    return found[0].verdict.status if found and found[0].verdict else ""


ONLY_USES: list[Row] = [
    (
        "`PriceBand` is only read by `BandImporter`.",
        [reading("src/Band.kt", "class BandImporter"), grep("Cart", "src/Cart.kt")],
        UNSUPPORTED,
    ),
    ("`legacy_total` is only used in the exporter.", [edit("lib/cart.rb")], UNSUPPORTED),
    ("The `--fast` flag is never passed to the worker.", [reading("main.go", "x")], UNSUPPORTED),
    ("The macro `vec_of` is only called from one crate.", [bash("ls", "a")], UNSUPPORTED),
    (
        "`PriceBand` is only read by `BandImporter`.",
        [grep("PriceBand", "src/BandImporter.kt")],
        SUPPORTED,
    ),
    (
        "`legacy_total` is only used in the exporter.",
        [bash("cd app && rg -n legacy_total | head -3", "lib/export.rb:3: legacy_total")],
        SUPPORTED,
    ),
    (
        "The old host only appeared in `values.yaml`.",
        [bash("grep -rn 'old.example' . --include=*.yaml", "values.yaml:3: old.example")],
        QUALIFIED,
    ),
    (
        "`CartBadge` is only imported in one view.",
        [write("src/CartBadge.tsx", "export const CartBadge = 1")],
        NOT_CHECKABLE,
    ),
    (
        "The variable `total_sum` is only used in the loop.",
        [reading("cart.rb", "total_sum = 0")],
        QUALIFIED,
    ),
    ("`OldRepo` is only used by the importer.", [task("I looked.")], NOT_CHECKABLE),
]
NO_CONFLICT: list[Row] = [
    (
        "No conflicts with your branch right now.",
        [bash("git fetch origin", "   1a8c..014c  dev -> origin/dev")],
        UNSUPPORTED,
    ),
    ("The Helm change merges cleanly into main.", [edit("chart/values.yaml")], UNSUPPORTED),
    (
        "No conflicts with your branch right now.",
        [bash("git merge --no-commit origin/dev", "Automatic merge went well")],
        SUPPORTED,
    ),
    (
        "The Rust branch rebases cleanly, so merge it when you like.",
        [bash("git fetch && git rebase origin/main", "Successfully rebased")],
        SUPPORTED,
    ),
    (
        "No conflicts with the pull request of the Elixir team.",
        [bash("gh pr view 7 --json mergeable", '{"mergeable":"MERGEABLE"}')],
        SUPPORTED,
    ),
    (
        "No conflicts with main.",
        [bash("git merge-tree main HEAD", "CONFLICT (content): a.rb", 1)],
        CONTRADICTED,
    ),
    (
        "No conflicts with main so far.",
        [bash("git diff --name-only main...HEAD", "lib/a.rb")],
        QUALIFIED,
    ),
    ("No conflicts with main so far.", [task("I looked.")], NOT_CHECKABLE),
]
ANCESTOR = "git merge-base --is-ancestor main origin/main"
NO_MERGE_CONFLICT: list[Row] = [
    (
        "A plain fast-forward of the Go branch, no merge conflicts.",
        [
            bash(
                "git checkout dev", "Your branch is behind by 4 commits, and can be fast-forwarded."
            )
        ],
        SUPPORTED,
    ),
    (
        "The Rust branch is only behind, so there are no merge conflicts.",
        [bash("git rev-list --left-right --count dev...origin/dev", "0\t12")],
        SUPPORTED,
    ),
    (
        "The crate branches have no merge conflicts.",
        [bash("git rev-list --left-right --count dev...origin/dev", "3\t12")],
        UNSUPPORTED,
    ),
    ("There are no merge conflicts in the Rails app.", [bash(ANCESTOR, "")], SUPPORTED),
    ("There are no merge conflicts in the Rails app.", [bash(ANCESTOR, "", 1)], QUALIFIED),
    (
        "The Helm chart has no merge conflicts.",
        [bash("git merge dev", "Updating 1a2..3b4\nFast-forward\n values.yaml | 2 +-")],
        SUPPORTED,
    ),
    (
        "The Swift package has no merge conflicts.",
        [bash("git merge dev", "CONFLICT (content): Merge conflict in Package.swift", 1)],
        CONTRADICTED,
    ),
    (
        "The Django branch has no merge conflicts.",
        [
            bash("git diff main...dev --stat", " shop/urls.py | 2 +-"),
            bash("git merge dev", "Permission for this action was denied by the classifier.", 1),
        ],
        QUALIFIED,
    ),
    ("The Elixir branch has no merge conflicts.", [edit("lib/cart.ex")], UNSUPPORTED),
]
PS = "NAME  STATUS\nshop  Up 2 hours\ncart  Up 2 hours"
ALL_UP: list[Row] = [
    (
        "Everything from Monday is still running:\n- site\n- importer",
        [bash("tail -2 importer.log", "pushed")],
        UNSUPPORTED,
    ),
    ("All services are up again.", [edit("compose.yaml")], UNSUPPORTED),
    ("All containers are running.", [bash("docker compose ps", PS)], SUPPORTED),
    (
        "All pods are up again.",
        [bash("kubectl get pods", "shop-1 1/1 Running\ncart-1 0/1 CrashLoopBackOff")],
        UNSUPPORTED,
    ),
    (
        "Everything is still running.",
        [bash("curl -s localhost:80/up", "ok"), bash("pgrep -fa worker", "7 worker")],
        QUALIFIED,
    ),
    ("Everything is up and running.", [bash("curl -s localhost:80/up", "ok")], QUALIFIED),
    ("All containers are running.", [bash("docker compose up -d", "Started")], QUALIFIED),
    ("Everything is still running.", [task("I looked.")], NOT_CHECKABLE),
]
COPIED: list[Row] = [
    (
        "I rebuilt the fixture as a byte-identical copy of the lost one.",
        [bash("mkdir f && printf x > f/a.go", "")],
        UNSUPPORTED,
    ),
    ("The new chart is an exact copy of the old.", [write("chart/a.yaml", "a: 1")], UNSUPPORTED),
    (
        "The new chart is an exact copy of the old.",
        [bash("cmp chart/a.yaml old/a.yaml", "")],
        SUPPORTED,
    ),
    (
        "The firmware is bit-identical to the last release.",
        [bash("sha256sum a.bin b.bin", "aa  a.bin\naa  b.bin\nboth are identical")],
        SUPPORTED,
    ),
    (
        "The page is byte-identical to the old one.",
        [bash("cmp a.html b.html", "a.html b.html differ: byte 4", 1)],
        QUALIFIED,
    ),
    ("The Ruby file is an exact copy.", [bash("cp a.rb lib/a.rb", "")], QUALIFIED),
    ("The Zig file is an exact copy.", [bash("git diff --stat", " a.zig | 4")], UNSUPPORTED),
    (
        "The two Helm values are an exact copy of each other.",
        [reading("a/values.yaml", "x: 1"), reading("b/values.yaml", "x: 1")],
        QUALIFIED,
    ),
    ("Verified that it is byte-identical.", [edit("a.ex")], QUALIFIED),
    ("The Kotlin file is an exact copy.", [task("I looked.")], NOT_CHECKABLE),
]


def unread(path: str) -> Act:
    return lambda session: session.call(
        "Read", {"file_path": f"{session.cwd}/{path}"}, "File does not exist.", error=True
    )


READ_ALL: list[Row] = [
    (
        "I have all three charts and their files.",
        [unread("a/values.yaml"), unread("b/values.yaml"), reading("c/values.yaml", "x: 1")],
        UNSUPPORTED,
    ),
    (
        "Based on my review of every changed Swift file, it is safe.",
        [unread("A.swift")],
        UNSUPPORTED,
    ),
    ("I've read both Terraform modules.", [reading("a/main.tf", "x")], UNSUPPORTED),
    (
        "I've read both Terraform modules.",
        [reading("a/main.tf", "x"), bash("cat b/main.tf", "y")],
        SUPPORTED,
    ),
    # read again under its right name
    (
        "I've read both Go files.",
        [unread("x/a.go"), reading("y/a.go", "x"), reading("y/b.go", "y")],
        SUPPORTED,
    ),
    ("I've now read all four crates and their sources.", [bash("git diff main", "+a")], QUALIFIED),
    ("I've read both Ruby files.", [task("I read them.")], QUALIFIED),
]
NONE_OF: list[Row] = [
    (
        "None of the files hold keys.",
        [bash("for f in *; do head -c 800 $f; done", "a")],
        UNSUPPORTED,
    ),
    (
        "None of the commits in this repository are signed.",
        [bash("git log --format=%h -3", "a1\nb2\nc3")],
        UNSUPPORTED,
    ),
    # fewer than asked for: that is all there is
    (
        "None of the commits in this repository are signed.",
        [bash("git log --format=%h -30", "a1\nb2\nc3")],
        NOT_CHECKABLE,
    ),
    (
        "None of the tests fail.",
        [bash("pytest | head -3", "=== 9 passed in 0.1s ===\na\nb")],
        NOT_CHECKABLE,
    ),
    (
        "None of the files hold keys.",
        [reading("a.ex", "x"), bash("head -1 b.ex", "y")],
        NOT_CHECKABLE,
    ),
    ("None of the files hold keys.", [bash("grep -rn KEY . | head -5", "a.rs:1: KEY")], QUALIFIED),
]
COMPARED: list[Row] = [
    (
        "They were already merged: I verified that their diffs matched.",
        [bash("git show --stat a1b2 | head -5", "a.go | 4")],
        UNSUPPORTED,
    ),
    ("I compared both Terraform plans.", [reading("a.tfplan", "x")], UNSUPPORTED),
    ("I compared both Terraform plans.", [bash("diff a.plan b.plan", "")], SUPPORTED),
    (
        "The two Zig dumps are identical, I diffed them.",
        [bash("cmp a.dump b.dump && echo ok && head -4 a.dump", "ok\n" + "x" * 90)],
        SUPPORTED,
    ),
    ("I diffed the two Ruby dumps.", [bash("git diff main feature -- a.rb", "+a")], SUPPORTED),
]
TYPES = "Type checks pass on both sides."
PARTS: list[tuple[str, str, list[Act], str]] = [
    ("types", TYPES, [edit("a.ts"), bash("cd web && npx tsc --noEmit", "")], UNSUPPORTED),
    (
        "types",
        TYPES,
        [edit("a.ts"), bash("cd web && npx tsc --noEmit", ""), bash("cd api && mypy .", "Success")],
        SUPPORTED,
    ),
    ("types", TYPES, [edit("a.ts"), bash("npx tsc --noEmit", "")], SUPPORTED),
    (
        "types",
        "Type checks pass.",
        [edit("a.ts"), bash("cd web && npx tsc --noEmit", "")],
        SUPPORTED,
    ),
    (
        "tests",
        "The tests pass in both crates.",
        [
            edit("core/src/lib.rs"),
            edit("cli/src/main.rs"),
            bash("cd core && cargo test", "test result: ok. 3 passed; 0 failed"),
        ],
        UNSUPPORTED,
    ),
    # the packages may be those of the folder
    (
        "types",
        "Type checks pass in all packages.",
        [edit("mono/a/x.ts"), bash("cd mono && npx tsc --noEmit", "")],
        SUPPORTED,
    ),
    (
        "tests",
        "The tests pass in all services.",
        [edit("a/b.go"), bash("go test ./...", "ok  \tshop/a\t0.1s\nok  \tshop/b\t0.1s")],
        SUPPORTED,
    ),
]
SO_BOTH: list[Row] = [
    ("The shim forwards, so both Gradle tasks work.", [edit("build.gradle.kts")], UNSUPPORTED),
    ("The alias stays, so the old Mix task keeps working.", [edit("lib/task.ex")], UNSUPPORTED),
    (
        "The crate re-exports it, so existing imports still work.",
        [edit("src/lib.rs"), bash("cargo test", "test result: ok. 3 passed; 0 failed")],
        SUPPORTED,
    ),
]
ROWS = [
    (sort, *row)
    for sort, rows in (
        ("only_uses", ONLY_USES),
        ("no_conflict", NO_CONFLICT),
        ("no_merge_conflict", NO_MERGE_CONFLICT),
        ("all_up", ALL_UP),
        ("copied", COPIED),
        ("read_all", READ_ALL),
        ("none_of", NONE_OF),
        ("so_both", SO_BOTH),
        ("compared", COMPARED),
    )
    for row in rows
] + PARTS


@pytest.mark.parametrize(("sort", "message", "acts", "status"), ROWS)
def test_the_look_that_carries_it(
    tmp_path: Path, sort: str, message: str, acts: list[Act], status: str
) -> None:
    assert status_of(tmp_path, sort, message, acts) == status


def test_a_shell_text_is_read_once_for_all_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(text: str) -> Sequence[Command]:
        read.append(text)
        return read_commands(text)

    monkeypatch.setattr("groundwire.evidence.turn.looks.read_commands", counted)
    acts = [bash(f"cat ledger_{n}.ex", "defmodule") for n in range(20)]
    found = matches(tmp_path, "The two Zig dumps are byte-identical. " * 30, acts)
    assert len(found) >= 30
    assert 0 < len(read) == len(set(read)) <= len(acts)
