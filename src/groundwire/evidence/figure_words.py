"""Words that tell what a figure counts, and which figures are estimates."""

from __future__ import annotations

from groundwire.scan.quantities import Quantity
from groundwire.scan.quantity_words import ERRORS, SINGULARS, TESTS

_PLURALS = {plural: singular for singular, plural in SINGULARS.items()}
_TEST_WORDS = ("pass", "test", "spec", "assert", "example", "suite", "ok", "fail", "skip")
_ERROR_WORDS = ("error", "issue", "problem", "warning", "finding", "fail", "violation", "offense")

#: A figure in a sentence with one of these is expected, possible or wanted, and not measured.
ESTIMATES = frozenset(
    "estimate estimated estimates estimating expect expected expects should would could may might "
    "can will potential potentially likely probably typically usually theoretical theoretically "
    "roughly approximately approx around about nearly almost target goal budget aim ideally if "
    "hypothetical projected up say".split()
)
#: Words in "5 new tests", a part of what a run counts.
PARTS = frozenset(
    "new added additional related relevant existing these those other remaining affected first "
    "following more".split()
)


def noun_words(quantity: Quantity) -> tuple[str, ...]:
    """Return words of which one stands in a line that counts the same thing."""
    if quantity.unit in TESTS or quantity.outcome:
        return _TEST_WORDS
    if quantity.unit in ERRORS:
        return (*_ERROR_WORDS, _PLURALS.get(quantity.unit, quantity.unit))
    return (_PLURALS.get(quantity.unit, quantity.unit),)
