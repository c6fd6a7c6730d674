"""How a report names the files that were edited after a run."""

from __future__ import annotations

import pytest

from groundwire.evidence.pointing import edited_files

ROWS: list[tuple[tuple[str, ...], str]] = [
    (("src/cart.py",), "cart.py was edited"),
    (("cart.mjs", "/home/dev/shop/cart.mjs"), "cart.mjs was edited"),
    (
        ("src/Cart.java", "/home/dev/shop/src/Cart.java", "pom.xml"),
        "Cart.java, pom.xml were edited",
    ),
    (("a/mod.rs", "b/mod.rs"), "a/mod.rs, b/mod.rs were edited"),
    (("/w/api/index.ts", "/w/web/index.ts"), "api/index.ts, web/index.ts were edited"),
    (("a.go", "b.go", "c.go", "d.go"), "a.go, b.go and 2 more were edited"),
    (("git checkout",), "git checkout changed files"),
]


@pytest.mark.parametrize(("paths", "wanted"), ROWS, ids=[wanted for _, wanted in ROWS])
def test_each_file_is_named_once(paths: tuple[str, ...], wanted: str) -> None:
    assert edited_files(paths) == wanted
