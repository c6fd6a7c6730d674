"""Numbers of a message that claim something, and which of them are candidates.

Works on the masked message, where the values still stand, from number to number in one pass.
Dates, versions, times of day, list indices, line numbers and identifiers are not quantities.
"""

from __future__ import annotations

from groundwire.scan.amounts import AMOUNT, THINGS, read_amount
from groundwire.scan.measures import DURATION, EXIT, read_measure
from groundwire.scan.numerals import is_digit, numeral_starts, read_numeral
from groundwire.scan.quantities import COUNT, PERCENT, RATIO, TIMES, Quantity, read_quantity
from groundwire.scan.quantity_words import (
    CERTAINTY_WORDS,
    CHANGES,
    COUNTING,
    ERRORS,
    FILES,
    KNOWN_SET_WORDS,
    NUMBER_WORDS,
    SETTING_WORDS,
)
from groundwire.scan.words import next_words, word_before

#: Characters behind a number in words that are looked at. It counts something only with one of
#: ``COUNTING`` in them, as a part ("two of the ..."), as an exit code, or behind one of ``_ASIDE``:
#: "warnings: two".
_GLANCE = 80
_MARKS = "*_,.;:!?()/-\u00d7\x1d"
_FRONT = 80
_NEAR = 8
_ASIDE = frozenset("*_:(=\x1d")
_OF_TOTAL = (["of"], ["out"])

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def find_numbers(masked: str) -> list[Quantity]:
    """Return the quantities of a masked message by position, without overlaps. Linear."""
    found: list[Quantity] = []
    free = 0
    for start in numeral_starts(masked):
        if start < free or not (is_digit(masked, start) or _may_count(masked, start)):
            continue
        numeral, free = read_numeral(masked, start)
        quantity = None
        if numeral is not None:
            quantity = (
                read_quantity(masked, numeral)
                or read_measure(masked, numeral)
                or read_amount(masked, numeral)
            )
        if quantity is not None:
            if found and quantity.start < found[-1].end:
                quantity = quantity.replace(start=found[-1].end)
            found.append(quantity)
            free = max(free, quantity.end)
    return found


def _may_count(masked: str, start: int) -> bool:
    """Tell at a glance whether a number in words may be a quantity; most are none ("one of us")."""
    behind = masked[start : start + _GLANCE].lower().replace("%", " percent ")
    for mark in _MARKS:
        behind = behind.replace(mark, " ")
    words = behind.split()
    if not COUNTING.isdisjoint(words):
        return True
    at = next((n for n, word in enumerate(words) if word not in NUMBER_WORDS), 0)
    if words[at : at + 1] in _OF_TOTAL:
        return True
    front = masked[max(0, start - _FRONT) : start]
    return "exit" in front or not _ASIDE.isdisjoint(front[-_NEAR:])


def quantity_candidates(quantities: Iterable[Quantity], masked: str) -> list[tuple[int, int, str]]:
    """Return ``(start, end, marker id)`` of the quantities that claim something, in order.

    Positions are those of the message; the ids are entries of ``pseudo_quantification.toml``.
    Settings ("an 80% threshold") and counts of a known set ("the two files") claim nothing.
    """
    found = []
    for quantity in quantities:
        marker_id = _marker_id(quantity, masked)
        if marker_id:
            found.append((quantity.start, quantity.end, marker_id))
    return found


def _marker_id(quantity: Quantity, masked: str) -> str:
    if quantity.kind == PERCENT:
        return _percent_id(quantity, masked)
    if quantity.kind == RATIO:
        return "quantity.score"
    if quantity.kind == TIMES:
        return _times_id(quantity, masked)
    if quantity.kind == EXIT:
        return "quantity.exit-code"
    if quantity.kind == DURATION:
        return "" if quantity.approximate else "quantity.duration"
    if quantity.kind == AMOUNT:
        return "quantity.amount"
    return _count_id(quantity, masked) if quantity.kind in (COUNT, THINGS) else ""


def _percent_id(quantity: Quantity, masked: str) -> str:
    behind = [word for word, _ in next_words(masked, quantity.end, 2)]
    before, at = word_before(masked, quantity.start)
    if SETTING_WORDS.intersection(behind) or CERTAINTY_WORDS.intersection(behind[:1]):
        return ""
    if before in SETTING_WORDS or word_before(masked, at)[0] in SETTING_WORDS:
        return ""
    changes = before == "by" or not CHANGES.isdisjoint(behind)
    return "quantity.percent-change" if changes else "quantity.percent"


def _times_id(quantity: Quantity, masked: str) -> str:
    """A bare "3x" counts only where the words in front make it a comparison."""
    before = word_before(masked, quantity.start)[0]
    behind = next_words(masked, quantity.end, 1)
    compares = (
        quantity.unit
        or before in ("by", "up", "down", "to", "roughly", "about", "nearly")
        or (behind and behind[0][0] in ("the", "as"))
    )
    return "quantity.times-faster" if compares else ""


def _count_id(quantity: Quantity, masked: str) -> str:
    before = word_before(masked, quantity.start)[0]
    known = before in KNOWN_SET_WORDS
    if quantity.outcome:
        return (
            ""
            if known and before in ("if", "when", "until", "only", "next")
            else "quantity.test-result"
        )
    if known or (quantity.value == 1 and quantity.total is None):
        return ""
    if quantity.kind == THINGS:
        return "quantity.things"
    if quantity.unit in ERRORS:
        return "quantity.error-count"
    if quantity.unit in FILES:
        # "three places" introduces a list; a measured size is written in digits
        return "quantity.file-count" if is_digit(masked, quantity.start) else ""
    return "quantity.test-count"


__all__ = [
    "COUNT",
    "DURATION",
    "EXIT",
    "PERCENT",
    "RATIO",
    "TIMES",
    "Quantity",
    "find_numbers",
    "quantity_candidates",
]
