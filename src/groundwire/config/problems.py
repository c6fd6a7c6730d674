"""The errors in the shape of a settings document: where, what stands there, and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from groundwire.config.names import unknown_names
from groundwire.config.schema import SettingsTable
from groundwire.config.table_problems import table_problems
from groundwire.config.words import Problem
from groundwire.model import KINDS
from groundwire.rules.weights import FEATURES


def schema_problems(document: Mapping[str, Any]) -> list[Problem]:
    """Return every error in the shape of ``document``, and every unknown kind and feature."""
    problems = []
    try:
        SettingsTable.model_validate(document)
    except ValidationError as error:
        problems = table_problems(error, SettingsTable)
    problems += unknown_names(document, "kinds", "kind", KINDS)
    return [*problems, *unknown_names(document, "features", "feature", tuple(FEATURES))]
