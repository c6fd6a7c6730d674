"""Code validation from the ledger of a turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.confidence.composite.evidence import code_evidence
from tests.evidence.turns import Act, bash, edit, grep, reading, timeline, write

SOURCE = edit("src/pool.py")
PYTEST = bash("pytest -q", "8 passed in 0.41s")
BROKEN = bash("pytest -q", "1 failed, 7 passed in 0.41s", 1)
RUFF = bash("ruff check .", "All checks passed!")
MYPY = bash("mypy src", "Success: no issues found in 12 source files")
CARGO = bash(
    "cargo build",
    "   Compiling shop v0.1.0 (/home/dev/shop)\n"
    "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.42s",
)
#: Acts of a turn, and the flags in the order exists, syntax, types, tests exist, tests pass.
TURNS: list[tuple[str, list[Act], str]] = [
    ("nothing", [], "none"),
    ("only looked", [reading("src/pool.py", "x = 1"), grep("x", "src/pool.py")], "none"),
    ("edited", [SOURCE], "e"),
    ("a document", [edit("README.md")], "none"),
    ("linted", [SOURCE, RUFF], "es"),
    ("type-checked", [SOURCE, MYPY], "est"),
    ("a compiler checks types", [edit("src/main.rs"), CARGO], "est"),
    ("tested", [SOURCE, PYTEST], "esTP"),
    ("all", [SOURCE, RUFF, MYPY, PYTEST], "estTP"),
    ("tests written, not run", [write("tests/test_pool.py", "def test(): ...")], "eT"),
    ("read and tested", [reading("src/pool.py", "x = 1"), PYTEST], "esTP"),
    ("edited after the tests", [SOURCE, PYTEST, SOURCE], "eT"),
    ("failed", [SOURCE, BROKEN], "eT"),
    ("failed, then passed", [SOURCE, BROKEN, SOURCE, PYTEST], "esTP"),
    ("another run failed", [SOURCE, PYTEST, bash("npm test", "1 failing", 1)], "esT"),
    ("hidden outcome", [SOURCE, bash("pytest -q | tail -0", "")], "e"),
]


@pytest.mark.parametrize(("acts", "flags"), [row[1:] for row in TURNS], ids=[r[0] for r in TURNS])
def test_flags(tmp_path: Path, acts: list[Act], flags: str) -> None:
    found = code_evidence(timeline(tmp_path, acts))
    letters = "none"
    if found:
        values = (getattr(found, name) for name in type(found)._fields)
        letters = "".join(letter for letter, is_on in zip("estTP", values, strict=True) if is_on)
    assert letters == flags


def test_the_score_and_its_words(tmp_path: Path) -> None:
    found = code_evidence(timeline(tmp_path, [SOURCE, RUFF]))
    assert found
    assert found.score == 0.5
    assert found.why() == (
        "shown: code exists, syntax valid; not shown: types valid, tests exist, tests pass"
    )
