"""Between the settings records and the nested dict that a settings file is parsed to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.base.model import KINDS
from groundwire.base.settings import (
    Advisory,
    Allow,
    Bare,
    Composite,
    Context,
    Join,
    Judge,
    Limits,
    Log,
    Profile,
    Reinforcement,
    Settings,
    Strengths,
    Subagents,
    Thresholds,
    Weights,
)


def from_settings(settings: Settings) -> dict[str, Any]:
    """Return the complete document of ``settings``: every key, in the order of the schema."""
    return {
        "mode": settings.mode,
        "notify": settings.notify,
        "framing": settings.framing,
        "labels": settings.labels,
        "blocks_per_prompt": settings.blocks_per_prompt,
        "thresholds": _fields(settings.thresholds),
        "weights": _fields(settings.weights),
        "strengths": _fields(settings.strengths),
        "features": dict(settings.features),
        "context": _fields(settings.context),
        "bare": _fields(settings.bare),
        "kinds": {kind: kind not in settings.kinds_off for kind in KINDS},
        "markers": dict.fromkeys(settings.markers_off, False),
        "filters": dict.fromkeys(settings.filters_off, False),
        "allow": [
            {key: value for key, value in _fields(entry).items() if value}
            for entry in settings.allow
        ],
        "patterns": {"folders": list(settings.pattern_folders)},
        "expression": [],  # they become a part of the rule set
        "subagents": {
            "mode": settings.subagents.mode,
            "enforce": list(settings.subagents.enforce),
        },
        "log": _fields(settings.log),
        "limits": _fields(settings.limits),
        "composite": {
            **_fields(settings.composite),
            "negators": list(settings.composite.negators),
            "thresholds": dict(settings.composite.thresholds),
            "agents": dict(settings.composite.agents),
        },
        "advisory": _plain_fields(settings.advisory),
        "reinforcement": _plain_fields(settings.reinforcement),
        "judge": {
            **_fields(settings.judge),
            "band": list(settings.judge.band),
            "join": _fields(settings.judge.join),
            "prices": dict(settings.judge.prices),
        },
        "profile": [
            {
                "match": dict(profile.match),
                **({"mode": profile.mode} if profile.mode else {}),
                **({"thresholds": dict(profile.thresholds)} if profile.thresholds else {}),
                **({"kinds": dict(profile.kinds)} if profile.kinds else {}),
            }
            for profile in settings.profiles
        ],
    }


def to_settings(document: Mapping[str, Any]) -> Settings:
    """Build the records from a complete and valid ``document``."""
    return Settings(
        mode=document["mode"],
        notify=document["notify"],
        framing=document["framing"],
        labels=document["labels"],
        blocks_per_prompt=document["blocks_per_prompt"],
        thresholds=Thresholds(**document["thresholds"]),
        weights=Weights(**_floats(document["weights"])),
        strengths=Strengths(**_floats(document["strengths"])),
        features=tuple(_floats(document["features"]).items()),
        context=Context(**_floats(document["context"])),
        bare=Bare(**{**document["bare"], "nearby": float(document["bare"]["nearby"])}),
        kinds_off=_names_off(document["kinds"]),
        markers_off=_names_off(document["markers"]),
        filters_off=_names_off(document["filters"]),
        allow=tuple(Allow(**entry) for entry in document["allow"]),
        pattern_folders=tuple(document["patterns"]["folders"]),
        subagents=Subagents(
            mode=document["subagents"]["mode"],
            enforce=tuple(document["subagents"]["enforce"]),
        ),
        log=Log(**document["log"]),
        limits=Limits(**document["limits"]),
        composite=_composite(document["composite"]),
        advisory=Advisory(**_values(document["advisory"])),
        reinforcement=Reinforcement(**_values(document["reinforcement"])),
        judge=_judge(document["judge"]),
        profiles=tuple(
            Profile(
                tuple(profile["match"].items()),
                profile.get("mode", ""),
                tuple(profile.get("thresholds", {}).items()),
                tuple(profile.get("kinds", {}).items()),
            )
            for profile in document["profile"]
        ),
    )


def _composite(table: Mapping[str, Any]) -> Composite:
    return Composite(
        **{
            **table,
            "default_threshold": float(table["default_threshold"]),
            "negators": tuple(table["negators"]),
            "thresholds": tuple(_floats(table["thresholds"]).items()),
            "agents": tuple(table["agents"].items()),
        }
    )


def _judge(table: Mapping[str, Any]) -> Judge:
    low, high = table["band"]
    return Judge(
        **{
            **table,
            "band": (low, high),
            "cost_per_day": float(table["cost_per_day"]),
            "join": Join(**_floats(table["join"])),
            "prices": tuple(_floats(table["prices"]).items()),
        }
    )


def _fields(record: Any) -> dict[str, Any]:
    return {field: getattr(record, field) for field in type(record)._fields}


def _plain_fields(record: Any) -> dict[str, Any]:
    """Return the fields of a record, texts as a list."""
    fields = _fields(record)
    return {name: list(v) if isinstance(v, tuple) else v for name, v in fields.items()}


def _values(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record from a table of numbers, switches and texts."""
    return {name: _field(value) for name, value in table.items()}


def _field(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(value)
    return value if isinstance(value, bool) else float(value)


def _floats(table: Mapping[str, int | float]) -> dict[str, float]:
    return {name: float(value) for name, value in table.items()}


def _names_off(switches: Mapping[str, bool]) -> tuple[str, ...]:
    return tuple(sorted(name for name, on in switches.items() if not on))
