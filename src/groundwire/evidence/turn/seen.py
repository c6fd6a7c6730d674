"""Every text of a turn that look-ups may ask: what was returned, what was told, what was written.

Built at once, read only when a claim asks for it. Long texts are read at both ends.
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.outputs.lines import clean
from groundwire.evidence.runs.results import read_result, without_line_numbers
from groundwire.evidence.turn.actions import REPORT_TOOLS
from groundwire.model import Ledger
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.turn.printed import Printed
    from groundwire.model import ToolCall

#: Characters that are read of one text, half of them at its end, and of all results together.
LONGEST_TEXT = 200_000
LONGEST_TURN = 4_000_000
_READERS = ("Read", "NotebookRead")
_WRITERS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
_LONGEST_LINE = 200
_NAMED = 60
_NOT_TEXT = ("[image]", "[Image", "[document]")


class Source(Record):
    """One result: position and id of its call, what the call was, and the text, cleaned.

    What a sub-agent says ``is_report``: it is no observation of this turn.
    """

    index: int
    call_id: str
    name: str
    text: str
    is_run: bool = False
    is_report: bool = False


class Seen:
    """The texts of one turn; nothing is read before it is asked for."""

    __slots__ = ("_ledger", "_lowered", "_printed", "_sources", "_whole")

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._sources: tuple[Source, ...] | None = None
        self._lowered: tuple[str, ...] | None = None
        self._printed: Printed | None = None
        self._whole = not ledger.partial

    @property
    def whole(self) -> bool:
        """Whether all that tools returned is there to look something up in."""
        self._load()
        return self._whole

    @property
    def sources(self) -> tuple[Source, ...]:
        """The results of the turn, latest first, without those of edits, which repeat the edit."""
        return self._load()

    @property
    def lowered(self) -> tuple[str, ...]:
        """The texts of ``sources`` in lower case, in the same order; made once."""
        if self._lowered is None:
            self._lowered = tuple(source.text.lower() for source in self.sources)
        return self._lowered

    @property
    def printed(self) -> Printed:
        """The numbers of the results."""
        if self._printed is None:
            from groundwire.evidence.turn.printed import Printed  # few messages claim figures

            self._printed = Printed(self.sources)
        return self._printed

    @property
    def told(self) -> tuple[str, ...]:
        """What the user and the harness said."""
        return (self._ledger.prompt, *self._ledger.known)

    def written(self) -> Iterator[str]:
        """Yield what the turn itself passed to its tools."""
        for call in self._ledger.calls:
            yield from _strings(call.input)

    def _load(self) -> tuple[Source, ...]:
        if self._sources is None:
            self._sources = tuple(self._read())  # finds out whether they are whole, too
        return self._sources

    def _read(self) -> Iterator[Source]:
        left = LONGEST_TURN
        for index, call in reversed(list(enumerate(self._ledger.calls))):
            if call.result is None or call.background_id:
                self._whole = False
                continue
            if call.name in _WRITERS:
                continue
            text = call.result
            if call.name in SHELL_TOOLS:
                result = read_result(call)
                text = result.text
                self._whole = self._whole and not result.cut and not result.task
            elif call.name in _READERS:
                text = without_line_numbers(text)
            if len(text) > min(LONGEST_TEXT, left):
                self._whole = False
                text = _ends(text, min(LONGEST_TEXT, max(left, 0)))
            self._whole = self._whole and not any(sign in text[:_NAMED] for sign in _NOT_TEXT)
            left -= len(text)
            is_run, is_report = call.name in SHELL_TOOLS, call.name in REPORT_TOOLS
            yield Source(index, call.id, _name(call), clean(text), is_run, is_report)


def line_at(text: str, position: int) -> str:
    """Return the line of ``text`` around ``position``, stripped and cut to 200 characters."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : end if end >= 0 else len(text)]
    if len(line) > _LONGEST_LINE:
        begin = max(0, min(position - start, len(line) - _LONGEST_LINE))
        line = line[begin : begin + _LONGEST_LINE]
    return line.strip()


def _ends(text: str, size: int) -> str:
    half = size // 2
    return f"{text[:half]}\n{text[len(text) - half :]}" if half else ""


def _name(call: ToolCall) -> str:
    """What the call was, as a reader would name it."""
    for key in ("command", "file_path", "pattern", "url", "query", "path"):
        value = call.input.get(key)
        if isinstance(value, str) and value:
            text = value if key == "command" else f"{call.name} {value}"
            text = " ".join(text.split())
            return text if len(text) <= _NAMED else f"{text[: _NAMED - 3]}..."
    return call.name


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
