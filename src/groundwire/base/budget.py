"""What a turn is examined under: an amount of CPU time, and a note of all that was left out."""

from __future__ import annotations

from time import thread_time

#: Share of a turn's time after which no further tool call is read, and no further line.
_CALLS = 0.4

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Watch:
    """Tells when the time is up, and does without what fails.

    ``notes`` say what was not checked, each once; ``unread`` are positions of tool calls, and
    ``cut`` tells that more was done than is known. A ``strict`` one raises what fails.
    """

    def __init__(self, milliseconds: float, *, strict: bool = False) -> None:
        self._started, self._seconds = thread_time(), milliseconds / 1000
        self._strict = strict
        self.notes: dict[str, None] = {}
        self.unread: list[int] = []
        self.cut = False

    def leave_out(self, what: str) -> None:
        """Note that ``what`` is too long, so that the turn did more than is known."""
        self.notes[f"{what} is too long: not all of it is read"] = None
        self.cut = True

    def is_over(self, what: str, share: float = 1.0) -> bool:
        """Tell whether this ``share`` of the time is up, and note that ``what`` is not checked."""
        if thread_time() - self._started < share * self._seconds:
            return False
        self.notes[f"the time was up: {what} not checked"] = None
        return True

    def is_late(self, what: str) -> bool:
        """The same for the tool calls, of which those left could have done anything."""
        late = self.is_over(what, _CALLS)
        self.cut = self.cut or late
        return late

    def is_unread(self) -> bool:
        """The same for the lines of a transcript, which are read from the last one."""
        return self.is_over("the beginning of the turn", _CALLS)

    def attempt(self, what: str, read: Callable[..., Any], default: Any, *given: Any) -> Any:
        """Return ``read(*given)``, or ``default`` when that raises, which is noted."""
        try:
            return read(*given)
        except Exception as error:
            if self._strict:
                raise
            self.notes[f"{what} failed: {type(error).__name__}: {error}"] = None
            return default


#: For whoever asks for one thing alone: takes its time, and lets failures out.
UNWATCHED = Watch(float("inf"), strict=True)
