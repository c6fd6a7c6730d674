"""What pydantic found wrong in a document: where, what stands there, and what is allowed."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from groundwire.config.values import A_TABLE, Allowed
from groundwire.config.words import KeyPath, Problem, show_key, show_value, unknown_name


def table_problems(error: ValidationError, root: type[BaseModel]) -> list[Problem]:
    """Return the errors of a document that should have been a ``root``, in words."""
    return [_problem(_value_path(detail["loc"]), detail, root) for detail in error.errors()]


def table_lines(error: ValidationError, root: type[BaseModel]) -> list[str]:
    """Return one ``key: text`` line for each error."""
    return [
        f"{show_key(path)}: {text}" if path else text for path, text in table_problems(error, root)
    ]


def _value_path(path: KeyPath) -> KeyPath:
    """Return the path of a value; pydantic marks a name that is wrong itself with ``[key]``."""
    return path[:-1] if path[-1:] == ("[key]",) else path


def _problem(path: KeyPath, detail: Any, root: type[BaseModel]) -> Problem:
    parent, field = _field_at(path, root)
    if detail["type"] == "extra_forbidden" and parent is not None:
        return unknown_name(path, "unknown key", str(path[-1]), list(parent.model_fields))
    if detail["type"] == "missing":
        return Problem(path, f"missing: {_allowed_text(field)}")
    if detail["type"] == "value_error" and isinstance(detail["input"], dict):
        return Problem(path, str(detail["ctx"]["error"]))  # a rule over several keys of a table
    return Problem(path, f"value {show_value(detail['input'])}: {_allowed_text(field)}")


def _field_at(
    path: KeyPath, root: type[BaseModel]
) -> tuple[type[BaseModel] | None, FieldInfo | None]:
    """Return the table that holds the last name of ``path``, and the field; None if unknown.

    For a list entry itself, ``path`` ends in its position and the table is the entry's.
    """
    table: type[BaseModel] | None = root
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


def _allowed_text(field: FieldInfo | None) -> str:
    texts = [item.text for item in field.metadata if isinstance(item, Allowed)] if field else []
    return texts[0] if texts else A_TABLE.text
