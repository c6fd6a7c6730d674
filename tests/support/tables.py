"""Rows of tests that stand in a TOML file beside their module: ``test_x.py`` has ``x.toml``."""

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., None])


@cache
def tables(module: str) -> dict[str, Any]:
    """Return the tables beside a module of tests, by their names."""
    path = Path(module)
    beside = path.with_name(f"{path.stem.removeprefix('test_')}.toml")
    return tomllib.loads(beside.read_text(encoding="utf-8"))


def table(test: Test) -> Test:
    """Run a test for each row of the table that has its name.

    The values of a row fill the first parameters of the test, and a value that is missing at its
    end is None; parameters behind them are fixtures. Rows with names are a table of arrays.
    """
    found = tables(test.__code__.co_filename)[test.__name__.removeprefix("test_")]
    named = found if isinstance(found, dict) else dict(enumerate(found))
    rows = [row if isinstance(row, list) else [row] for row in named.values()]
    width = max(map(len, rows))
    names = test.__code__.co_varnames[:width]
    filled = [(*row, *[None] * (width - len(row))) for row in rows]
    ids = list(found) if isinstance(found, dict) else None
    marked: Test = pytest.mark.parametrize(names, filled, ids=ids)(test)
    return marked
