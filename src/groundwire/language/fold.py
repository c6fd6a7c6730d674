"""Folding: one spelling for everything that reads the same, the way back, and the sentences.

Lower case, straight quotes, single spaces, no emphasis marks; every number is one ``#``. The
folded text holds the prose blocks only, one a line. Each block break is a hard break.

Invariant: ``text[offset:end]`` with ``offset, end = folded.span(a, b)`` reads like
``folded.text[a:b]``.
"""

from __future__ import annotations

from bisect import bisect_right

from groundwire.base.record import Record
from groundwire.language.markdown import CELL, FILLER, Block, Masked, mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.base.model import Candidate

DIGIT = "#"
HARD_BREAK = "\n"
_DROP = "\x7f"
_LITERAL_HASH = "\x02"
_HASH_CODE = ord("#")

_TABLE = {
    **dict.fromkeys(map(ord, "0123456789"), DIGIT),
    **dict.fromkeys(map(ord, "\t\n\r\v\f\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\u0085"), " "),
    **dict.fromkeys(range(0x2000, 0x200B), " "),
    **dict.fromkeys((0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFE0F, 0xFEFF), _DROP),
    **dict.fromkeys((0x2018, 0x2019, 0x201B, 0x02BC, 0x00B4, 0xFF07), "'"),
    **dict.fromkeys((0x201C, 0x201D, 0x201E, 0x201F, 0x00AB, 0x00BB), '"'),
    **dict.fromkeys((0x2010, 0x2011), "-"),
    **dict.fromkeys((0x300C, 0x300D, 0x300E, 0x300F), '"'),
    **dict(zip((0x3001, 0xFF0C, 0xFF08, 0xFF09, 0xFF1A, 0xFF1B), ",,():;", strict=True)),
    _HASH_CODE: _LITERAL_HASH,
}


class Folded(Record):
    """Folded prose with the anchors that lead back to the original.

    From ``places[i]`` up to ``places[i + 1]`` folded and original positions run in step, starting
    at ``origins[i]``. ``blocks`` count in folded positions.
    """

    text: str
    original: str
    masked: str
    blocks: tuple[Block, ...]
    places: tuple[int, ...]
    origins: tuple[int, ...]

    def origin(self, position: int) -> int:
        """Return the original position of a folded one."""
        index = bisect_right(self.places, position) - 1
        return self.origins[index] + position - self.places[index]

    def position(self, origin: int) -> int:
        """Return the folded position of an original one (of the next kept character if dropped)."""
        index = bisect_right(self.origins, origin) - 1
        if index < 0:
            return 0
        limit = self.places[index + 1] if index + 1 < len(self.places) else len(self.text)
        return min(self.places[index] + origin - self.origins[index], limit)

    def stretch(self, offset: int, end: int) -> tuple[int, int]:
        """Return the folded ``(start, end)`` of the original stretch ``offset:end``, not empty."""
        last = self.position(end - 1)
        kept = self.origin(last) <= end - 1
        return self.position(offset), last + 1 if kept else last

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original ``(offset, end)`` of the folded stretch ``start:end``, not empty."""
        places = self.places
        index = bisect_right(places, start)
        behind = self.origins[index - 1] - places[index - 1]
        is_in_step = index == len(places) or end <= places[index]  # as most are
        offset, stop = start + behind, end + behind if is_in_step else self.origin(end - 1) + 1
        if self.text[end - 1] == DIGIT:
            stop = _number_end(self.original, stop)
        return offset, stop


def _number_end(original: str, at: int) -> int:
    """Return where a number ends whose first digit stands before ``at``; folding drops the rest."""
    while at < len(original):
        joined = original[at] in ".," and original[at + 1 : at + 2].isdigit()
        if not (original[at].isdigit() or joined):
            break
        at += 1
    return at


def fold(original: str, masked: Masked) -> Folded:
    """Fold a masked message. Linear in its length."""
    lowered = masked.text.replace("\u0130", "i").lower()
    text = _replaced(lowered)
    pieces: list[str] = []
    blocks: list[Block] = []
    places: list[int] = []
    origins: list[int] = []
    at = 0
    for block in masked.blocks:
        begin = at
        for start, end in _kept_spans(text, block.start, block.end):
            pieces.append(text[start:end])
            places.append(at)
            origins.append(start)
            at += end - start
        if at > begin:
            blocks.append(Block(begin, at, block.role))
            pieces.append(HARD_BREAK)
            places.append(at)
            origins.append(block.end)
            at += 1
    if not places:
        places, origins = [0], [0]
    return Folded(
        "".join(pieces), original, masked.text, tuple(blocks), tuple(places), tuple(origins)
    )


def _replaced(text: str) -> str:
    """Return ``text`` with the replacements of ``_TABLE``."""
    if text.isascii():
        return text.translate(_TABLE)
    # elsewhere one replacement after the other takes a fifth of the time
    text = text.replace("#", _LITERAL_HASH)  # before the digits, which become one
    for code, replacement in _TABLE.items():
        if code != _HASH_CODE:
            text = text.replace(chr(code), replacement)
    return text


def fold_phrase(phrase: str) -> str:
    """Fold a short text of its own, such as a form or an allowlist phrase."""
    return fold(phrase, mask(phrase)).text.strip(HARD_BREAK)


def _kept_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split ``text[start:end]`` into the stretches that stay."""
    spans = []
    last = start
    for at in _drop_positions(text, start, end):
        if at > last:
            spans.append((last, at))
        last = at + 1
    if end > last:
        spans.append((last, end))
    return spans


def _drop_positions(text: str, start: int, end: int) -> list[int]:
    """Return the ascending positions of characters that folding leaves out."""
    drops: set[int] = set()
    for mark in ("*", "_", _DROP):
        at = text.find(mark, start, end)
        while at >= 0:
            stop = at + 1
            while stop < end and text[stop] == mark:
                stop += 1
            if mark == _DROP or _is_emphasis(text, (at, stop), start, end):
                drops.update(range(at, stop))
            at = text.find(mark, stop, end)
    for pair in (DIGIT + DIGIT, DIGIT + ".", DIGIT + ","):
        at = text.find(pair, start, end)
        while at >= 0:
            if pair[1] == DIGIT:
                drops.add(at + 1)
            elif at + 2 < end and text[at + 2] == DIGIT:
                drops.update((at + 1, at + 2))
            at = text.find(pair, at + 1, end)
    _add_spaces(text, start, end, drops)
    return sorted(drops)


def _add_spaces(text: str, start: int, end: int, drops: set[int]) -> None:
    """Add the spaces at both ends and every space that follows one, looking through drops."""
    at = start
    while at < end and (text[at] == " " or at in drops):
        drops.add(at)
        at += 1
    stop = end - 1
    while stop > at and (text[stop] == " " or stop in drops):
        drops.add(stop)
        stop -= 1
    # only behind these spaces there is anything to drop
    spaces = [dropped - 1 for dropped in drops if dropped > at and text[dropped - 1] == " "]
    double = at - 1
    while (double := text.find("  ", double + 1, end)) >= 0:
        spaces.append(double)
    following = at
    for space in sorted(spaces):
        if space < following:  # dropped with the one before
            continue
        following = space + 1
        while following < end and (text[following] == " " or following in drops):
            drops.add(following)
            following += 1


def _is_emphasis(text: str, run: tuple[int, int], start: int, end: int) -> bool:
    """Tell whether a run of ``*`` or ``_`` is emphasis, neither arithmetic nor part of a name."""
    first, stop = run
    before = text[first - 1] if first > start else " "
    after = text[stop] if stop < end else " "
    if text[first] == "_":
        return not (is_word(before) and is_word(after))
    return not (before == " " and after == " ") and not (before == DIGIT and after == DIGIT)


def is_word(character: str) -> bool:
    """Tell whether a folded character belongs to a word."""
    return character.isalnum() or character in ("_", DIGIT)


__all__ = ["CELL", "DIGIT", "FILLER", "HARD_BREAK", "Folded", "fold", "fold_phrase", "is_word"]


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


class Sentence(Record):
    """One sentence in folded positions, with the cues in it ordered by position."""

    text: str  # the whole folded text
    start: int
    end: int
    role: str  # of its block: text, item, row, head or heading
    block: tuple[int, int]
    cues: tuple[Candidate, ...] = ()
    quotes: Sequence[int] = ()  # where quotation marks stand in the whole text
    section: str = ""  # a part that describes a product, see ``sections_of``
