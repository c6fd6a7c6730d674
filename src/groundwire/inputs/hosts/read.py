"""Reading the transcripts of other hosts: the last turn for the hook, all of them for replay."""

from __future__ import annotations

import os

from groundwire.base.errors import TranscriptError
from groundwire.base.json_codec import loads
from groundwire.inputs.hosts import NAMES, host_named
from groundwire.inputs.transcript import CAP, LOOK, tail_entries
from groundwire.inputs.turns import LINE_CAP, build_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from groundwire.base.model import Turn

    Entry = dict[str, Any]

#: By so many bytes and lines a transcript shows who wrote it.
_HEAD, _FIRST_LINES = 2**18, 6


def last_turn(
    name: str,
    path: str,
    cwd: str = "",
    cap: int = CAP,
    is_over: Callable[[], bool] = lambda: False,
) -> Turn:
    """Return the last turn of a transcript of host ``name``, of whose end ``cap`` bytes are read.

    ``is_over`` says when the time for it is up. ``cwd`` is the folder of a session whose beginning
    was not read. Raises TranscriptError.
    """
    records, whole = _records(path, cap, is_over)
    entries = [*host_named(name).entries(records)]
    if records and not entries:  # some hosts keep to Claude Code's format
        tail = tail_entries(path, cap, is_over=is_over)
        return build_turn(tail.entries, tail.partial)
    turn = build_turn(entries, partial=not whole)
    return turn if turn.cwd else turn.replace(cwd=cwd)


def host_of(path: str) -> str:
    """Return the name of the host that wrote a transcript, "" for Claude Code and unknown ones."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
        whole = path.endswith(".json")
        records = _records(path, LINE_CAP)[0] if whole else _parsed(head.split(b"\n"))[0]
    except OSError:
        return ""
    first = records[:_FIRST_LINES]
    return next((name for name in NAMES if any(map(host_named(name).wrote, first))), "")


def all_entries(name: str, path: str) -> Iterator[Entry]:
    """Yield all lines of a transcript of host ``name``. Raises TranscriptError."""
    return host_named(name).entries(_records(path, 2**40)[0])


def _records(
    path: str, cap: int, is_over: Callable[[], bool] = lambda: False
) -> tuple[list[Entry], bool]:
    """Return the decoded lines in the last ``cap`` bytes, and whether that is the whole file.

    A file that ends with ``.json`` is one record.
    """
    if not os.path.isfile(path):
        why = "it is not a regular file" if os.path.exists(path) else "No such file or directory"
        raise TranscriptError(f"{path}: cannot read the transcript: {why}")
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            whole = size <= cap
            file.seek(0 if whole else size - cap)
            data = file.read()
    except OSError as error:
        why = error.strerror or str(error)
        raise TranscriptError(f"{path}: cannot read the transcript: {why}") from error
    lines = [data] if path.endswith(".json") else data.split(b"\n")
    read = _parsed(lines if whole else lines[1:], is_over)
    return read[0], whole and read[1]


def _parsed(
    lines: list[bytes], is_over: Callable[[], bool] = lambda: False
) -> tuple[list[Entry], bool]:
    """Return the decoded lines, and whether there was time for all of them; the last come first."""
    entries: list[Entry] = []
    for number, line in enumerate(reversed(lines)):
        if number % LOOK == LOOK - 1 and is_over():
            return entries[::-1], False
        if line.lstrip().startswith(b"{"):
            try:
                entries.append(loads(line))
            except ValueError:
                continue  # half written, or cut
    return entries[::-1], True
