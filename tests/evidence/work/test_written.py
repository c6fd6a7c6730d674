"""Claims about what stands in the files, against edits and looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, edit, grep, matches, reading, recorded

PY, JS, GO, RUST = edit("shop/cart.py"), edit("src/cart.ts"), edit("shop/cart.go"), edit("cart.rs")
RUBY, PHP, CSHARP = edit("app/cart.rb"), edit("src/Cart.php"), edit("Shop/Cart.cs")
PYTEST_BAD = bash("pytest -q", recorded("pytest", "failed"), 1)
JEST_OK = bash("npx jest", recorded("jest", "passed"))

#: name, message, claim, verdict, what the turn did
ROWS: list[tuple[str, str, str, str, list[Act]]] = [
    # reports of edits
    ("a path, python", "I've fixed the import path in both files.", "fixed", "qualified", [PY]),
    (
        "a path, over failing tests",
        "I've fixed the import path in both files.",
        "fixed",
        "qualified",
        [PY, PYTEST_BAD],
    ),
    ("a name, go", "I've fixed the parameter name of the helper.", "fixed", "qualified", [GO]),
    ("a typo, ruby", "I've fixed the typo in the header.", "fixed", "qualified", [RUBY]),
    ("links, rust", "I've fixed both links in the docs.", "fixed", "qualified", [RUST]),
    ("a version, c#", "I've fixed the version of the package.", "fixed", "qualified", [CSHARP]),
    ("tested, javascript", "I've fixed the import path.", "fixed", "supported", [JS, JEST_OK]),
    # more than an edit
    ("a bug, python", "I've fixed the bug in the cart.", "fixed", "unsupported", [PY]),
    ("a crash, go", "I've fixed the crash of the helper.", "fixed", "unsupported", [GO]),
    (
        "a path, with its outcome",
        "I've fixed the import path and it works now.",
        "fixed",
        "unsupported",
        [PHP],
    ),
    ("failing", "I've fixed the bug in the cart.", "fixed", "unsupported", [PY, PYTEST_BAD]),
    (
        "a path somewhere else",
        "I've fixed the crash that the users of our shop saw on that path.",
        "fixed",
        "unsupported",
        [RUST],
    ),
    # what a look shows, and what it does not
    (
        "searched, python",
        "Verified: the helper exists but is never called.",
        "verified",
        "supported",
        [PY, grep("total", "shop/cart.py")],
    ),
    (
        "read, javascript",
        "Verified that no file imports the old module.",
        "verified",
        "supported",
        [JS, reading("src/cart.ts", "import x from 'y'")],
    ),
    (
        "printed, go",
        "Verified that both packages are listed as dependencies.",
        "verified",
        "supported",
        [GO, bash("cat go.mod", "require example.com/a v1.0.0")],
    ),
    (
        "how it fares, rust",
        "Verified the fix for the totals.",
        "verified",
        "qualified",
        [RUST, reading("cart.rs", "fn total()")],
    ),
    (
        "what tests do, php",
        "Verified that the tests import the fixture.",
        "verified",
        "qualified",
        [PHP, reading("src/Cart.php", "class Cart")],
    ),
    (
        "moved only, c#",
        "Verified that the file exists.",
        "verified",
        "unsupported",
        [CSHARP, bash("mkdir -p out", "")],
    ),
    ("before the edit, ruby", "Verified that it exists.", "verified", "unsupported", [RUBY]),
]


@pytest.mark.parametrize(
    ("message", "claim", "wanted", "acts"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_verdict(tmp_path: Path, message: str, claim: str, wanted: str, acts: list[Act]) -> None:
    found = [match for match in matches(tmp_path, message, acts) if match.marker.claim == claim]
    verdict = found[0].verdict
    assert verdict
    assert verdict.status == wanted, verdict.why
