"""A commit message as git takes it: without its comments, and without a diff below them."""

from __future__ import annotations

#: What ``git commit --verbose`` writes above the diff; everything from there on is left out.
_SCISSORS = "# ------------------------ >8 ------------------------"


def without_comments(text: str) -> str:
    """Return the message with comments as blanks, so that every place stays where it is."""
    lines = text.splitlines(keepends=True)
    cut = next((at for at, line in enumerate(lines) if line.startswith(_SCISSORS)), len(lines))
    return "".join(
        _blank(line) if at >= cut or line.startswith("#") else line for at, line in enumerate(lines)
    )


def _blank(line: str) -> str:
    inside = line.rstrip("\r\n")
    return " " * len(inside) + line[len(inside) :]
