"""Lines and columns of offsets, as compilers count them."""

from __future__ import annotations

from bisect import bisect_right


class Places:
    """Finds line and column of code point offsets in one text.

    Only a line feed ends a line; every other character, a carriage return too, takes a column.
    """

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        starts = [0]
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        self._starts = starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of ``offset`` begins."""
        return self._starts[bisect_right(self._starts, offset) - 1]
