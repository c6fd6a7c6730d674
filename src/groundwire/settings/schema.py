"""The settings as a user writes them: one TOML document, checked strictly.

The tables are made of the records in ``groundwire.base.settings``: names, defaults, what a value
may be, and descriptions all come from there. A table says in words of its own what is allowed
(``Allowed``), because a person reads the errors in a terminal.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self, get_args, get_type_hints

from pydantic import Field, create_model, model_validator

from groundwire.base.model import KINDS
from groundwire.base.record import Record
from groundwire.base.rules.weights import FEATURES
from groundwire.base.settings import MODES, SHIPPED, Settings, Thresholds
from groundwire.settings.convert import from_settings
from groundwire.settings.patterns.load import Expression
from groundwire.settings.values import (
    A_TABLE,
    Allowed,
    Switch,
    Switches,
    Table,
    Text,
    Texts,
    named,
    number,
    one_of,
)

_DEFAULTS = from_settings(SHIPPED)
_annotated: Any = Annotated  # of types that are made here, which a type checker cannot know
_PLAIN = {bool: Switch, tuple[str, ...]: Texts}
#: The comment above a field of a record, and the field.
_DESCRIPTION = re.compile(r"^    #: (.*)\n    (\w+):", re.MULTILINE)


def _fields(record: type[Record], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a table, as pydantic makes one of; those of another form are left out.

    ``defaults`` are the shipped values in the form of a settings file.
    """
    fields: dict[str, Any] = {}
    names = {"Annotated": Annotated}  # which the hook does without
    descriptions = {name: text for text, name in _DESCRIPTION.findall(inspect.getsource(record))}
    for name, hint in get_type_hints(record, None, names, include_extras=True).items():
        kind, *limits = get_args(hint) if hasattr(hint, "__metadata__") else (hint,)
        if isinstance(kind, type) and issubclass(kind, Record):
            inner = _fields(kind, defaults[name])
            table = _table(kind.__name__, _summary(kind), inner)
            fields[name] = (_annotated[table, A_TABLE], table())
            continue
        match limits:
            case [str(known)]:
                allowed = named(known)
            case [tuple(choice)]:
                allowed = _annotated[(kind, *one_of(choice))]
            case [low, high]:
                allowed = _annotated[(kind, *number(kind, low, high))]
            case _ if name in defaults and kind in _PLAIN:
                allowed = _PLAIN[kind]
            case _:
                continue
        field = Field(default=defaults[name], description=descriptions.get(name))
        fields[name] = (allowed, field)
    return fields


def _table(name: str, text: str, fields: Mapping[str, Any]) -> type[Table]:
    table: type[Table] = create_model(f"{name}Table", __base__=Table, __doc__=text, **fields)
    return table


def _summary(record: type[Record]) -> str:
    return (inspect.getdoc(record) or "").partition("\n\n")[0]


class AllowTable(Table):
    """One allowlist entry: an exact marker id or a whole phrase, never both."""

    marker: Text = Field(default="", description="Exact id of a marker.")
    phrase: Text = Field(default="", description="A whole phrase.")
    reason: Text = Field(description="Why it is allowed.")

    @model_validator(mode="after")
    def _either_marker_or_phrase(self) -> Self:
        if bool(self.marker) == bool(self.phrase):
            raise ValueError("needs a marker or a phrase: exactly one of the two")
        return self


class PatternsTable(Table):
    """Further pattern files."""

    folders: Texts = Field(
        default=_DEFAULTS["patterns"]["folders"],
        description="Folders with *.toml pattern files; relative to the settings file.",
    )


class MatchTable(Table):
    """Which turns a profile is for; ``*`` and ``?`` stand for any characters and one."""

    agent: Text = Field(default="", description='Type of the sub-agent; "main": none.')
    model: Text = Field(default="", description="Name of the model that answered.")
    host: Text = Field(default="", description='"claude-code", or another host that was installed.')
    project: Text = Field(default="", description="Folder of the project, or its last name.")

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("names nothing: at least one of agent, model, host, project")
        return self


_thresholds = _fields(Thresholds, _DEFAULTS["thresholds"])
ProfileThresholdsTable = _table(
    "ProfileThresholds",
    "Thresholds of a profile; what is left out is as the settings say.",
    {name: (kind, it.default) for name, (kind, it) in _thresholds.items()},
)


class ProfileTable(Table):
    """What holds for some turns in place of the settings."""

    match: Annotated[MatchTable, A_TABLE]
    mode: Annotated[str, *one_of(MODES)] = SHIPPED.mode
    thresholds: Annotated[ProfileThresholdsTable, A_TABLE] = (  # type: ignore[valid-type]
        ProfileThresholdsTable()
    )
    kinds: Annotated[
        dict[Annotated[str, Field(json_schema_extra={"enum": list(KINDS)})], bool],
        Allowed("true or false for each kind"),
    ] = Field(default={}, description="Kinds on and off.")

    @model_validator(mode="after")
    def _known_kinds(self) -> Self:
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise ValueError(f"kinds.{unknown[0]}: unknown kind: allowed: {', '.join(KINDS)}")
        return self


def _tables(table: type[Table], key: str, description: str | None = None) -> tuple[Any, Any]:
    allowed = Allowed(f"a list of tables, written [[{key}]]")
    return _annotated[list[table], allowed], Field(default=[], description=description)  # type: ignore[valid-type]


def _switches(description: str, **switches: bool) -> tuple[Any, Any]:
    return Switches, Field(default=switches, description=description)


#: Keys whose form is another one than that of their record.
_OWN_FORM = {
    "kinds": _switches("Kinds on and off.", **_DEFAULTS["kinds"]),
    "markers": _switches("Markers by exact id."),
    "filters": _switches("Context filters by name."),
    "allow": _tables(AllowTable, "allow"),
    "patterns": (Annotated[PatternsTable, A_TABLE], PatternsTable()),
    "expression": _tables(
        Expression, "expression", "Markers of your own that regular expressions find."
    ),
    "profile": _tables(
        ProfileTable, "profile", "What holds for some agents, models, hosts or projects."
    ),
}
_all_fields = {**_fields(Settings, _DEFAULTS), **_OWN_FORM}
SettingsTable = _table(
    "Settings", _summary(Settings), {name: _all_fields[name] for name in _DEFAULTS}
)


def json_schema(markers: Sequence[str], filters: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a settings file, with the names that are allowed as keys."""
    schema = SettingsTable.model_json_schema()
    tables = {"kinds": KINDS, "features": FEATURES, "markers": markers, "filters": filters}
    for table, names in tables.items():
        schema["properties"][table]["propertyNames"] = {"enum": list(names)}
    allow = schema["$defs"]["AllowTable"]
    for name in ("marker", "phrase"):
        del allow["properties"][name]["default"]
    allow["oneOf"] = [{"required": ["marker"]}, {"required": ["phrase"]}]
    schema["title"] = "groundwire settings"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
