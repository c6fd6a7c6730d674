"""Sentences of a folded text. A sentence never leaves its block or its table cell."""

from __future__ import annotations

from groundwire.text.fold import Folded
from groundwire.text.mask import CELL

_ABBREVIATIONS = ("e.g", "i.e", " vs", " cf", "approx", " fig", " eq")
#: Closing marks that may stand between the full stop and the space.
_CLOSERS = frozenset("\"')]")
#: Characters of a sentence; a longer text without a full stop is read in pieces, so that looking
#: around in a sentence takes no longer the longer the message is.
LONGEST = 1_000


def sentence_spans(folded: Folded) -> list[tuple[int, int]]:
    """Return the ascending folded spans of all sentences, without outer spaces."""
    spans: list[tuple[int, int]] = []
    for block in folded.blocks:
        start = block.start
        for end in _breaks(folded.text, block.start, block.end):
            _add_pieces(spans, folded.text, start, end)
            start = end
        _add_pieces(spans, folded.text, start, block.end)
    return spans


def _breaks(text: str, start: int, end: int) -> list[int]:
    """Return where sentences end: behind the full stop and any closing quote or bracket."""
    breaks = set()
    for mark in ".!?":
        at = text.find(mark, start, end)
        while at >= 0:
            stop = at + 1
            while stop < end and text[stop] in _CLOSERS:
                stop += 1
            if stop < end and text[stop] == " " and not _is_abbreviation(text, at):
                breaks.add(stop)
            at = text.find(mark, stop, end)
    if not text.isascii():
        breaks.update(at + 1 for at in range(start, end) if text[at] in "\u3002\uff01\uff1f")
    at = start - 1
    while (at := text.find(CELL, at + 1, end)) >= 0:
        breaks.add(at + 1)
    return sorted(breaks)


def _is_abbreviation(text: str, dot: int) -> bool:
    return text.endswith(_ABBREVIATIONS, max(0, dot - 6), dot)


def _add_pieces(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start] in (" ", CELL):
        start += 1
    while end > start and text[end - 1] in (" ", CELL):
        end -= 1
    while end - start > LONGEST:
        cut = text.rfind(" ", start + 1, start + LONGEST)
        cut = start + LONGEST if cut < 0 else cut
        spans.append((start, cut))
        start = cut + (text[cut] == " ")
    if end > start:
        spans.append((start, end))
