"""The compiled rule set as plain data; ``shipped`` is generated from ``patterns/``."""

from __future__ import annotations

from groundwire.model import Marker
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any


class RuleSet(Record):
    """Rows of markers, and which rows each surface form belongs to.

    ``rows`` hold the fields of ``Marker`` in order; a ``Marker`` is only built for a row that
    occurs in a message. ``groups`` has the forms under their rarest word, one form a line with its
    row numbers behind a tab: a message needs only the groups of its own words.
    """

    rows: tuple[tuple[Any, ...], ...]
    groups: dict[str, str]

    def forms(self, words: Iterable[str] | None = None) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield each folded form with its rows; with ``words`` only forms that these can make."""
        keys = self.groups if words is None else self.groups.keys() & set(words)
        for key in keys:
            for line in self.groups[key].splitlines():
                form, _, rows = line.partition("\t")
                yield form, tuple(map(int, rows.split()))

    def marker(self, row: int) -> Marker:
        """Return the marker of one row."""
        return Marker(*self.rows[row])

    def row_of(self, marker_id: str) -> int | None:
        """Return the row of the marker with this id; None when there is none."""
        return next((n for n, row in enumerate(self.rows) if row[0] == marker_id), None)


def group_forms(forms: Mapping[str, tuple[int, ...]]) -> dict[str, str]:
    """Return ``forms`` as the groups of a rule set: sorted, under the word that fewest share."""
    counts: dict[str, int] = {}
    for form in forms:
        for word in set(words_of(form)):
            counts[word] = counts.get(word, 0) + 1
    lines: dict[str, list[str]] = {}
    for form in sorted(forms):
        key = min(words_of(form), key=lambda word: (counts[word], -len(word), word))
        lines.setdefault(key, []).append(f"{form}\t{' '.join(map(str, forms[form]))}")
    return {key: "\n".join(lines[key]) for key in sorted(lines)}


class _Separators(dict[int, int]):
    """A translation table that turns what is no letter or digit into a space."""

    def __missing__(self, code: int) -> int:
        self[code] = code if chr(code).isalnum() or code == ord("#") else ord(" ")
        return self[code]


_SEPARATORS = _Separators()


def words_of(text: str) -> list[str]:
    """Return the words of a folded text or form; a number is ``#``."""
    return text.translate(_SEPARATORS).split()


def shipped_rules() -> RuleSet:
    """Return the rule set that groundwire ships with."""
    from groundwire.rules import shipped

    return RuleSet(shipped.ROWS, shipped.GROUPS)
