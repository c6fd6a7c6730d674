"""Putting quoted text safely into lines of plain text.

What is quoted was written by a model or read from a file, so it may hold terminal escapes,
direction marks or half a surrogate pair. None of these reaches a terminal or a log viewer.
"""

from __future__ import annotations

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
