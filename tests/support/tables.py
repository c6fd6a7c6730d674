"""Rows of tests that stand in a TOML file beside their module: ``test_x.py`` has ``x.toml``."""

import tomllib
from collections.abc import Callable
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

import pytest

from groundwire.base.errors import GroundwireError

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
    found = _filled(tables(test.__code__.co_filename)[test.__name__.removeprefix("test_")])
    names = test.__code__.co_varnames[: len(found[0][1])]
    keys, filled = zip(*found, strict=True)
    marked: Test = pytest.mark.parametrize(names, filled, ids=keys)(test)
    return marked


def rows(
    module: str, error: type[Exception] = GroundwireError, **functions: Callable[..., Any]
) -> Callable[..., None]:
    """Return a test that calls the function of a table with each of its rows.

    A row begins with the arguments, where ``<none>`` stands for None. What stands behind them is
    what the function returns, one value or several (where no row has any: true), or as
    ``{refused = "words"}`` what the error says. Names that it takes behind ``*`` are fixtures.
    """
    params = [
        pytest.param(function, row, id=f"{name}-{key}")
        for name, function in functions.items()
        for key, row in _filled(tables(module)[name])
    ]

    @pytest.mark.parametrize(("function", "row"), params)
    def test(function: Callable[..., Any], row: list[Any], request: pytest.FixtureRequest) -> None:
        taken = [one for one in signature(function).parameters.values() if one.default is one.empty]
        names = [one.name for one in taken if one.kind is one.KEYWORD_ONLY]
        fixtures = {name: request.getfixturevalue(name) for name in names}
        count = len(taken) - len(names)
        said = [one["refused"] for one in row if isinstance(one, dict) and "refused" in one]
        if said:
            with pytest.raises(error, match=said[0]):
                function(*_given(row[: row.index({"refused": said[0]})]), **fixtures)
        else:
            found = plain(function(*_given(row[:count]), **fixtures))
            wanted = plain(row[count] if len(row) == count + 1 else row[count:] or True)
            assert found == wanted, f"{found}\ninstead of\n{wanted}"

    marked: Callable[..., None] = test
    return marked


def _filled(found: Any) -> list[tuple[str, list[Any]]]:
    """Return the rows of a table with their names, all of one length."""
    named = found if isinstance(found, dict) else dict(enumerate(found))
    listed = {key: row if isinstance(row, list) else [row] for key, row in named.items()}
    width = max(map(len, listed.values()))
    return [(str(key), [*row, *[None] * (width - len(row))]) for key, row in listed.items()]


def _given(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _given(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_given(one) for one in value]
    return None if value == "<none>" else value


def plain(value: Any) -> str:
    """Return a value as text: six digits of a number, and any row of values as a list."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {plain(one)}' for key, one in sorted(value.items()))}}}"
    if isinstance(value, set | frozenset):
        return plain(sorted(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(plain, value))}]"
    return repr(round(float(value), 6)) if type(value) in (int, float) else repr(value)
