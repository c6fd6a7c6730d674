"""The names that settings may refer to, and the errors in the shape of a settings document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from groundwire.base.model import CUE, KINDS
from groundwire.base.record import Record
from groundwire.base.rules import RuleSet, language_rules, marker_of
from groundwire.base.rules.weights import FEATURES
from groundwire.language.detect import LANGUAGES
from groundwire.settings.schema import SettingsTable
from groundwire.settings.toml_text import Problem, show_value, unknown_name
from groundwire.settings.values import table_problems


class Names(Record):
    """Marker ids and filter names; ``rules`` is the rule set when pattern folders changed it."""

    markers: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    rules: RuleSet | None = None


def known_names(folders: Sequence[str] = ()) -> Names:
    """Return the names that exist with the pattern files of ``folders`` added.

    Cues are left out: they belong to the filters, which are switched by their own names. Raises
    LexiconError with one line per problem of a pattern file.
    """
    from groundwire.language.filters import FILTERS
    from groundwire.verdict.labels import MARKER

    if folders:
        from groundwire.settings.patterns.compile import compile_rules

        rules = compiled = compile_rules(folders)
    else:
        from groundwire.base.rules import shipped_rules

        rules, compiled = shipped_rules(), None
    lines = [*rules.rows(), *(row for code in LANGUAGES for row in language_rules(code).rows())]
    ids = (m.id for m in map(marker_of, lines) if m.kind != CUE)
    markers = (*dict.fromkeys(ids), MARKER.id)
    return Names(markers, tuple(item.name for item in FILTERS), compiled)


def with_own_expressions(
    known: Names, entries: Sequence[Mapping[str, Any]]
) -> tuple[Names, list[Problem]]:
    """Return ``known`` with the ``[[expression]]`` tables of valid settings, and their errors."""
    from groundwire.base.rules import shipped_rules
    from groundwire.settings.patterns.compile import with_expressions
    from groundwire.settings.patterns.load import Expression, expression_problems

    problems, ids = [], list(known.markers)
    expressions = [Expression.model_validate(entry) for entry in entries]
    for number, table in enumerate(expressions):
        problems += [
            Problem(("expression", number, key), text) for key, text in expression_problems(table)
        ]
        if table.id in ids:
            text = f"value {show_value(table.id)}: a marker has this id: allowed: another one"
            problems.append(Problem(("expression", number, "id"), text))
        ids.append(table.id)
    if problems:
        return known.replace(markers=tuple(ids)), problems
    rules = with_expressions(known.rules or shipped_rules(), expressions)
    return known.replace(markers=tuple(ids), rules=rules), []


def name_problems(
    document: Mapping[str, Any], known_markers: Sequence[str], known_filters: Sequence[str]
) -> list[Problem]:
    """Return an error for every marker id and filter name in ``document`` that does not exist."""
    problems = [
        *unknown_names(document, "markers", "marker", known_markers),
        *unknown_names(document, "filters", "filter", known_filters),
    ]
    entries = document.get("allow")
    for number, entry in enumerate(entries if isinstance(entries, list) else ()):
        marker = entry.get("marker") if isinstance(entry, dict) else None
        if isinstance(marker, str) and marker and marker not in known_markers:
            path = ("allow", number, "marker")
            problems.append(
                unknown_name(path, f"unknown marker {show_value(marker)}", marker, known_markers)
            )
    return problems


def unknown_names(
    document: Mapping[str, Any], table: str, what: str, known: Sequence[str]
) -> Iterator[Problem]:
    """Yield an error for every key of ``table`` in ``document`` that is not ``known``."""
    names = document.get(table)
    for name in names if isinstance(names, dict) else ():
        if name not in known:
            yield unknown_name((table, name), f"unknown {what}", name, known)


def schema_problems(document: Mapping[str, Any]) -> list[Problem]:
    """Return every error in the shape of ``document``, and every unknown kind and feature."""
    problems = []
    try:
        SettingsTable.model_validate(document)
    except ValidationError as error:
        problems = table_problems(error, SettingsTable)
    problems += unknown_names(document, "kinds", "kind", KINDS)
    return [*problems, *unknown_names(document, "features", "feature", tuple(FEATURES))]
