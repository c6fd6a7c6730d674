"""Reading the last lines of a session file, for the hook; ``session`` reads all of it.

A transcript can be hundreds of megabytes long and is written while it is read. Lines end at
``b"\\n"`` alone, because other line separators may stand inside JSON strings.
"""

from __future__ import annotations

import os
import stat

from groundwire.json_codec import loads
from groundwire.record import Record
from groundwire.transcript.lines import is_conversation, is_human_prompt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from groundwire.errors import TranscriptError

    Entry = dict[str, Any]

#: How far back the hook looks for the prompt of the turn, in bytes (DESIGN section 10).
CAP = 8 * 2**20
#: Bytes that are read at once: few enough that the memory of one window serves the next.
_WINDOW = 64 * 2**10
#: Lines between two looks at the time.
LOOK = 64
_KEPT_TYPES = ("user", "assistant", "attachment", "system")
_KEPT_BYTES = tuple(kind.encode() for kind in _KEPT_TYPES)
_TYPE_KEYS = (b'"type":"', b'"type": "')
_TYPE_WITHIN = 1024
_BOM = b"\xef\xbb\xbf"


class Tail(Record):
    """The lines of a transcript from its last human prompt to its end, in file order.

    ``partial``: the reading cap, or the end of the time, came before the prompt. ``skipped``:
    lines that were corrupt, half written or cut by the cap.
    """

    entries: tuple[Entry, ...] = ()
    partial: bool = False
    skipped: int = 0


def tail_entries(
    path: str, cap: int = CAP, agent: bool = False, is_over: Callable[[], bool] = lambda: False
) -> Tail:
    """Read backwards from the end of ``path`` to the last human prompt, at most ``cap`` bytes.

    ``agent`` says that the file is a sub-agent's own transcript, ``is_over`` when the time is up;
    a last line of any length is read nonetheless. An empty or binary file has no
    entries. Raises TranscriptError when the file is missing, a folder or not readable.
    """
    descriptor = open_file(path)
    entries: list[Entry] = []
    following: Entry | None = None
    skipped = 0
    prompt_found = is_late = False
    try:
        size = os.fstat(descriptor).st_size
        for number, line in enumerate(_lines_backwards(descriptor, size, cap), 1):
            entry = None if line is None else parse_line(line)
            if entry is None:
                skipped += 1
            elif entry:
                entries.append(entry)
                prompt_found = is_human_prompt(entry, following, agent)
                if is_conversation(entry, agent):
                    following = entry
            if prompt_found:
                break
            if not number % LOOK and is_over():
                is_late = True
                break
    except OSError as error:
        raise failure(path, error) from error
    finally:
        os.close(descriptor)
    entries.reverse()
    partial = is_late or (not prompt_found and size > cap)
    return Tail(tuple(entries), partial, skipped)


def open_file(path: str) -> int:
    # Without O_NONBLOCK a named pipe would hold the hook until someone writes to it.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError) as error:
        raise failure(path, error) from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        what = "it is a folder" if stat.S_ISDIR(mode) else "it is not a regular file"
        raise failure(path, what)
    return descriptor


def failure(path: str, error: OSError | ValueError | str) -> TranscriptError:
    from groundwire.errors import TranscriptError  # hardly ever needed

    why = getattr(error, "strerror", None) or str(error)
    return TranscriptError(f"{path}: cannot read the transcript: {why}")


def _read_at(descriptor: int, length: int, offset: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(descriptor, length, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, length)


def _lines_backwards(descriptor: int, size: int, cap: int) -> Iterator[bytes | None]:
    """Yield lines from the last to the first, reading window by window, ``cap`` bytes in all.

    A line that begins before the cap is yielded as None.
    """
    floor = max(0, size - cap)
    end = size
    fragments: list[bytes] = []  # of the line whose beginning was not read yet, last one first
    while end > floor:
        start = max(floor, end - _WINDOW)
        pieces = _read_at(descriptor, end - start, start).split(b"\n")
        end = start
        fragments.append(pieces[-1])
        if len(pieces) > 1:
            yield b"".join(reversed(fragments))
            yield from reversed(pieces[1:-1])
            fragments = [pieces[0]]
    if floor == 0:
        yield b"".join(reversed(fragments))
    elif any(fragments):
        yield None


def parse_line(line: bytes) -> Entry | None:
    """The entry of a line; empty for a blank line or a type that no turn needs; None if corrupt."""
    line = line.removeprefix(_BOM).strip()
    if not line or _is_bookkeeping(line):
        return {}
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return None
    try:
        entry: Entry = loads(line)  # begins with a brace, so it is an object or nothing
    except ValueError:
        return None
    return entry if entry.get("type") in _KEPT_TYPES else {}


def _is_bookkeeping(line: bytes) -> bool:
    """Whether the line's own type, which stands before any nested object, is one to pass over.

    Snapshots and progress lines are half of a file, and telling them by a look is much cheaper
    than parsing them. An inner quote is escaped, so ``"type":"`` is never part of a string.
    """
    for key in _TYPE_KEYS:
        at = line.find(key, 0, _TYPE_WITHIN)
        if at > 0 and line.find(b"{", 1, at) < 0:
            start = at + len(key)
            return line[start : line.find(b'"', start)] not in _KEPT_BYTES
    return False
