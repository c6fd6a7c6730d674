"""The errors of one settings document: where, what stands there, and what is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from groundwire.config.schema import SettingsTable
from groundwire.config.table_problems import Problem, table_problems, unknown_name
from groundwire.config.words import show_value
from groundwire.model import KINDS


def schema_problems(document: Mapping[str, Any]) -> list[Problem]:
    """Return every error in the shape of ``document``, and every kind that does not exist."""
    found = []
    try:
        SettingsTable.model_validate(document)
    except ValidationError as error:
        found = table_problems(error, SettingsTable)
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
                unknown_name(path, f"unknown marker {show_value(marker)}", marker, known_markers)
            )
    return found


def _unknown_names(
    document: Mapping[str, Any], table: str, what: str, known: Sequence[str]
) -> Iterator[Problem]:
    names = document.get(table)
    for name in names if isinstance(names, dict) else ():
        if name not in known:
            yield unknown_name((table, name), f"unknown {what}", name, known)
