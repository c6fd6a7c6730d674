"""A message of another language with the words that matter as English ones, and the way back.

What numbers, references and contradictions are told by are few words; the readers of English take
them from here. Nothing is translated: every other word stays, and so does the order of all.
"""

from __future__ import annotations

from bisect import bisect_right

from groundwire.base.record import Record
from groundwire.base.rules import DECIMAL, language_words
from groundwire.base.rules.lists import COUNTED
from groundwire.language.fold import Folded, fold
from groundwire.language.markdown import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: Marks of scripts that have no blanks, with those of English.
_PUNCTUATION = {
    "\u3001": ", ", "\u3002": ". ", "\uff0c": ", ", "\uff1a": ": ", "\uff1b": "; ",
    "\uff08": " (", "\uff09": ") ", "\uff01": "! ", "\uff1f": "? ",
}  # fmt: skip
#: Digits of a group between two marks of thousands.
_GROUP = 3


class Words(Record):
    """The phrases of a language by their first word, longest first, each with its English.

    ``free``: its words stand together, and a character stands for the word. ``comma``: decimals
    are written with one.
    """

    phrases: dict[str, list[tuple[str, str]]]
    free: bool
    comma: bool

    def english(self, text: str) -> str:
        """Return lower-case ``text`` with its phrases in English."""
        pieces, at = [], 0
        for start, end, word in self.spots(text):
            pieces += [text[at:start], word]
            at = end
        return "".join((*pieces, text[at:]))

    def spots(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and English of each phrase of lower-case ``text``, in order. Linear."""
        at, size = 0, len(text)
        while at < size:
            char = text[at]
            first = char if self.free else _first_word(text, at)
            behind = at + len(first)
            if char in _PUNCTUATION:
                yield at, at + 1, _PUNCTUATION[char]
            elif self.comma and char in ".," and _is_decimal(text, at):
                yield at, at + 1, "." if char == "," else ","
            else:
                for phrase, word in self.phrases.get(first, ()):
                    end = at + len(phrase)
                    if not text.startswith(phrase, at):
                        continue
                    if self.free or not text[end : end + 1].isalnum():
                        yield at, end, _apart(word, text, end) if self.free else word
                        behind = end
                        break
                else:
                    if self.free and at and _is_edge(text[at - 1], char):
                        yield at, at + 1, f" {char}"
            at = behind


def _first_word(text: str, at: int) -> str:
    """Return the letters and digits that begin at ``at``, or the one sign there."""
    end = at
    while text[end : end + 1].isalnum():
        end += 1
    return text[at : max(end, at + 1)]


def _apart(word: str, text: str, end: int) -> str:
    """Return a word between blanks; a counted one before its number as English has it there."""
    is_count = word in COUNTED and text[end : end + 2].lstrip(" ")[:1].isdigit()
    return f", {word}: " if is_count else f" {word} "


def _is_edge(before: str, char: str) -> bool:
    """Tell whether a number begins or ends between two characters without a blank."""
    return before.isalnum() and char.isalnum() and before.isascii() != char.isascii()


def _is_decimal(text: str, at: int) -> bool:
    """Tell whether a mark between digits is the comma of decimals or a dot of thousands."""
    end = at + 1
    while text[end : end + 1].isdigit():
        end += 1
    if not text[at - 1 : at].isdigit() or end == at + 1 or text[end : end + 1] in (".", ","):
        return False
    return (text[at] == ".") == (end - at - 1 == _GROUP)


def words_of_language(language: str, *, free: bool) -> Words:
    """Return the phrases of ``patterns/CODE/words.toml``."""
    table = language_words(language)
    phrases: dict[str, list[tuple[str, str]]] = {}
    for phrase in sorted(table, key=len, reverse=True):
        first = phrase[0] if free else _first_word(phrase, 0)
        phrases.setdefault(first, []).append((phrase, table[phrase]))
    return Words(phrases, free, DECIMAL in table)


class Gloss(Record):
    """A message with the phrases of its language in English, for readers of English.

    ``folded`` is the message, ``english`` the gloss, folded like a message of its own. ``places``
    are where its stretches begin, ``spans`` where they stand in the message.
    """

    original: str
    masked: str
    folded: Folded
    english: Folded
    places: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """Return where ``start:end`` of the gloss, not empty, stands in the folded message."""
        return self.folded.stretch(self._place(start)[0], self._place(end - 1)[1])

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the same for positions of the folded gloss."""
        return self.stretch(*self.english.span(start, end))

    def _place(self, at: int) -> tuple[int, int]:
        number = bisect_right(self.places, at) - 1
        start, end = self.spans[number]
        place = self.places[number]
        behind = self.places[number + 1 : number + 2] or (len(self.masked),)
        if behind[0] - place != end - start:  # another word
            return start, end
        return start + at - place, start + at - place + 1


def gloss(folded: Folded, words: Words) -> Gloss:
    """Return the gloss of a message. Linear in it."""
    text = folded.masked.replace("\u0130", "i").lower()
    originals: list[str] = []
    masked: list[str] = []
    places: list[int] = []
    spans: list[tuple[int, int]] = []
    at = size = 0
    for start, end, word in (*words.spots(text), (len(text), len(text), "")):
        for first, last, said in ((at, start, None), (start, end, word)):
            if first < last:
                places.append(size)
                spans.append((first, last))
                originals.append(folded.original[first:last] if said is None else said)
                masked.append(folded.masked[first:last] if said is None else said)
                size += len(masked[-1])
        at = end
    original = "".join(originals)
    english = fold(original, mask(original))
    return Gloss(original, "".join(masked), folded, english, tuple(places), tuple(spans))
