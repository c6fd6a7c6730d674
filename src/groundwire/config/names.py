"""The names that settings may refer to; they depend on the rule set."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.model import CUE
from groundwire.record import Record
from groundwire.rules import RuleSet, marker_of


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
    from groundwire.scan.filters import FILTERS

    if folders:
        from groundwire.lexicon.compile import compile_rules

        rules = compiled = compile_rules(folders)
    else:
        from groundwire.rules import shipped_rules

        rules, compiled = shipped_rules(), None
    markers = tuple(m.id for m in map(marker_of, rules.rows()) if m.kind != CUE)
    return Names(markers, tuple(item.name for item in FILTERS), compiled)
