"""Same-length masking of everything in a message that is not the writer's own prose.

Code, quotes, links and tags are overwritten in place, so that every position stays the position
in the original. The filler is neither a word nor a space: no phrase joins across it.
"""

from __future__ import annotations

from groundwire.record import Record
from groundwire.text.blocks import TABLE, Block, find_blocks

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
