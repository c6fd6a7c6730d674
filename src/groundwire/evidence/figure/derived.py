"""Figures that follow from printed ones: shares, factors, changes, sums and differences."""

from __future__ import annotations

from groundwire.evidence.figure.words import noun_words
from groundwire.evidence.turn.printed import Number, Printed, dimension, excerpt, numbers_in
from groundwire.model import NOT_CHECKABLE, SUPPORTED, Verdict
from groundwire.scan.numbers import COUNT, PERCENT, TIMES
from groundwire.scan.quantities import Quantity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Of more numbers of one sort some two give almost any result, which then shows nothing.
_FEW = 6
_MOST = 40
_MOST_SORTS = 60
_SENTENCE_NUMBERS = 12
_WHY = "printed the figures that it follows from"


def follows_from(quantity: Quantity, block: str, printed: Printed) -> Verdict | None:
    """Derive ``quantity`` from the figures beside it in its ``block``, or from printed ones."""
    if quantity.kind not in (PERCENT, TIMES, COUNT):
        return None
    beside = list(numbers_in(block))[:_SENTENCE_NUMBERS]
    for numbers in _sorts(beside, quantity):
        pair = _pair(quantity, [one for one in numbers if one.value != quantity.value])
        if pair:
            return _by_message(pair, printed)
    for numbers in _sorts(printed.numbers, quantity):
        pair = _share(quantity, numbers) or _pair(quantity, numbers[:_MOST])
        if pair and (len(numbers) <= _FEW or pair[0] is pair[1]):
            return by_source(pair[0], SUPPORTED, _WHY)
        if pair:
            return Verdict(NOT_CHECKABLE, "it may follow from printed figures")
    return None


def _sorts(numbers: Iterable[Number], quantity: Quantity) -> Iterator[list[Number]]:
    """Yield the numbers of each unit or counted thing, each value once, in order.

    Sums and differences are only those of the thing that ``quantity`` counts.
    """
    groups: dict[str, dict[tuple[float, float | None], Number]] = {}
    words = noun_words(quantity) if quantity.kind == COUNT else ()
    for number in numbers:
        sort = dimension(number)[0]
        if words and not sort.startswith(words):
            continue
        if sort not in groups and len(groups) >= _MOST_SORTS:
            continue
        group = groups.setdefault(sort, {})
        if len(group) <= _MOST:
            group.setdefault((number.value, number.total), number)
    yield from (list(group.values()) for group in groups.values())


def _share(quantity: Quantity, numbers: list[Number]) -> tuple[Number, Number] | None:
    """Return "41 of 42" for 97.6 %."""
    if quantity.kind != PERCENT:
        return None
    for number in numbers:
        if number.total and _close(quantity, 100 * number.value / number.total):
            return number, number
    return None


def _pair(quantity: Quantity, numbers: list[Number]) -> tuple[Number, Number] | None:
    """Return two numbers of one sort that give the quantity."""
    for place, one in enumerate(numbers):
        for other in numbers[place + 1 :]:
            for a, b in zip(dimension(one)[1], dimension(other)[1], strict=False):
                if any(_close(quantity, result) for result in _results(quantity, a, b)):
                    return one, other
    is_sum = sum(number.value for number in numbers) == quantity.value
    if is_sum and quantity.kind == COUNT and 2 < len(numbers) <= _FEW:
        return numbers[0], numbers[-1]
    return None


def _results(quantity: Quantity, a: float, b: float) -> Iterator[float]:
    low, high = sorted((a, b))
    if quantity.kind == COUNT:
        yield low + high
        yield high - low
    elif low > 0 and quantity.kind == TIMES:
        yield high / low
        yield high / low - 1
    elif low > 0:
        yield 100 * low / high
        yield 100 * (high - low) / high
        yield 100 * (high - low) / low


def _close(quantity: Quantity, result: float) -> bool:
    if quantity.kind == COUNT:
        return result == quantity.value
    margin = 0.5 if quantity.value == int(quantity.value) else 0.055
    if quantity.approximate:
        margin = max(margin, 0.1 * quantity.value)
    return abs(result - quantity.value) <= margin * 1.001


def _by_message(pair: tuple[Number, Number], printed: Printed) -> Verdict:
    """The message gives the two figures itself; they in turn have to be printed."""
    first = [next(iter(printed.near(one.value, 0.5 * 10.0**-one.decimals)), None) for one in pair]
    if None in first:
        return Verdict(NOT_CHECKABLE, "it follows from other figures of the message")
    found = [one for one in first if one is not None]
    return by_source(found[0], SUPPORTED, _WHY)


def by_source(number: Number, status: str, why: str) -> Verdict:
    """Return a verdict that points to a printed number; a sub-agent's words decide nothing."""
    source, line = number.source, excerpt(number)
    if source is None:
        return Verdict(NOT_CHECKABLE, why)
    if source.is_report:
        return Verdict(NOT_CHECKABLE, "a sub-agent reported it", source.call_id, source.name, line)
    why = f'{source.name} {why} ("{line}")'
    return Verdict(status, why, source.call_id, source.name, line)
