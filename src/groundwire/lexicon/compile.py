"""Compiling pattern files to the plain data that the hook loads.

``python -m groundwire.lexicon.compile`` rewrites the shipped rule set.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groundwire.lexicon.load import Loaded, load_lexicon
from groundwire.rules import RuleSet, group_forms

_HEADER = '''"""The shipped rules, generated from ``patterns/`` by ``make patterns``; do not edit."""

# fmt: off
# ruff: noqa: E501
'''


def compile_rules(folders: Sequence[Path | str] = ()) -> RuleSet:
    """Load the shipped pattern files and ``folders`` and compile them; raises LexiconError."""
    return rules_of(load_lexicon(folders))


def rules_of(lexicon: Sequence[Loaded]) -> RuleSet:
    """Compile loaded entries; rows are sorted by id, so the result does not depend on files."""
    rows: list[tuple[Any, ...]] = []
    forms: dict[str, tuple[int, ...]] = {}
    for number, (_, kind, entry) in enumerate(sorted(lexicon, key=lambda item: item.entry.id)):
        rows.append(
            (
                entry.id,
                kind,
                entry.strength or "",
                entry.claim,
                tuple(entry.only),
                tuple(entry.unless),
                entry.note,
            )
        )
        for form in entry.forms:
            forms[form] = (*forms.get(form, ()), number)
    return RuleSet(tuple(rows), group_forms(forms))


def shipped_source(rules: RuleSet) -> str:
    """Return the text of the generated module for ``rules``."""
    rows = "".join(f"    {row!r},\n" for row in rules.rows)
    groups = "".join(f"    {key!r}: {lines!r},\n" for key, lines in rules.groups.items())
    return f"{_HEADER}\nROWS = (\n{rows})\n\nGROUPS = {{\n{groups}}}\n"


def main() -> int:
    """Rewrite ``rules/shipped.py`` from the shipped pattern files."""
    target = Path(__file__).resolve().parents[1] / "rules" / "shipped.py"
    target.write_text(shipped_source(compile_rules()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
