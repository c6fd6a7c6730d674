"""Block structure of a Markdown message: which lines are prose, and where a thought must end.

A block is a paragraph, a list item, a table row or a heading. Phrases and sentences never cross
from one block into the next. Everything else (fenced and indented code, quotes, rules) is covered.
"""

from __future__ import annotations

from groundwire.record import Record

_BULLETS = frozenset("-*+\u2022\u25cf\u25e6\u2023")
_RULE_CHARACTERS = frozenset("-=*_ \t")
_TABLE_RULE_CHARACTERS = frozenset("|-:+ \t")
_CODE_INDENT = 4


HEADING = "heading"
#: Roles of a table's lines: the titles of its columns, which a rule follows, and any other row.
HEAD = "head"
ROW = "row"
TABLE = (HEAD, ROW)


class Block(Record):
    """A stretch of prose; ``role`` is text, item, row, head (of a table) or heading."""

    start: int
    end: int
    role: str


class _Fence(Record):
    """An open code fence: its character and length."""

    character: str
    length: int


class _Walk:
    """The state of one pass over the lines of a message."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.covered: list[tuple[int, int]] = []
        self.open: tuple[int, int, str] | None = None  # start, end, role of the current block
        self.fence: _Fence | None = None
        self.in_list = False
        self.after_gap = True  # the line above was blank, code or absent

    def close(self) -> None:
        if self.open:
            self.blocks.append(Block(*self.open))
            self.open = None

    def cover(self, start: int, end: int) -> None:
        self.close()
        if end > start:
            self.covered.append((start, end))

    def line(self, start: int, end: int) -> None:
        """Classify the line ``text[start:end]`` (without its line break)."""
        at = start
        while at < end and self.text[at] in " \t\r":
            at += 1
        if self.fence:
            self._fenced_line(start, at, end)
        elif at == end:
            self.close()
            self.after_gap = True
        elif fence := _opening_fence(self.text, at, end):
            self.fence = fence
            self.in_list = self.in_list and at > start
            self.cover(start, end)
        elif self._is_indented_code(start, at):
            self.cover(start, end)
        else:
            self._prose_line(start, at, end)
            self.after_gap = False

    def _fenced_line(self, start: int, at: int, end: int) -> None:
        fence = self.fence
        rest = self.text[at:end].rstrip()
        self.cover(start, end)
        if fence and len(rest) >= fence.length and rest == fence.character * len(rest):
            self.fence = None
            self.after_gap = True

    def _is_indented_code(self, start: int, at: int) -> bool:
        indent = self.text[start:at].replace("\t", " " * _CODE_INDENT)
        return len(indent) >= _CODE_INDENT and self.after_gap and not self.in_list

    def _prose_line(self, start: int, at: int, end: int) -> None:
        text = self.text
        first = text[at]
        if first == ">":
            self.cover(start, end)
        elif first == "#" and (marks := _heading_marks(text, at, end)):
            self._add_single_line(at + marks, end, HEADING)
        elif first == "|" or (self.open and self.open[2] == ROW and "|" in text[at:end]):
            self._table_row(start, at, end)
        elif _is_made_of(text[at:end], _RULE_CHARACTERS) and end - at >= 3:
            self.cover(start, end)
            self.in_list = False
        elif skip := _item_marker(text, at, end):
            self.close()
            self.open = (at + skip, end, "item")
            self.in_list = True
        elif self.open:
            self.open = (self.open[0], end, self.open[2])
        else:
            self.in_list = self.in_list and at > start
            self.open = (at, end, "text")

    def _add_single_line(self, start: int, end: int, role: str) -> None:
        self.close()
        self.blocks.append(Block(start, end, role))
        self.in_list = False

    def _table_row(self, start: int, at: int, end: int) -> None:
        if _is_made_of(self.text[at:end], _TABLE_RULE_CHARACTERS):
            if self.open and self.open[2] == ROW and self._begins_table(self.open[0]):
                self.open = (*self.open[:2], HEAD)
            self.cover(start, end)
        else:
            self.close()
            self.open = (at, end, ROW)

    def _begins_table(self, row: int) -> bool:
        """Tell whether no line of a table stands above a row."""
        line = self.text.rfind("\n", 0, row)
        return line < 0 or "|" not in self.text[self.text.rfind("\n", 0, line) + 1 : line]


def find_blocks(text: str) -> tuple[tuple[Block, ...], list[tuple[int, int]]]:
    """Return the prose blocks of ``text`` and the spans of lines that are not prose.

    Both ascend. An unclosed fence runs to the end, as Markdown says.
    """
    walk = _Walk(text)
    start = 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        walk.line(start, end - 1 if text.endswith("\r", start, end) else end)
        start = end + 1
    walk.close()
    return tuple(block for block in walk.blocks if block.start < block.end), walk.covered


def _opening_fence(text: str, at: int, end: int) -> _Fence | None:
    character = text[at]
    if character not in "`~" or not text.startswith(character * 3, at):
        return None
    stop = at
    while stop < end and text[stop] == character:
        stop += 1
    if character == "`" and "`" in text[stop:end]:
        return None  # inline code at the start of a line
    return _Fence(character, stop - at)


def _heading_marks(text: str, at: int, end: int) -> int:
    stop = at
    while stop < end and text[stop] == "#":
        stop += 1
    return stop - at if stop - at <= 6 and text[stop : stop + 1] == " " else 0


def _item_marker(text: str, at: int, end: int) -> int:
    """Length of a list marker with its space and check box, or 0."""
    stop = at
    if text[at] in _BULLETS:
        stop += 1
    else:
        while stop < end and text[stop].isdigit():
            stop += 1
        if stop == at or stop - at > 9 or text[stop : stop + 1] not in (".", ")"):
            return 0
        stop += 1
    if text[stop : stop + 1] not in (" ", "\t"):
        return 0
    if text[stop + 1 : stop + 4].lower() in ("[ ]", "[x]"):
        stop += 4
    return stop - at


def _is_made_of(line: str, characters: frozenset[str]) -> bool:
    return characters.issuperset(line.rstrip())
