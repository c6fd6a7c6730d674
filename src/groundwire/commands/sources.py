"""Reading the texts that a command is given, with errors that name them."""

from __future__ import annotations

import sys

from groundwire.base.errors import EventError

STDIN = "-"


def read_bytes(name: str) -> bytes:
    """Return the content of a file, or of standard input for ``-``."""
    if name == STDIN:
        return sys.stdin.buffer.read()
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise EventError(f"{name}: {error.strerror}; expected a readable file") from None


def read_text(name: str) -> str:
    """Return the text of a file or of standard input; UTF-8, a byte order mark is dropped.

    Raises EventError when it is not UTF-8, with the place.
    """
    data = read_bytes(name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        shown = "stdin" if name == STDIN else name
        raise EventError(f"{shown}: not UTF-8 at byte {error.start}; expected UTF-8 text") from None
