"""What a single setting may be, and the words of its error message."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from groundwire.settings.choices import SOURCE_CLASSES, TURN_PROVIDERS
from groundwire.settings.toml_text import KeyPath, Problem, show_key, show_value, unknown_name


class Allowed(NamedTuple):
    """What a value may be, in the words of an error message."""

    text: str


def one_of(names: tuple[str, ...]) -> tuple[AfterValidator, Any, Allowed]:
    """Return what makes a text one of ``names``, in the schema and in the words of an error."""

    def check(value: str) -> str:
        if value not in names:
            raise ValueError(f"allowed: {', '.join(names)}")
        return value

    allowed = "one of " + ", ".join(f'"{name}"' for name in names)
    return AfterValidator(check), Field(json_schema_extra={"enum": list(names)}), Allowed(allowed)


def number(kind: type, low: float, high: float, what: str = "") -> tuple[Any, Allowed]:
    """Return what holds an int or a float between two limits; ``what`` is what it counts."""
    whole, finite = ("whole ", None) if kind is int else ("", False)
    limits = Field(ge=low, le=high, allow_inf_nan=finite)
    return limits, Allowed(f"a {whole}number{what} from {low} to {high}")


def named(name: str) -> Any:
    """Return the type of this module that ``Annotated`` names in ``groundwire.base.settings``."""
    return globals()[name]


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("empty")
    return value


def _low_to_high(band: list[int]) -> list[int]:
    if band[0] > band[1]:
        raise ValueError("the first is above the second")
    return band


Text = Annotated[
    str, Field(min_length=1), AfterValidator(_not_blank), Allowed("a text that is not empty")
]
Texts = Annotated[list[Text], Allowed('a list of texts that are not empty, such as ["a", "b"]')]
Switch = Annotated[bool, Allowed("true or false")]
Switches = Annotated[dict[str, bool], Allowed("true or false for each name")]
Share = Annotated[float, *number(float, 0, 1)]
Between = Annotated[
    float,
    Field(gt=0, lt=1, allow_inf_nan=False),
    Allowed("a number between 0 and 1, both excluded"),
]
Logits = Annotated[
    dict[str, Annotated[float, *number(float, -10, 10)]],
    Allowed("a number from -10 to 10 for each name of a feature"),
]
Hours = Annotated[int, *number(int, 1, 2160, " of hours")]
Days = Annotated[int, *number(int, 1, 3650, " of days")]
AgentType = Annotated[str, Field(pattern=r"^[^\sA-Z-]+$")]
AgentThresholds = Annotated[
    dict[AgentType, Share],
    Allowed("a number from 0 to 1 for each agent type, in lower case with underscores"),
]
AgentTypes = Annotated[
    dict[str, AgentType],
    Allowed("for each agent of Claude Code an agent type, in lower case with underscores"),
]
Domains = Annotated[
    dict[
        Annotated[str, Field(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*$")],
        Annotated[str, *one_of(SOURCE_CLASSES)],
    ],
    Allowed(
        'for each domain in lower case, such as "gov.uk", one of '
        + ", ".join(f'"{one}"' for one in SOURCE_CLASSES)
    ),
]
Suffixes = Annotated[
    list[Annotated[str, Field(pattern=r"^\.[^./\sA-Z]+$")]],
    Allowed('a list of suffixes in lower case, such as [".md"]'),
]
TurnProvider = Annotated[str, *one_of(TURN_PROVIDERS)]
Model = Annotated[str, Allowed('a text, or "" for the provider\'s small model')]
Address = Annotated[
    str,
    Field(pattern=r"^(https?://[^\s/]\S*)?$"),
    Allowed('an address with http:// or https://, or "" for the provider\'s own'),
]
Band = Annotated[
    list[Annotated[int, *number(int, 0, 100)]],
    Field(min_length=2, max_length=2),
    AfterValidator(_low_to_high),
    Allowed("two whole numbers from 0 to 100, such as [20, 60]"),
]
ADay = Annotated[float, *number(float, 0, 1000, " of dollars")]
Dollars = Annotated[
    float | None,
    Field(ge=0, le=1000, allow_inf_nan=False),
    Allowed("a number of dollars from 0 to 1000"),
]
Prices = Annotated[
    dict[Annotated[str, Field(pattern=rf"^({'|'.join(TURN_PROVIDERS)})/\S.*$")], Dollars],
    Allowed('dollars from 0 to 1000 for each "provider/model", such as "openai/gpt-4o-mini"'),
]
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
