"""Reading the texts and JSON documents that a command is given, with errors that name them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from groundwire.base import json_codec
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


_MARK = b"\xef\xbb\xbf"


class Documents:
    """Yields ``(place, bytes)`` of each document of a file, or of standard input for ``-``.

    When the first line is JSON by itself, every line is a document and is given out as soon as it
    is read. Otherwise the input is one document, unless another line is JSON by itself.
    """

    def __init__(self, file: str) -> None:
        self._name = "stdin" if file == STDIN else file
        self._lines = _numbered_lines(file)
        self._ahead: list[tuple[int, bytes]] = []
        self._given = 0

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        """Yield place and content; raises EventError for an empty or unreadable input."""
        first = next(self._lines, None)
        if first is None:
            raise EventError(f"{self._name}: empty; expected one JSON object, or one a line")
        self._ahead = [first]
        if not _is_json(first[1]):
            self._ahead += self._lines
            if not any(_is_json_object(line) for _, line in self._ahead):
                content = b"".join(line for _, line in self._ahead)
                self._ahead = []
                self._given = 1
                yield self._name, content
                return
        while self._ahead or self._look_ahead():
            number, line = self._ahead.pop(0)
            self._given += 1
            yield f"{self._name}:{number}", line

    def alone(self) -> bool:
        """Tell whether the document given out last is the only one; waits for the next line."""
        return self._given == 1 and not self._ahead and not self._look_ahead()

    def _look_ahead(self) -> bool:
        line = next(self._lines, None)
        if line is not None:
            self._ahead.append(line)
        return line is not None


def decode(data: bytes) -> object:
    """Return one decoded document; a byte order mark is dropped. Raises ValueError."""
    return json_codec.loads(data.removeprefix(_MARK))


def _numbered_lines(file: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers from 1."""
    try:
        if file == STDIN:
            yield from _not_blank(sys.stdin.buffer)
        else:
            with Path(file).open("rb") as stream:
                yield from _not_blank(stream)
    except OSError as error:
        raise EventError(f"{file}: {error.strerror}; expected a readable file") from None


def _not_blank(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _is_json(line: bytes) -> bool:
    try:
        decode(line)
    except ValueError:
        return False
    return True


def _is_json_object(line: bytes) -> bool:
    """Tell whether a line is a whole object; ``{}`` may be a part of a larger document."""
    return line.lstrip().startswith(b"{") and line.strip() != b"{}" and _is_json(line)
