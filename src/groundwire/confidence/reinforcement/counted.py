"""What of a session the reinforced confidence has taken into account, so that nothing counts twice.

A turn that was sent back ends a second time with the same calls before the new ones, and two copies
of the hook see the same turn.
"""

from __future__ import annotations

from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from groundwire.model import ToolCall

#: Marks of files that are kept, and of confirmed calls of one prompt.
MOST_FILES = 200
MOST_CONFIRMED = 100


class Counted(Record):
    """What was counted.

    Of the turn of ``prompt`` the calls up to the one with the id ``last``, and the claims that the
    calls ``confirmed`` support. ``files`` are marks of files of the whole session.
    """

    prompt: str = ""
    last: str = ""
    confirmed: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def first_new(self, prompt: str, calls: tuple[ToolCall, ...]) -> int:
        """Return the position of the first of a turn's calls that was not counted.

        Where the last one counted is not among them, all are new: the same words were said again,
        or the beginning of a long turn was not read.
        """
        if self.prompt != prompt or not self.last:
            return 0
        for at in range(len(calls) - 1, -1, -1):
            if calls[at].id == self.last:
                return at + 1
        return 0

    def after(
        self,
        prompt: str,
        calls: tuple[ToolCall, ...],
        confirmed: Iterable[str],
        files: Iterable[str],
    ) -> Counted:
        """Return what is counted when the turn is."""
        known = (*self.confirmed_of(prompt), *confirmed)
        last = calls[-1].id if calls else ""
        return Counted(prompt, last, known[-MOST_CONFIRMED:], tuple(files)[-MOST_FILES:])

    def confirmed_of(self, prompt: str) -> tuple[str, ...]:
        """Return the calls whose claims were counted for this prompt."""
        return self.confirmed if self.prompt == prompt else ()


def counted_fields(counted: Counted) -> dict[str, Any]:
    """Return what was counted as JSON-safe fields."""
    fields = {name: getattr(counted, name) for name in Counted._fields}
    return {**fields, "confirmed": list(counted.confirmed), "files": list(counted.files)}


def read_counted(value: object) -> Counted:
    """Return what decoded JSON says was counted; nothing when it has another shape."""
    if not isinstance(value, dict):
        return Counted()
    texts = [value.get(name) for name in ("prompt", "last")]
    lists = [value.get(name) for name in ("confirmed", "files")]
    if not all(isinstance(one, list) for one in lists):
        return Counted()
    if not all(isinstance(text, str) for one in (texts, *lists) for text in one or ()):
        return Counted()
    prompt, last = texts
    confirmed, files = (tuple(one or ()) for one in lists)
    return Counted(str(prompt), str(last), confirmed, files)
