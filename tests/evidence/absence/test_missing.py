"""What an output itself calls missing, and "N of N" that a run printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, edit, matches, reading, recorded, write

NPM = bash("npm install", recorded("npm", "install_passed"))
PIP = bash("pip install -r requirements.txt", "Successfully installed left-1.0 right-2.0")
BUNDLE = bash("bundle install", "Bundle complete! 3 Gemfile dependencies, 9 gems now installed.")
COMMIT = bash("git commit -qm 'Sort'", "")
READ = reading("shop/cart.py", "def total(): ...")
PY, GO, RUST = edit("shop/cart.py"), edit("shop/cart.go"), edit("cart.rs")

#: name, message, verdict, what the turn did
ROWS: list[tuple[str, str, str, list[Act]]] = [
    ("npm", "It added 12 packages that were missing from the folder.", "not_checkable", [NPM]),
    ("pip", "Two wheels were missing from the environment.", "not_checkable", [PIP]),
    ("bundler", "It fetched three gems that were missing from the cache.", "not_checkable", [
        BUNDLE,
    ]),
    ("git", "The file was left out of the commit.", "not_checkable", [COMMIT]),
    ("a compiler", "The crate `serde_json` was missing from the manifest.", "supported", [
        bash("cargo build", "error[E0432]: unresolved import `serde_json`", 101),
    ]),
    ("a server", "The picture hero.jpeg was missing from the public folder.", "supported", [
        bash("curl -sI http://localhost:3000/hero.jpeg", "HTTP/1.1 404 Not Found hero.jpeg"),
    ]),
    ("a loader", "The file `shop.toml` was missing from the image.", "supported", [
        bash("./shop", "open /etc/shop.toml: no such file or directory", 1),
    ]),
    # the turn put it there
    ("written", "The file `shop.toml` was missing from the image.", "not_checkable", [
        write("etc/shop.toml", "port = 1"),
    ]),
    ("copied", "The picture hero.jpeg was missing from the folder.", "not_checkable", [
        bash("cp art/hero-2.jpeg public/hero.jpeg", ""),
    ]),
    ("committed", "The migration 004_add.sql was missing from the folder.", "not_checkable", [
        bash("make pull", "Fast-forward\n create mode 100644 db/004_add.sql"),
    ]),
    # nothing tells it
    ("another was written", "The file `shop.toml` was missing from the image.", "not_checkable", [
        write("etc/cart.toml", "port = 1"), READ,
    ]),
    ("only read", "The `retries` key is missing from the chart.", "not_checkable", [READ]),
    ("another thing", "The key `total` is missing from the config.", "not_checkable", [
        bash("./shop", "open /etc/shop.toml: no such file or directory", 1),
    ]),
    ("installed, another thing", "The header is missing from the page.", "not_checkable", [NPM]),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_a_tool_calls_missing(tmp_path: Path, row: tuple[str, str, str, list[Act]]) -> None:
    _, message, status, acts = row
    found = [
        one.verdict.status
        for one in matches(tmp_path, message, acts)
        if one.verdict and one.marker.claim == "absence"
    ]
    assert found == [status]


SCORE = bash("python eval.py 2>&1 | tee eval.log", "case 19 ok\n20/20 correct")


@pytest.mark.parametrize(
    ("message", "status", "acts"),
    [
        ("All 20 cases pass.", "supported", [PY, SCORE]),
        ("All 20 scenarios are covered, and they pass.", "supported", [GO, SCORE]),
        ("All 21 cases pass.", "unsupported", [PY, SCORE]),
        ("All 20 cases pass.", "unsupported", [SCORE, RUST]),
        ("All 20 cases pass.", "unsupported", [GO, bash("./eval", "18/20 correct")]),
        ("We support all 20 scenarios.", "unsupported", [PY, SCORE]),
    ],
)
def test_all_of_a_number(tmp_path: Path, message: str, status: str, acts: list[Act]) -> None:
    found = [
        one.verdict.status
        for one in matches(tmp_path, message, acts)
        if one.verdict and one.marker.claim == "coverage"
    ]
    assert found
    assert found[0] == status
