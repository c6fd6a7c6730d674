"""The numbers that results print, with their units and lines, in an order that can be searched."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from groundwire.record import Record
from groundwire.scan.measures import SECONDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundwire.evidence.turn.seen import Source

TIME = "time"
SIZE = "size"
#: Bytes in a unit of size, both for the powers of 1000 and of 1024.
_BYTES = {
    unit: (1000**power, 1024**power)
    for power, units in enumerate(
        ("b byte bytes", "kb kib k kilobytes", "mb mib m megabytes", "gb gib g gigabytes", "tb tib")
    )
    for unit in units.split()
}
_SPACED = "()[]{}=|\"'`<>*~;\u2502\u2192"
_MOST_NUMBERS = 20_000
_MOST_SPOTS = 40
_LONGEST_NUMBER = 24
_LONGEST_LINE = 2_000


class Number(Record):
    """A number in a line, as printed at ``at``: ``total`` is M of "N/M" and "N of M".

    ``unit`` is the word, "%" or "x" behind it, lower case, "" for none.
    """

    value: float
    decimals: int
    unit: str
    line: str
    at: int = 0
    source: Source | None = None
    total: float | None = None


class Printed:
    """All numbers of some texts, by value."""

    __slots__ = ("_by_value", "_values", "numbers")

    def __init__(self, sources: Iterable[Source]) -> None:
        self.numbers: list[Number] = []
        self._by_value: dict[float, list[Number]] = {}
        for source in sources:
            for number in numbers_in(source.text, source):
                self.numbers.append(number)
                for value in (number.value, number.total):
                    if value is not None:
                        spots = self._by_value.setdefault(value, [])
                        if len(spots) < _MOST_SPOTS:
                            spots.append(number)
                if len(self.numbers) >= _MOST_NUMBERS:
                    break
        self._values = sorted(self._by_value)

    def near(self, value: float, margin: float = 0.0) -> Iterator[Number]:
        """Yield the numbers from ``value - margin`` to ``value + margin``, those of it first."""
        yield from self._by_value.get(value, ())
        slack = margin + 1e-9 * max(1.0, abs(value))
        first = bisect_left(self._values, value - slack)
        last = bisect_right(self._values, value + slack)
        for other in self._values[first:last]:
            if other != value:
                yield from self._by_value[other]


def numbers_in(text: str, source: Source | None = None) -> Iterator[Number]:
    """Yield the numbers of ``text`` in order. Linear; very long lines are left out."""
    spaced = text
    for sign in _SPACED:
        if sign in spaced:
            spaced = spaced.replace(sign, " ")
    for line, plain in zip(text.split("\n"), spaced.split("\n"), strict=True):
        if len(line) > _LONGEST_LINE:
            continue
        words = plain.split()
        at = 0
        for place, word in enumerate(words):
            if not ("0" <= word[0] <= "9" or (word[0] in "+-:,$" and word[1:2].isdigit())):
                continue
            found = _read(word.lstrip("+-:,$"))
            if found is None:
                continue
            value, decimals, unit, total = found
            if not unit and place + 1 < len(words):
                unit = words[place + 1].strip(".,:").lower()
                if unit == "of" and place + 2 < len(words) and total is None:
                    total = _whole(words[place + 2])
            at = plain.find(word, at)
            yield Number(value, decimals, unit, line, at, source, total)


def excerpt(number: Number, longest: int = 80) -> str:
    """Return what stands around a number in its line."""
    start = max(0, number.at - longest // 2) if len(number.line) > longest else 0
    return " ".join(number.line[start : start + longest].split())


def dimension(number: Number) -> tuple[str, tuple[float, ...]]:
    """Return what a number measures and its values in base units: seconds, bytes, or as it is."""
    if number.unit in SECONDS:
        return TIME, (number.value * SECONDS[number.unit],)
    if number.unit in _BYTES:
        return SIZE, tuple(number.value * scale for scale in _BYTES[number.unit])
    return number.unit, (number.value,)


def _read(word: str) -> tuple[float, int, str, float | None] | None:
    """Read "42", "1,234", "1.2s", "93%", "21x", "3/4", "1m02s"; None for versions, dates, ids."""
    if len(word) > _LONGEST_NUMBER:
        return None
    word = word.rstrip(".,:")
    end = 0
    while end < len(word) and (word[end].isdigit() or word[end] in ".,"):
        end += 1
    number, rest = word[:end].rstrip(".,"), word[end:]
    plain = number.replace(",", "")
    if plain.count(".") > 1 or not plain.isascii():
        return None
    value = float(plain)
    decimals = len(plain.partition(".")[2])
    if not rest:
        return value, decimals, "", None
    if rest[0] == "/":
        total = _whole(rest[1:])
        return None if total is None else (value, decimals, "", total)
    unit = rest.partition("/")[0].lower()
    if unit in ("%", "\u00d7") or unit.isalpha():
        return value, decimals, "x" if unit == "\u00d7" else unit, None
    if unit[0] == "m" and unit.endswith("s"):  # 1m02.5s
        seconds = unit[1:-1]
        if seconds.replace(".", "", 1).isdigit():
            places = len(seconds.partition(".")[2])
            return value * 60 + float(seconds), places, "s", None
    return None


def _whole(word: str) -> float | None:
    digits = word.rstrip(".,:%").replace(",", "")
    return float(digits) if digits.isascii() and digits.isdigit() else None
