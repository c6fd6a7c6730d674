"""A Markdown message: its blocks, and masking what is not the writer's prose.

A block is a paragraph, a list item, a table row or a heading. Phrases and sentences never cross
from one block into the next. Everything else (fenced and indented code, quotes, rules) is covered.

Code, quotes, links and tags are overwritten in place, so that every position stays the position
in the original. The filler is neither a word nor a space: no phrase joins across it.
"""

from __future__ import annotations

from groundwire.base.record import Record

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


#: Stands for masked text, and for the pipe between two table cells.
FILLER = "\x1a"
CELL = "\x1d"

_URL_HEADS = ("https://", "http://", "file://", "ssh://", "git@", "www.")
_URL_ENDS = frozenset(" \t\r\n<>\"'`)]|" + FILLER)
_LONGEST_TAG = 200


class Masked(Record):
    """The masked text, as long as the original, and the blocks of prose in it."""

    text: str
    blocks: tuple[Block, ...]


def mask(text: str) -> Masked:
    """Mask ``text``. Linear in its length; ``len(result.text) == len(text)``."""
    blocks, covered = find_blocks(text)
    text = _cover(text, covered)
    for find in (_comments, _inline_code, _link_targets, _urls, _tags):
        text = _cover(text, find(text))
    return Masked(_split_cells(text, blocks), blocks)


def _split_cells(text: str, blocks: tuple[Block, ...]) -> str:
    """Replace the pipes of table rows by cell marks."""
    pieces, last = [], 0
    for block in blocks:
        if block.role in TABLE:
            pieces.append(text[last : block.start])
            pieces.append(text[block.start : block.end].replace("|", CELL))
            last = block.end
    pieces.append(text[last:])
    return "".join(pieces)


def _cover(text: str, spans: list[tuple[int, int]]) -> str:
    """Overwrite the ascending ``spans`` with filler; line breaks stay."""
    if not spans:
        return text
    pieces, last = [], 0
    for start, end in spans:
        pieces.append(text[last:start])
        pieces.append("\n".join(map(_filler_line, text[start:end].split("\n"))))
        last = end
    pieces.append(text[last:])
    return "".join(pieces)


def _filler_line(line: str) -> str:
    """Return filler for a line; a carriage return belongs to its end, which stays."""
    return FILLER * (len(line) - 1) + "\r" if line.endswith("\r") else FILLER * len(line)


def _comments(text: str) -> list[tuple[int, int]]:
    """HTML comments; an unclosed one hides nothing."""
    spans = []
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            break
        spans.append((start, end + 3))
        start = text.find("<!--", end + 3)
    return spans


def _inline_code(text: str) -> list[tuple[int, int]]:
    """Runs of backticks closed by a run of the same length before the next blank line."""
    spans: list[tuple[int, int]] = []
    start = text.find("`")
    while start >= 0:
        limit = _blank_line(text, start)
        spans += _paired_spans(_backtick_runs(text, start, limit))
        start = text.find("`", limit)
    return spans


def _blank_line(text: str, start: int) -> int:
    """Return where the line ends behind which the next one is blank, or the text."""
    at = text.find("\n", start)
    while at >= 0:
        end = text.find("\n", at + 1)
        if end >= 0 and text[at:end].isspace():
            return at
        at = end
    return len(text)


def _backtick_runs(text: str, start: int, limit: int) -> list[tuple[int, int]]:
    """Return position and length of the runs of backticks from ``start`` to ``limit``."""
    runs = []
    while start >= 0:
        end = start + 1
        while end < limit and text[end] == "`":
            end += 1
        runs.append((start, end - start))
        start = text.find("`", end, limit)
    return runs


def _paired_spans(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pair each run with the next one of its length; what lies between is code."""
    following = [0] * len(runs)  # place of the next run of the same length; 0: there is none
    last: dict[int, int] = {}
    for place in range(len(runs) - 1, -1, -1):
        length = runs[place][1]
        following[place] = last.get(length, 0)
        last[length] = place
    spans = []
    place = 0
    while place < len(runs):
        close = following[place]
        if close:
            spans.append((runs[place][0], sum(runs[close])))
        place = (close or place) + 1
    return spans


def _link_targets(text: str) -> list[tuple[int, int]]:
    """The part of ``[words](target)`` between the parentheses."""
    spans = []
    at = text.find("](")
    while at >= 0:
        end = at + 2
        depth = 1
        while end < len(text) and text[end] != "\n" and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if not depth:
            spans.append((at + 1, end))
        at = text.find("](", end)
    return spans


def _urls(text: str) -> list[tuple[int, int]]:
    """Bare addresses, up to the next space or bracket; closing punctuation stays."""
    spans = []
    for head in _URL_HEADS:
        start = text.find(head)
        while start >= 0:
            end = start + len(head)
            while end < len(text) and text[end] not in _URL_ENDS:
                end += 1
            while end > start and text[end - 1] in ".,;:!?*_":
                end -= 1
            spans.append((start, end))
            start = text.find(head, max(end, start + 1))
    return _disjoint_spans(spans)


def _tags(text: str) -> list[tuple[int, int]]:
    """HTML tags and ``<placeholders>`` within one line."""
    spans = []
    start = text.find("<")
    while start >= 0:
        head = text[start + 1 : start + 2]
        end = -1
        if head.isalpha() or head == "/":
            end = text.find(">", start, start + _LONGEST_TAG)
        if end >= 0 and "\n" not in text[start:end]:
            spans.append((start, end + 1))
            start = text.find("<", end + 1)
        else:
            start = text.find("<", start + 1)
    return spans


def _disjoint_spans(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


#: What ``git commit --verbose`` writes above the diff; everything from there on is left out.
_SCISSORS = "# ------------------------ >8 ------------------------"


def without_comments(text: str) -> str:
    """Return the message with comments as blanks, so that every place stays where it is."""
    lines = text.splitlines(keepends=True)
    cut = next((at for at, line in enumerate(lines) if line.startswith(_SCISSORS)), len(lines))
    return "".join(
        _blank(line) if at >= cut or line.startswith("#") else line for at, line in enumerate(lines)
    )


def _blank(line: str) -> str:
    inside = line.rstrip("\r\n")
    return " " * len(inside) + line[len(inside) :]
