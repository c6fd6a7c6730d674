"""Words that tell what a figure counts, and which figures are estimates."""

from __future__ import annotations

from groundwire.scan.quantities import PERCENT, RATIO, Quantity
from groundwire.scan.quantity_words import ERRORS, SINGULARS, TESTS
from groundwire.scan.words import words_before

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


#: Before a figure these make it a grade, which tools print of audits and models.
_GRADES = frozenset(
    "score scored scores scoring grade graded rated rating confidence readiness quality".split()
)
_SCALES = (5.0, 10.0, 100.0)
_SURE = 80
_SIGNS = ("\u2705", "\u2714", "\u2611", "\u2713", "\u2b50", "\U0001f3af", "\U0001f7e2")


def is_graded(quantity: Quantity, masked: str) -> bool:
    """Tell whether a figure is a grade: "scoring 9/10", "confidence: 97%"."""
    at = len(masked[: quantity.start].rstrip(" \t*_:=("))
    if _GRADES.isdisjoint(words_before(masked, at, 2)):
        return False
    if quantity.kind == RATIO:
        return quantity.total in _SCALES
    return quantity.kind == PERCENT and quantity.value >= _SURE


def is_signed(quantity: Quantity, masked: str) -> bool:
    """Tell whether a percentage stands in brackets with a check mark: "(95% \u2705)"."""
    alone = masked[: quantity.start].rstrip().endswith("(")
    signed = masked[quantity.end :].lstrip(" +").startswith(_SIGNS)
    return quantity.kind == PERCENT and quantity.value >= _SURE and alone and signed


def noun_words(quantity: Quantity) -> tuple[str, ...]:
    """Return words of which one stands in a line that counts the same thing."""
    if quantity.unit in TESTS or quantity.outcome:
        return _TEST_WORDS
    if quantity.unit in ERRORS:
        return (*_ERROR_WORDS, _PLURALS.get(quantity.unit, quantity.unit))
    return (_PLURALS.get(quantity.unit, quantity.unit),)
