"""The errors of one settings document: where, what stands there, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from groundwire.config.schema import AllowTable, SettingsTable
from groundwire.config.values import A_TABLE, Allowed
from groundwire.config.words import KeyPath, near_misses_first, show_value
from groundwire.model import KINDS


class Problem(NamedTuple):
    """One error: the key path within its document and the text behind it."""

    path: KeyPath
    text: str


def schema_problems(document: Mapping[str, Any]) -> list[Problem]:
    """Return every error in the shape of ``document``, and every kind that does not exist."""
    found = []
    try:
        SettingsTable.model_validate(document)
    except ValidationError as error:
        found = [_problem(_named(detail["loc"]), detail) for detail in error.errors()]
    return found + list(_unknown_names(document, "kinds", "kind", KINDS))


def name_problems(
    document: Mapping[str, Any], known_markers: Sequence[str], known_filters: Sequence[str]
) -> list[Problem]:
    """Return an error for every marker id and filter name in ``document`` that does not exist."""
    found = [
        *_unknown_names(document, "markers", "marker", known_markers),
        *_unknown_names(document, "filters", "filter", known_filters),
    ]
    entries = document.get("allow")
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        marker = entry.get("marker") if isinstance(entry, dict) else None
        if isinstance(marker, str) and marker and marker not in known_markers:
            path = ("allow", number, "marker")
            found.append(
                _unknown(path, f"unknown marker {show_value(marker)}", marker, known_markers)
            )
    return found


def _unknown_names(
    document: Mapping[str, Any], table: str, what: str, known: Sequence[str]
) -> Iterator[Problem]:
    names = document.get(table)
    for name in names if isinstance(names, dict) else ():
        if name not in known:
            yield _unknown((table, name), f"unknown {what}", name, known)


def _named(path: KeyPath) -> KeyPath:
    """Return the path of a value; pydantic marks a name that is wrong itself with ``[key]``."""
    return path[:-1] if path[-1:] == ("[key]",) else path


def _unknown(path: KeyPath, what: str, name: str, known: Sequence[str]) -> Problem:
    return Problem(path, f"{what}: allowed: {near_misses_first(name, known)}")


def _problem(path: KeyPath, detail: Any) -> Problem:
    parent, field = _field_at(path)
    if detail["type"] == "extra_forbidden" and parent is not None:
        return _unknown(path, "unknown key", str(path[-1]), list(parent.model_fields))
    if detail["type"] == "missing":
        return Problem(path, f"missing: {_allowed(field)}")
    if detail["type"] == "value_error" and parent is AllowTable and isinstance(path[-1], int):
        return Problem(path, "needs a marker or a phrase: exactly one of the two")
    return Problem(path, f"value {show_value(detail['input'])}: {_allowed(field)}")


def _field_at(path: KeyPath) -> tuple[type[BaseModel] | None, FieldInfo | None]:
    """Return the table that holds the last name of ``path``, and the field; None if unknown.

    For a list entry itself, ``path`` ends in its position and the table is the entry's.
    """
    table: type[BaseModel] | None = SettingsTable
    parent, field = table, None
    for part in path:
        if isinstance(part, int):
            parent = table
            continue
        if table is None:
            break
        parent, field = table, table.model_fields.get(part)
        table = _table_of(field)
    return parent, field


def _table_of(field: FieldInfo | None) -> type[BaseModel] | None:
    if field is None:
        return None
    for kind in (field.annotation, *get_args(field.annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None


def _allowed(field: FieldInfo | None) -> str:
    texts = [item.text for item in field.metadata if isinstance(item, Allowed)] if field else []
    return texts[0] if texts else A_TABLE.text
