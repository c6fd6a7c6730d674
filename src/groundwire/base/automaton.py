"""The only importer of ``ahocorasick``: many forms looked for in one pass."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import ahocorasick

    Automaton = ahocorasick.Automaton


def build_automaton(forms: Iterable[tuple[str, object]]) -> ahocorasick.Automaton:
    """Return an automaton over ``(form, rows)``; its values are ``(length of the form, rows)``."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for form, rows in forms:
        automaton.add_word(form, (len(form), rows))
    if len(automaton):
        automaton.make_automaton()
    return automaton
