"""All of a session file, for replay: its lines, and its turns one by one."""

from __future__ import annotations

import os

from groundwire.transcript.lines import is_human_prompt, is_on_chain
from groundwire.transcript.read import failure, open_file, parse_line
from groundwire.transcript.turn import Collector, with_following

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from groundwire.model import Turn

    Entry = dict[str, Any]

#: The longest line that is parsed, in bytes; images make 3 MB ones.
LINE_CAP = 64 * 2**20
_BUFFER, _WINDOW = 2**20, 64 * 2**10


def all_entries(path: str, line_cap: int = LINE_CAP) -> Iterator[Entry]:
    """Yield every line of the conversation in file order, holding one line at a time.

    Corrupt lines and lines of more than ``line_cap`` bytes are left out. Raises TranscriptError,
    when iteration begins, if the file is missing, a folder or not readable.
    """
    descriptor = open_file(path)
    try:
        with os.fdopen(descriptor, "rb", _BUFFER) as file:
            while line := file.readline(line_cap):
                if len(line) == line_cap and not line.endswith(b"\n"):
                    while line and not line.endswith(b"\n"):
                        line = file.readline(_WINDOW)
                    continue
                entry = parse_line(line)
                if entry:
                    yield entry
    except OSError as error:
        raise failure(path, error) from error


def split_turns(
    entries: Iterable[Entry], agent: bool = False, *, unfinished: bool = False
) -> Iterator[Turn]:
    """Yield one turn for each human prompt that got a final text, holding one turn at a time.

    A turn that the user interrupted, or whose last text was followed by further tool calls, never
    reached a Stop event and is left out; so is what stands before the first prompt. With
    ``unfinished`` it is there, without a message, since its tool calls were made all the same.
    """
    collector: Collector | None = None
    for entry, following in with_following(entries, agent):
        if is_human_prompt(entry, following, agent):
            if collector:
                yield from _ended_turn(collector, unfinished)
            collector = Collector(entry)
        if collector and is_on_chain(entry, agent):
            collector.add(entry)
    if collector:
        yield from _ended_turn(collector, unfinished)


def _ended_turn(collector: Collector, unfinished: bool) -> Iterator[Turn]:
    if collector.finished:
        yield collector.turn(False)
    elif unfinished:
        yield collector.turn(False).replace(message="", message_id="")
