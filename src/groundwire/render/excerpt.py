"""A passage of a text in rows as wide as a terminal, with a part of it underlined."""

from __future__ import annotations

from unicodedata import combining, east_asian_width

from groundwire.render.prose import ELLIPSIS, JOINERS, one_line

WIDTH = 80
_EXCERPT_ROWS = 4
_EXCERPT_REACH = 2_000  # characters looked at on each side, so that a huge line costs little


def columns(text: str) -> int:
    """Return how many terminal columns a line takes: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    width = 0
    for character in text:
        if character in JOINERS or combining(character):
            continue
        width += 2 if east_asian_width(character) in "WF" else 1
    return width


def wrap(line: str, width: int) -> list[tuple[int, int]]:
    """Return the spans of the rows that a line breaks into, each at most ``width`` columns."""
    rows = []
    at = 0
    while at < len(line):
        end = _fitting_end(line, at, width)
        if end < len(line):
            space = line.rfind(" ", at, end + 1)
            end = space if space > at else end
        rows.append((at, end))
        at = end + 1 if line[end : end + 1] == " " else end
    return rows


def _fitting_end(line: str, start: int, width: int) -> int:
    """Return the end of the longest piece from ``start`` that fits, at least one character."""
    end = min(len(line), start + width)
    while end - start > 1 and columns(line[start:end]) > width:
        end -= 1
    return end


def excerpt(text: str, around: tuple[int, int], marked: tuple[int, int], width: int) -> list[str]:
    """Return the rows that show ``text[around]`` with ``text[marked]`` underlined.

    Both spans are code points of ``text``. A passage that is too long for four rows loses words
    at its ends, so that the marked part stays in sight.
    """
    start, end = marked
    middle = one_line(text[start:end], _EXCERPT_ROWS // 2 * width)
    first = max(min(around[0], start), start - _EXCERPT_REACH)
    last = min(max(around[1], end), end + _EXCERPT_REACH)
    before = _joined_part(text[first:start]).lstrip()
    after = _joined_part(text[end:last]).rstrip()
    room = width * _EXCERPT_ROWS - len(middle)
    before = _tail(before, max(room // 2, room - len(after)))
    after = _head(after, room - len(before))
    line = before + middle + after
    rows = []
    for row, row_end in wrap(line, width):
        rows.append(line[row:row_end])
        low, high = max(row, len(before)), min(row_end, len(before) + len(middle))
        underline = "~" * columns(line[low:high])
        if underline:
            rows.append(" " * columns(line[row:low]) + underline)
    return rows


def _joined_part(text: str) -> str:
    """Return ``one_line`` of a part, keeping a space where it touches its neighbour."""
    if not text.strip():
        return " " if text else ""
    left = " " if text[0].isspace() else ""
    return left + one_line(text) + (" " if text[-1].isspace() else "")


def _tail(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[len(text) - max(0, limit - len(ELLIPSIS) - 1) :]
    return f"{ELLIPSIS} {cut.partition(' ')[2] or cut}"


def _head(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    cut = text[: max(0, limit - len(ELLIPSIS) - 1)]
    return f"{cut.rpartition(' ')[0] or cut} {ELLIPSIS}"
