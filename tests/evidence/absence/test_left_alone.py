"""Claims that something was left alone, and sentences that repeat what was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, call, edit, matches, reading, task, write

PY, JS, GO, RUST = edit("shop/cart.py"), edit("src/cart.ts"), edit("shop/cart.go"), edit("cart.rs")
PHP = edit("src/Cart.php")
LOOK = bash("git log --oneline -1", "ab12cd3 Sort the cart")
NEWS = "## 3.1\n\nA faster parser. No breaking changes.\n"

#: name, message, verdict, what the turn did
ROWS: list[tuple[str, str, str, list[Act]]] = [
    # nothing was edited
    ("nothing, read only", "Nothing in the project has changed.", "supported", [LOOK]),
    ("nothing, python", "Nothing in the repo was touched: I only read.", "supported", [
        reading("shop/cart.py", "def total(): ..."),
    ]),
    ("nothing, installed", "Nothing in the project has changed.", "not_checkable", [
        bash("npm install", "added 12 packages in 2s"),
    ]),
    ("nothing, by another agent", "Nothing in the project has changed.", "not_checkable", [
        task("I looked at the cart."),
    ]),
    ("nothing, but edited", "Nothing in the project has changed.", "unsupported", [GO]),
    # something else was edited
    ("another module", "Billing and invoices are untouched.", "supported", [PY]),
    ("another file", "`src/menu.ts` is untouched.", "supported", [JS]),
    ("the same file", "`src/cart.ts` is untouched.", "unsupported", [JS]),
    ("a name like it", "The cart view is untouched.", "not_checkable", [edit("src/CartList.vue")]),
    ("whole, of it", "The menu is untouched: it needs a whole list.", "supported", [GO]),
    ("all of them", "All modules are untouched.", "not_checkable", [RUST]),
    ("how it fares", "The output is untouched.", "not_checkable", [PHP]),
    ("no word of it", "Existing users are unaffected.", "not_checkable", [PHP]),
    # words of what was read
    ("release notes", "No breaking changes.", "supported", [reading("NEWS.md", NEWS)]),
    ("fetched", "No breaking changes.", "supported", [call("WebFetch", NEWS)]),
    ("printed", "No breaking changes.", "supported", [bash("npm view left changelog", NEWS)]),
    ("in a longer sentence", "No breaking changes.", "unsupported", [
        PY, reading("NEWS.md", "There may be no breaking changes here if all goes well"),
    ]),
    ("its own words", "No breaking changes.", "unsupported", [
        write("NEWS.md", NEWS), reading("NEWS.md", NEWS),
    ]),
    ("its own echo", "No breaking changes.", "unsupported", [
        RUST, bash("echo 'No breaking changes.'", "No breaking changes."),
    ]),
    # what code does, when it was only read
    ("read", "Existing functionality is preserved.", "qualified", [
        reading("shop/cart.py", "def total(): ..."),
    ]),
    ("edited", "Existing functionality is preserved.", "unsupported", [PY]),
    ("foretold", "This change will not break existing callers.", "unsupported", [
        reading("shop/cart.py", "def total(): ..."),
    ]),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_was_left_alone(tmp_path: Path, row: tuple[str, str, str, list[Act]]) -> None:
    _, message, status, acts = row
    found = [
        one
        for one in matches(tmp_path, message, acts)
        if one.verdict and one.marker.claim in ("absence", "no_other", "safety", "guarantee")
    ]
    assert found, "no claim"
    worst = max(found, key=lambda one: one.confidence)
    assert worst.verdict
    assert worst.verdict.status == status
