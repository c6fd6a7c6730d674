"""What a single setting may be, and the words of its error message."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from groundwire.base.settings import MODES
from groundwire.settings.toml_text import KeyPath, Problem, show_key, show_value, unknown_name


class Allowed(NamedTuple):
    """What a value may be, in the words of an error message."""

    text: str


def _one_of_modes(value: str) -> str:
    if value not in MODES:
        raise ValueError("not a mode")
    return value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("empty")
    return value


Mode = Annotated[
    str,
    AfterValidator(_one_of_modes),
    Field(json_schema_extra={"enum": list(MODES)}),
    Allowed("one of " + ", ".join(f'"{mode}"' for mode in MODES)),
]
Switch = Annotated[bool, Allowed("true or false")]
Text = Annotated[
    str, Field(min_length=1), AfterValidator(_not_blank), Allowed("a text that is not empty")
]
Texts = Annotated[list[Text], Allowed('a list of texts that are not empty, such as ["a", "b"]')]
Switches = Annotated[dict[str, bool], Allowed("true or false for each name")]
Confidence = Annotated[int, Field(ge=0, le=100), Allowed("a whole number from 0 to 100")]
# beyond 100 a weight decides alone, and far beyond it a contribution is no number any more
Weight = Annotated[
    float, Field(ge=0, le=100, allow_inf_nan=False), Allowed("a number from 0 to 100")
]
Logit = Annotated[
    float, Field(ge=-10, le=10, allow_inf_nan=False), Allowed("a number from -10 to 10")
]
Logits = Annotated[dict[str, Logit], Allowed("a number from -10 to 10 for each name of a feature")]
Prior = Annotated[
    float,
    Field(gt=0, lt=1, allow_inf_nan=False),
    Allowed("a number between 0 and 1, both excluded"),
]
Blocks = Annotated[int, Field(ge=0, le=20), Allowed("a whole number from 0 to 20")]
# smaller log files are rotated all the time, larger ones are no use to anybody
LogBytes = Annotated[
    int,
    Field(ge=10_000, le=1_000_000_000),
    Allowed("a whole number from 10000 to 1000000000"),
]
LogFiles = Annotated[int, Field(ge=1, le=100), Allowed("a whole number from 1 to 100")]
Milliseconds = Annotated[int, Field(ge=100, le=60_000), Allowed("a whole number from 100 to 60000")]
Words = Annotated[int, Field(ge=1, le=100_000), Allowed("a whole number from 1 to 100000")]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), Allowed("a number from 0 to 1")]
A_TABLE = Allowed("a table")


class Table(BaseModel):
    """Base of all tables: unknown keys and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


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
