"""Text files as they are: encoding, byte order mark and line ends are kept when one is changed."""

from __future__ import annotations

import codecs
import os
import re
import stat
from pathlib import Path

from groundwire.errors import FileError
from groundwire.record import Record

#: Larger files are not looked at; none that a person wrote comes near it.
LARGEST = 16 * 1024 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like the mark of UTF-16
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
#: PEP 263: the first or second line of a Python file may name its encoding.
_DECLARED = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_LINE_END = re.compile(r"\r\n|\n|\r")
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class TextFile(Record):
    """A text file as it was read; ``mark`` is its byte order mark, ``status`` its ``os.stat``."""

    path: Path
    text: str
    codec: str
    mark: bytes
    line_end: str
    status: os.stat_result

    def encoded(self, text: str) -> bytes:
        """Return ``text`` as the bytes that this file would hold; raises FileError."""
        try:
            return self.mark + text.encode(self.codec)
        except UnicodeEncodeError:
            raise FileError(f"{self.path}: cannot be written as {self.codec}") from None


class Skipped(Record):
    """A file or folder that is passed over, and why."""

    path: Path
    reason: str


def read_text_file(path: Path) -> TextFile | Skipped:
    """Read a text file; what is none, or cannot be read, is skipped with the reason."""
    try:
        descriptor = os.open(path, _READ)  # a pipe without a writer does not stop it
        with open(descriptor, "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                return Skipped(path, "not a regular file")
            if status.st_size > LARGEST:
                return Skipped(path, f"larger than {LARGEST // (1024 * 1024)} MiB")
            data = stream.read()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL character
        return Skipped(path, getattr(error, "strerror", None) or str(error))
    mark, codec = _encoding(data, path)
    try:
        text = data[len(mark) :].decode(codec)
    except (UnicodeDecodeError, LookupError) as error:
        place = f" at byte {error.start + len(mark)}" if isinstance(error, UnicodeError) else ""
        return Skipped(path, f"not {codec.upper()}{place}")
    if "\0" in text:
        return Skipped(path, "binary")
    file = TextFile(path, text, codec, mark, _line_end(text), status)
    return file if file.encoded(text) == data else Skipped(path, f"not clean {codec.upper()}")


def _encoding(data: bytes, path: Path) -> tuple[bytes, str]:
    """Return byte order mark and codec; UTF-8 unless the file says something else."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return mark, codec
    if path.suffix == ".py":
        for line in data.split(b"\n", 2)[:2]:
            declared = _DECLARED.match(line)
            if declared:
                return b"", declared[1].decode("ascii", "replace")
    return b"", "utf-8"


def _line_end(text: str) -> str:
    """Return the first line end of a text; a line feed when it has none."""
    found = _LINE_END.search(text)
    return found[0] if found else "\n"
