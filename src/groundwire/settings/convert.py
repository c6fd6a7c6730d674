"""Between the settings records and the nested dict that a settings file is parsed to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.base.model import KINDS
from groundwire.base.record import Record
from groundwire.base.settings import Allow, Profile, Settings

#: Fields that hold the names that are off, and their table of switches in a settings file.
_SWITCHES = {"kinds_off": "kinds", "markers_off": "markers", "filters_off": "filters"}


def from_settings(settings: Settings) -> dict[str, Any]:
    """Return the complete document of ``settings``: every key, in the order of the schema."""
    document: dict[str, Any] = {}
    for name, value in _table(settings).items():
        if name in _SWITCHES:
            document[_SWITCHES[name]] = dict.fromkeys(value, False)
        elif name == "pattern_folders":
            document |= {"patterns": {"folders": value}, "expression": []}
        else:
            document[{"profiles": "profile"}.get(name, name)] = value
    document["kinds"] = {kind: kind not in settings.kinds_off for kind in KINDS}
    return document  # expressions are left out: they become a part of the rule set


def to_settings(document: Mapping[str, Any]) -> Settings:
    """Build the records from a complete and valid ``document``."""
    own: dict[str, Any] = {
        name: tuple(sorted(key for key, on in document[table].items() if not on))
        for name, table in _SWITCHES.items()
    }
    own["allow"] = tuple(Allow(**entry) for entry in document["allow"])
    own["pattern_folders"] = tuple(document["patterns"]["folders"])
    own["profiles"] = tuple(map(_profile, document["profile"]))
    names = (name for name in Settings._fields if name not in own)
    settings: Settings = _record(Settings, {name: document[name] for name in names})
    return settings.replace(**own)


def _profile(table: Mapping[str, Any]) -> Profile:
    fields: Any = {key: it if key == "mode" else tuple(it.items()) for key, it in table.items()}
    return Profile(**fields)


def _table(record: Record) -> dict[str, Any]:
    hints = type(record).__annotations__
    return {name: _plain(getattr(record, name), hint) for name, hint in hints.items()}


def _plain(value: Any, hint: str) -> Any:
    """Return a field's value as it stands in a file: pairs as a table, others as a list."""
    if isinstance(value, Record):
        return _table(value)
    if not isinstance(value, tuple):
        return value
    if "tuple[tuple[" in hint:
        return dict(value)
    return [_entry(item) if isinstance(item, Record) else item for item in value]


def _entry(record: Record) -> dict[str, Any]:
    return {name: value for name, value in _table(record).items() if value}


def _record(cls: Any, table: Mapping[str, Any]) -> Any:
    return cls(**{name: _value(cls._defaults[name], value) for name, value in table.items()})


def _value(default: object, value: Any) -> Any:
    """Return the field for a value of a file; a whole number where a float belongs becomes one."""
    if isinstance(default, Record):
        return _record(type(default), value)
    if isinstance(value, dict):
        return tuple((key, _value(0.0, it)) for key, it in value.items())
    if isinstance(value, list):
        return tuple(value)
    return float(value) if isinstance(default, float) and isinstance(value, int) else value
