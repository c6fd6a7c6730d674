"""What a block of a message is about: its headings, the line above its list, its parent items.

Two statements are only compared when they stand in the same scope, so that "Backend: all tests
pass" and "Frontend: two tests fail" never meet.
"""

from __future__ import annotations

from groundwire.record import Record
from groundwire.scan.statement_words import BLOCK_GUARDS, PLAIN_HEADINGS, PREDICATES
from groundwire.text.blocks import TABLE, Block
from groundwire.text.fold import DIGIT, Folded
from groundwire.text.mask import FILLER

_BOLD_LEVEL = 7  # deeper than any heading
_LABEL_WORDS = 6
_STRIP = " .,:;!?()[]{}*_~\"'\u2014\u2013-|\x1d\u2705\u274c\u2714\u2713\u2717\u26a0"


class Scope(Record):
    """``words`` name the scope; ``lists_cases`` says that nothing under it is a plain statement."""

    words: tuple[str, ...] = ()
    lists_cases: bool = False


class _Level(Record):
    depth: int
    words: tuple[str, ...]
    guarded: bool


class Scopes:
    """Walks the blocks of one message in order and tells the scope of each."""

    def __init__(self, folded: Folded) -> None:
        self._folded = folded
        self._headings: list[_Level] = []
        self._items: list[_Level] = []
        self._lead: _Level | None = None

    def enter(self, block: Block, wanted: bool = True) -> Scope | None:
        """Return the scope of ``block``; None when the block is a heading, a label or a row.

        A block that is not ``wanted`` is only passed; its scope is None, too.
        """
        if block.role in TABLE:
            return None
        if block.role == "heading":
            self._head(_marks_before(self._folded, block), self._words(block))
            return None
        if block.role == "item":
            return self._item(block)
        self._items.clear()
        self._lead = None
        if self._is_bold_label(block):
            self._head(_BOLD_LEVEL, self._words(block))
            return None
        if self._folded.text.endswith(":", block.start, block.end):
            text = self._folded.text[block.start : block.end]
            lead = tuple(word.strip(_STRIP) for word in text[text.rfind(". ") + 1 :].split())
            self._lead = _Level(0, _scope_words(lead), _is_guarded(lead))
        return self._scope(_is_guarded(self._words(block))) if wanted else None

    def _words(self, block: Block) -> tuple[str, ...]:
        return tuple(plain_words(self._folded, block.start, block.end))

    def _is_bold_label(self, block: Block) -> bool:
        """A short bold line of its own, such as ``**Backend**``, heads what follows."""
        place = self._folded.origin(block.start)
        if not place or self._folded.original[place - 1] not in "*_":
            return False
        if self._folded.text[block.end - 1] in ".!":
            return False
        words = self._words(block)
        return len(words) <= _LABEL_WORDS and PREDICATES.keys().isdisjoint(words)

    def _head(self, depth: int, words: tuple[str, ...]) -> None:
        self._items.clear()
        self._lead = None
        while self._headings and self._headings[-1].depth >= depth:
            self._headings.pop()
        self._headings.append(_Level(depth, _scope_words(words), _is_guarded(words)))

    def _item(self, block: Block) -> Scope:
        words = self._words(block)
        original = self._folded.original
        place = self._folded.origin(block.start)
        depth = place - original.rfind("\n", 0, place)
        while self._items and self._items[-1].depth >= depth:
            self._items.pop()
        scope = self._scope(_is_guarded(words))
        self._items.append(_Level(depth, words, _is_guarded(words)))
        return scope

    def _scope(self, guarded: bool) -> Scope:
        levels = [*self._headings, *([self._lead] if self._lead else []), *self._items]
        words: tuple[str, ...] = ()
        for level in levels:
            words += level.words
        return Scope(words, guarded or any(level.guarded for level in levels))


def plain_words(folded: Folded, start: int, end: int) -> list[str]:
    """Return the words of ``folded.text[start:end]`` without outer punctuation.

    Masked code and numbers are given as they were written: folding made them all alike.
    """
    text = folded.text[start:end]
    if FILLER not in text and DIGIT not in text:
        return [word for piece in text.split() if (word := piece.strip(_STRIP))]
    words = []
    at = start
    for piece in text.split(" "):
        word = piece.strip(_STRIP)
        if word and (FILLER in word or DIGIT in word):
            begin = at + piece.index(word)
            first, last = folded.origin(begin), folded.origin(begin + len(word))
            word = " ".join(folded.original[first:last].lower().split()).strip(_STRIP)
        if word:
            words.append(word)
        at += len(piece) + 1
    return words


def _scope_words(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in PLAIN_HEADINGS)


def _is_guarded(words: tuple[str, ...]) -> bool:
    return not BLOCK_GUARDS.isdisjoint(words)


def _marks_before(folded: Folded, block: Block) -> int:
    at = folded.origin(block.start)
    while at and folded.original[at - 1] in " *_":
        at -= 1
    end = at
    while at and folded.original[at - 1] == "#":
        at -= 1
    return end - at
