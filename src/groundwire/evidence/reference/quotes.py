"""Whether a text that the message presents as output stands in what the turn has seen.

Only letters and digits are compared, so that blanks, line breaks, markup and the escapes of a
terminal do not matter; an ellipsis or a placeholder stands for anything.
"""

from __future__ import annotations

from groundwire.evidence.runs.outputs.lines import clean
from groundwire.evidence.turn.seen import Seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789")
_DELETED = bytes(sorted(set(range(256)) - _KEPT))
_GAPS = ("...", "\u2026", "[...]", "%s", "%d", "%v", "***")
_SHORTEST = 8
_SHORTEST_PART = 4
_FENCE = ("```", "~~~")


class Quotes:
    """The texts of a turn, ready to be asked for quotations; read at the first question."""

    __slots__ = ("_seen", "_texts")

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._texts: tuple[bytes, ...] | None = None

    def holds(self, quote: str) -> bool | None:
        """Tell whether a tool, the user or the turn itself wrote ``quote``.

        Of a block one line is enough. None: it is too short to tell, or not all was seen.
        """
        lines = [line for line in quote.split("\n") if not line.lstrip().startswith(_FENCE)]
        wanted = [parts for parts in map(_parts, lines) if parts]
        if not wanted:
            return None
        if any(self._has(parts) for parts in wanted):
            return True
        return False if self._seen.whole else None

    def _has(self, parts: list[bytes]) -> bool:
        if self._texts is None:
            self._texts = tuple(map(_plain, self._all()))
        return any(all(part in text for part in parts) for text in self._texts)

    def _all(self) -> Iterator[str]:
        for source in self._seen.sources:
            yield source.text
        yield from self._seen.told
        yield from map(clean, self._seen.written())


def _plain(text: str) -> bytes:
    return text.encode("ascii", "ignore").lower().translate(None, _DELETED)


def _parts(line: str) -> list[bytes]:
    """Return the stretches of a line between its gaps; none when it is too short to be told."""
    for gap in _GAPS:
        line = line.replace(gap, "\0")
    for opening, closing in ("<>", "{}"):
        line = _without(line, opening, closing)
    parts = [part for part in map(_plain, line.split("\0")) if len(part) >= _SHORTEST_PART]
    return parts if sum(map(len, parts)) >= _SHORTEST else []


def _without(line: str, opening: str, closing: str) -> str:
    """Put a gap for every placeholder such as ``<name>``."""
    at = line.find(opening)
    while at >= 0:
        end = line.find(closing, at)
        if end < 0:
            break
        line = f"{line[:at]}\0{line[end + 1 :]}"
        at = line.find(opening, at + 1)
    return line
