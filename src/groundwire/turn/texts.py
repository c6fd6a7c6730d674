"""The texts of a turn: what tools returned, what it was told, what it wrote itself.

Nothing is read before it is asked for, and each text is cleaned at most once. A look-up finds a
name, a number or a path as it stands in a text, and nothing that would have to be worked out.
"""

from __future__ import annotations

from groundwire.base.rules.lists import BARE_FILES, SECONDS
from groundwire.inputs.outcomes.clean import clean
from groundwire.language.words import stems_in
from groundwire.turn.records import EDIT_TOOLS, READ_TOOLS, SHELL_TOOLS, Shown, argument
from groundwire.turn.results import read_result, without_line_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.base.model import Turn

#: Characters that are read of one text, half of them at its end, and of all results together.
LONGEST_TEXT, LONGEST_TURN = 200_000, 4_000_000
#: Characters that all look-ups of a turn go through, and what a stop at one spot costs of them.
_MOST_READ, _STOP = 200_000_000, 500
_LONGEST_LINE, _LONGEST_NAME, _LONGEST_PATH, _LONGEST_COMMAND = 200, 60, 500, 2_000
#: Characters, the latest ones, in which words are looked for; more tell no more of what is new.
_RECENT = 40_000
#: Between texts that are looked through together; no name, number or path holds it.
_BETWEEN = "\n\0\n"
_NO_TEXT = ("[image]", "[Image", "[document]")
#: Inputs in which the model points at things; what it writes (``content``) makes nothing known.
_POINTING = ("command", "file_path", "notebook_path", "pattern", "url", "query", "path", "glob")
#: Characters that end a path in running text, in code and in the output of tools.
_ENDS = str.maketrans(dict.fromkeys("\"'`()[]{}<>,;:|=*!?&$#%^\t\n", " "))
#: By measure, how much of the base unit a unit is.
_MEASURES = (
    SECONDS,
    {name: 1000.0**at for at, name in enumerate(("b", "kb", "mb", "gb"))},
    {"%": 1.0, "percent": 1.0},
)


class Texts:
    """The texts of one turn."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._whole = not (turn.partial or turn.follows)
        self._left = _MOST_READ
        self._sources: tuple[tuple[Shown, str, str], ...] | None = None
        self._paths: str | None = None
        self._joined: str | None = None
        self._commands: tuple[tuple[int, list[str]], ...] | None = None
        self.letters: tuple[bytes, ...] | None = None  # kept for those who ask for quotations

    @property
    def sources(self) -> tuple[tuple[Shown, str, str], ...]:
        """Each result but those of edits, latest first: call, text, and that in small letters."""
        if self._sources is None:
            self._sources = tuple(self._read())
        return self._sources

    @property
    def whole(self) -> bool:
        """Whether all that tools returned is there: nothing earlier, cut, running or a picture."""
        return self.sources is not None and self._whole

    @property
    def told(self) -> tuple[str, ...]:
        """What the user and the harness said."""
        return (self._turn.prompt, *self._turn.known)

    @property
    def commands(self) -> tuple[tuple[int, list[str]], ...]:
        """Position and words of each command of a shell, latest first, parts apart by ";"."""
        if self._commands is None:
            written = (
                (index, argument(call, "command")[:_LONGEST_COMMAND])
                for index, call in enumerate(self._turn.calls)
                if call.name in SHELL_TOOLS
            )
            self._commands = tuple(
                (index, command.replace(";", " ; ").replace("&&", " ; ").split())
                for index, command in reversed(list(written))
            )
        return self._commands

    def recent_stems(self) -> set[bytes]:
        """Return the stems of what was told, called with or returned lately."""
        return stems_in("\n".join(_latest(self._turn)))

    def prints(self, number: float, unit: str = "") -> Shown | None:
        """Return the latest result that prints ``number``, of a measure also in another unit."""
        results = (self._search(*one) for one in _spellings(number, unit.lower()))
        return next(filter(None, results), None)

    def knows_path(self, path: str) -> bool:
        """Tell whether a tool, an input, the user or the harness names ``path``.

        One of the two, cut at a slash, ends with the other: ``src/app.py`` is known by
        ``/home/dev/shop/src/app.py``, and by a listing of ``src`` that shows ``app.py``. So are the
        folders of a known path.
        """
        wanted = path.strip().replace("\\", "/").lstrip("@~").removeprefix("./").strip("/")
        name = wanted.rpartition("/")[2]
        if self._paths is None:
            inputs = (argument(call, key) for call in self._turn.calls for key in _POINTING)
            texts = (*inputs, *self.told, *(text for _, text, _ in self.sources))
            self._paths = _BETWEEN.join(texts).replace("\\", "/")
        return bool(name.strip(".")) and any(
            _is_path(self._paths, at, at + len(name), wanted)
            for at in self._spots(self._paths, name)
        )

    def _search(self, wanted: str, units: tuple[str, ...]) -> Shown | None:
        """Return the latest result that holds a number with one of ``units``."""
        if self._joined is None:
            self._joined = _BETWEEN.join(lowered for _, _, lowered in self.sources)
        for at in self._spots(self._joined, wanted):
            if _is_number(self._joined, at, at + len(wanted), units):
                return self._line(at)
        return None

    def _line(self, at: int) -> Shown:
        """Return the call and the line at a position of all results together."""
        for shown, text, lowered in self.sources:
            if at <= len(lowered):
                return shown.replace(line=_line_at(text, at))
            at -= len(lowered) + len(_BETWEEN)
        raise IndexError("behind all results")

    def _spots(self, text: str, wanted: str) -> Iterator[int]:
        """Yield where ``wanted`` stands in ``text``, until look-ups have read too much."""
        at, read = (text.find(wanted) if wanted else -1), 0
        while at >= 0 and self._left > 0:
            yield at
            self._left -= at - read + _STOP
            read, at = at, text.find(wanted, at + len(wanted))
        self._left -= len(text) - read

    def _read(self) -> Iterator[tuple[Shown, str, str]]:
        left = LONGEST_TURN
        for call in reversed(self._turn.calls):
            result = read_result(call)
            is_shell = call.name in SHELL_TOOLS
            is_hidden = call.result is None or call.background_id or (is_shell and result.task)
            text = result.text if is_shell else call.result or ""
            text = without_line_numbers(text) if call.name in READ_TOOLS else text
            most = max(0, min(LONGEST_TEXT, left)) // 2
            is_cut = len(text) > 2 * most or (is_shell and result.cut) or text.startswith(_NO_TEXT)
            self._whole = self._whole and not (is_hidden or is_cut)
            if is_hidden or call.name in EDIT_TOOLS:
                continue
            if len(text) > 2 * most:
                text = f"{text[:most]}\n{text[len(text) - most :]}"
            left -= len(text)
            name = argument(call, "command") or f"{call.name} {argument(call, *_POINTING)}"
            text = clean(text)
            yield Shown(call.id, name[:_LONGEST_NAME]), text, text.replace("\u0130", "i").lower()


def _latest(turn: Turn) -> Iterator[str]:
    """Yield the prompt, then results and inputs of calls, the latest first, each cut to its end."""
    yield turn.prompt[-_RECENT:]
    left = _RECENT
    for call in reversed(turn.calls):
        for text in (call.result or "", *map(str, call.input.values())):
            if left > 0:
                yield text[-left:]
                left -= len(text)


def _spellings(number: float, unit: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield how the number is written in each unit of its measure, with the names of the unit."""
    tables = [table for table in _MEASURES if unit in table] or [{unit: 1.0}]
    for table in tables:
        for factor in dict.fromkeys((table[unit], *table.values())):
            value = number * table[unit] / factor
            units = tuple(name for name, size in table.items() if name and size == factor)
            for spelled in dict.fromkeys((f"{value:.10g}", f"{value:,.10g}")):
                yield spelled, units
                if units and "e" not in spelled:
                    yield f"{spelled}0" if "." in spelled else f"{spelled}.0", units


def _is_number(text: str, start: int, end: int, units: tuple[str, ...]) -> bool:
    """Tell whether a number stands for itself: not in a version, a date, a name or a longer one."""
    before, behind = text[max(0, start - 2) : start], text[end : end + _LONGEST_NAME]
    if before[-1:].isalnum() or (before[:1].isdigit() and before[-1:] in tuple(".,:-_")):
        return False
    if behind[:1].isdigit() or (behind[1:2].isdigit() and behind[0] in ".,:-_"):
        return False
    word = behind.lstrip().partition(" ")[0].partition("\n")[0].rstrip(".,;:)]\"'")
    if units and units[0] and any(it in units for it in (word, word.rstrip("s"), word[:1])):
        return True
    return not any(units) and (not behind[:1].isalnum() or word.isalpha())


def _is_path(text: str, start: int, end: int, wanted: str) -> bool:
    """Tell whether a path that has its name at ``start:end`` is the wanted one, or an end of it."""
    head, behind = text[max(0, start - _LONGEST_PATH) : end], text[end : end + 2]
    is_longer = behind.replace(".", "")[:1].isalnum() or behind[:1] in tuple("_-")
    if is_longer or "://" in head.rpartition(" ")[2].rpartition("\n")[2]:
        return False
    before = head[-len(wanted) - 1 : -len(wanted)]
    if head.endswith(wanted) and not (before.isalnum() or before in tuple("_-.")):
        return True
    known = head.translate(_ENDS).rpartition(" ")[2].lstrip("@~").removeprefix("./").strip("/")
    is_whole = behind[:1] != "/" and ("/" in known or "." in known or known in BARE_FILES)
    return is_whole and f"/{wanted}".endswith(f"/{known}")


def _line_at(text: str, position: int) -> str:
    """Return the line around ``position``, stripped and cut."""
    start = max(text.rfind("\n", 0, position) + 1, position - _LONGEST_LINE // 2)
    return text[start : start + _LONGEST_LINE].partition("\n")[0].strip()
