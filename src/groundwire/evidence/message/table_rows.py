"""A table row that names open work beside what is done: "| core complete | tests pending |"."""

from __future__ import annotations

from bisect import bisect_right

from groundwire.text.blocks import ROW, TABLE
from groundwire.text.fold import CELL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.scan.filters import Sentence
    from groundwire.text.fold import Folded

#: What stands over a column of work that is not done.
_OPEN_HEADS = frozenset(
    "blocked left missing next open outstanding pending planned remaining todo to-do".split()
)
_NOTHING = frozenset(("", "-", "\u2013", "\u2014", "n/a", "no", "none", "nothing", "#"))
#: Rows between a row and the head of its table that are looked at.
_REACH = 200
#: Characters of a row that are read.
_LONGEST = 2_000


def names_open_work(sentence: Sentence, folded: Folded) -> bool:
    """Tell whether a sentence is a cell of a row with something in a column of open work."""
    if sentence.role != ROW:
        return False
    blocks = folded.blocks
    at = bisect_right(blocks, sentence.block[0], key=lambda block: block.start) - 1
    first = at
    while first > 0 and blocks[first - 1].role in TABLE and at - first < _REACH:
        first -= 1
    if first == at:
        return False
    head, row = _cells(folded, first), _cells(folded, at)
    return any(
        not _OPEN_HEADS.isdisjoint(title.split()) and cell not in _NOTHING
        for title, cell in zip(head, row, strict=False)
    )


def _cells(folded: Folded, number: int) -> list[str]:
    block = folded.blocks[number]
    text = folded.text[block.start : min(block.end, block.start + _LONGEST)].strip()
    return [cell.strip(" .:!*") for cell in text.strip(CELL).split(CELL)]
