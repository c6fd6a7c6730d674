"""Quoted text put safely into plain lines, with lines and columns as compilers count them.

What is quoted was written by a model or read from a file, so it may hold terminal escapes,
direction marks or half a surrogate pair. None of these reaches a terminal or a log viewer.
"""

from __future__ import annotations

from bisect import bisect_right

ELLIPSIS = "..."
#: Joiners that are not printable alone but belong to emoji and to several scripts.
JOINERS = "\u200c\u200d"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 turn", "2 turns"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def one_line(text: str, limit: int = 0) -> str:
    """Return ``text`` on one line with visible characters only, cut to ``limit`` when above 0.

    Runs of white space become one space; control characters and the like become escapes.
    """
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join(_visible_text(character) for character in line)
    if 0 < limit < len(line):
        return line[: max(0, limit - len(ELLIPSIS))].rstrip() + ELLIPSIS
    return line


def _visible_text(character: str) -> str:
    if character.isprintable() or character in JOINERS:
        return character
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def quote(text: str, limit: int = 80) -> str:
    """Return ``text`` on one line between double quotes; a quote inside is escaped."""
    return '"' + one_line(text, limit).replace('"', '\\"') + '"'


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
