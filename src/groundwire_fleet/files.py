"""Transcripts as streams: files of this machine, of the stores that Arrow reads, and bytes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BufferedReader
from multiprocessing import get_context

import pyarrow as pa
from pyarrow import fs

from groundwire_fleet.rows import Line, lines_of

_LOCAL = "file:"
#: What Arrow calls by another name than Hadoop.
_SCHEMES = {"s3a": "s3", "s3n": "s3"}
#: Bytes of one read; every read of a store is a request.
_BUFFER, _REQUEST = 1 << 20, 8 << 20
_TRIED = 3  # files of each root
_PATIENCE = 60  # seconds


def opened(path: str) -> BufferedReader:
    """Open a file that Spark has listed, with the rights of this process.

    Raises OSError or, for a file system that Arrow does not know, ArrowException.
    """
    if path.startswith(_LOCAL):
        return BufferedReader(open("/" + path.removeprefix(_LOCAL).lstrip("/"), "rb", 0), _BUFFER)
    root, name = _split(path)
    system, folder = _system(root)
    stream = system.open_input_stream(f"{folder.rstrip('/')}/{name}", compression=None)
    return BufferedReader(stream, _REQUEST)


def readable(paths: Iterable[str]) -> bool:
    """Tell whether this machine can read these files, by opening a few below each root.

    Another process does, as clients may end theirs (Azure's without a credential) or wait in it
    for minutes (Google's).
    """
    roots: dict[str, list[str]] = {}
    for path in paths:
        if not path.startswith(_LOCAL):
            roots.setdefault(_split(path)[0], []).append(path)
    if not roots:
        return True
    process = get_context("fork").Process(target=_try, args=([*roots.values()],))
    process.start()
    process.join(_PATIENCE)
    process.kill()
    return process.exitcode == 0


def _try(roots: list[list[str]]) -> None:
    sys.exit(not all(any(map(_opens, paths[:_TRIED])) for paths in roots))


def lines_at(path: str) -> Iterator[Line]:
    """Yield the lines of a file; that it cannot be opened is raised by the first."""
    yield from lines_of(opened(path))


def lines_in(content: pa.Buffer | None, size: int) -> Iterator[Line]:
    """Yield the lines of a text in memory; without it one of ``size`` bytes that was not read."""
    if content is None:
        return iter([(size, None)])
    return lines_of(BufferedReader(pa.BufferReader(content)))


def _opens(path: str) -> bool:
    try:
        with opened(path) as file:
            file.peek(1)
    except (OSError, pa.ArrowException):
        return False
    return True


def _split(path: str) -> tuple[str, str]:
    """Return the root of a path, in Arrow's words, and the name below it."""
    scheme, _, rest = path.partition(":")
    authority, _, name = rest.removeprefix("//").partition("/")
    return f"{_SCHEMES.get(scheme, scheme)}://{authority}/", name


@lru_cache
def _system(root: str) -> tuple[fs.FileSystem, str]:
    system: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(root)
    return system
