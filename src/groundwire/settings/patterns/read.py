"""Reading one TOML file that is compiled: parsed, checked by its shape, every problem a line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from groundwire.hook.sources import Source, read_source


class Strict(BaseModel):
    """Base of all shapes: unknown keys and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True)


Shape = TypeVar("Shape", bound=Strict)


def shipped_folder(name: str = "patterns", inside: str = "") -> Path:
    """Return a folder of shipped files, in the wheel (there called ``inside``) or the source tree.

    A package may have the name of the folder; it has no TOML files.
    """
    package = Path(__file__).resolve().parents[2]
    own = package / (inside or name)
    return own if any(own.glob("*.toml")) else package.parents[1] / name


def parse(path: Path, errors: list[str]) -> dict[str, Any] | None:
    """Return what a file holds; None when it cannot be read, which is added to ``errors``."""
    source = read_source("", str(path), required=True) or Source("", str(path))
    try:
        if source.problem:  # it may be a pipe, on which reading would wait
            raise ValueError(source.problem)
        return tomllib.loads(source.data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        errors.append(f"{path}: -: {error}")
        return None


def check(
    path: Path, data: Mapping[str, Any], shape: type[Shape], errors: list[str]
) -> Shape | None:
    """Return ``data`` in its shape; None when it has another, which is added to ``errors``."""
    try:
        return shape.model_validate(data)
    except ValidationError as error:
        errors.extend(f"{path}: {line}" for line in _lines(data, error))
        return None


def _lines(data: Mapping[str, Any], error: ValidationError) -> Iterator[str]:
    """Yield ``name: key: message`` lines; the name leads through the lists of tables."""
    for detail in error.errors():
        names, where, table = [], detail["loc"], data
        while len(where) > 1 and isinstance(entries := table.get(str(where[0])), list):
            place, entry = int(where[1]), entries[int(where[1])]
            if not isinstance(entry, dict):
                break
            names.append(_name(entry) or f"row {place + 1}")
            table, where = entry, where[2:]
        key = ".".join(map(str, where))
        name = ": ".join(names) or "-"
        yield f"{name}: {key}: {detail['msg']} (found {detail['input']!r:.60})"


def _name(entry: Mapping[str, Any]) -> str:
    """Return what an entry is called by its keys, "" when they do not tell."""
    named = [entry.get(key) for key in ("id", "names", "words", "name")]
    names = [one[0] if isinstance(one, list) and one else one for one in named]
    return next((one for one in names if isinstance(one, str)), "")
