"""Two plain statements of one message that cannot both hold: of other counts, or one denies it.

Statements are looked up by what they speak of, never compared pair by pair. What counts is a
statement followed by its opposite: in the other order it usually tells of a repair, so there the
first one must say that it is *still* so. Only simple clauses are read; a sentence with a condition,
a contrast, a sequence or a case in it is none, and under another heading it is of another thing.
"""

from __future__ import annotations

from itertools import pairwise

from groundwire.base.record import Record
from groundwire.base.rules import lists
from groundwire.language.fold import DIGIT
from groundwire.language.markdown import FILLER, TABLE
from groundwire.language.statements import (
    COUNTING,
    EMPTY,
    NEGATIONS,
    NONE,
    STILL,
    STRIP,
    TELLING,
    words_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.language.fold import Folded
    from groundwire.language.markdown import Block

POLARITY = "contradiction.polarity"
NUMBER = "contradiction.number"

_SPLITS = (", ", "; ", " and ", " - ", " \u2013 ", " \u2014 ", "\u2705", "\u274c", ": ")
_WHOLE = words_of("all every each both the these those our your my its")
_PART = words_of("some several many few most a an another one part")
_PRONOUNS = words_of("it this that they these those he she you everything nothing something")
_OWN = words_of("i we")
#: First words of an order.
_ORDERS = words_of("do always never use commit push run")
#: Single nouns that name one thing in a project.
_UNIQUE = words_of("build ci lint suite pipeline deployment server app project migration release")
_SAME = {"ran": "run", "wrote": "write", "made": "make", "built": "build"}
_LONGEST, _LONGEST_TITLE, _LONGEST_SCOPE = 16, 6, 100


class Statement(Record):
    """A clause at ``start:end`` of the folded text; equal ``key`` means the same thing, same place.

    ``good`` is its polarity; ``whole``: it is of all of the subject; ``count`` and ``total`` are N
    and M of "N of M"; ``still``: it is so at the end; ``counts``: only ``count`` is compared.
    """

    key: tuple[str, ...]
    good: bool
    whole: bool = True
    still: bool = False
    count: float | None = None
    total: float | None = None
    counts: bool = False
    sentence: int = 0
    start: int = 0
    end: int = 0


def find_contradictions(
    folded: Folded, sentences: list[tuple[int, int]], stating: list[int], *, last: bool = False
) -> list[tuple[int, int, int, int, str]]:
    """Return ``(start, end, other_start, other_end, marker id)`` in folded positions.

    ``start:end`` is the later of the two statements, the evidence; ``other`` the earlier one.
    ``sentences`` are the ascending spans of all sentences, ``stating`` the numbers of those that
    may hold a statement. ``last``: numbers and verbs stand behind what they are of, as in
    Japanese. Linear in the message.
    """
    contradictions = []
    seen: dict[tuple[tuple[str, ...], str], Statement] = {}
    for later in _statements(folded, sentences, stating, last):
        role, rivals = _roles(later)
        for rival, marker_id in rivals:
            other = seen.get((later.key, rival))
            if other and other.sentence != later.sentence and _excludes(other, later, marker_id):
                contradictions.append((later.start, later.end, other.start, other.end, marker_id))
                break
        seen[later.key, role] = later
    return contradictions


def _roles(statement: Statement) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return what a statement is for later ones, and what it may exclude, and how."""
    if not statement.good:
        return ("open" if statement.still else "bad"), (("whole", POLARITY),)
    if statement.counts or statement.whole:
        return "whole", (("open", POLARITY), ("whole", NUMBER))
    return "part", (("whole", NUMBER), ("part", NUMBER))


def _excludes(earlier: Statement, later: Statement, marker_id: str) -> bool:
    if marker_id == POLARITY:
        return True
    if later.count is None or (later.total is None and not later.counts):
        return False
    if earlier.whole and not later.whole:
        return later.total is not None and later.count < later.total
    if earlier.count is None:
        return False
    if later.whole:
        return earlier.count != later.count
    return earlier.total == later.total and later.count < earlier.count  # more would be progress


def _statements(
    folded: Folded, sentences: list[tuple[int, int]], stating: list[int], last: bool
) -> Iterator[Statement]:
    """Read sentences; a heading, a lead and the items above narrow what stands under them."""
    heading: tuple[str, ...] = ()
    guarded = False
    above: list[tuple[int, tuple[str, ...]]] = []
    waiting = iter(stating)
    number: int | None = next(waiting)
    for block in folded.blocks:
        if block.role != "item":
            above.clear()
        else:
            depth = _depth(folded, block)
            above = [one for one in above if one[0] < depth]
        if _is_title(folded, block):
            words = plain_words(folded, block.start, block.end)
            guarded = not lists.STATING_GUARDS.isdisjoint(words)
            heading = (
                (str(block.start),) if heading or not lists.PLAIN_TITLES.issuperset(words) else ()
            )
        while number is not None and sentences[number][0] < block.end:
            if not guarded and block.role not in TABLE and block.role != "heading":
                scope = (*heading, *(word for _, words in above for word in words))
                yield from _sentence_statements(folded, *sentences[number], number, scope, last)
            number = next(waiting, None)
        if number is None:
            return
        if block.role == "item":
            above.append((depth, tuple(plain_words(folded, block.start, block.end)[:_LONGEST])))


def _depth(folded: Folded, block: Block) -> int:
    place = folded.origin(block.start)
    return place - folded.original.rfind("\n", 0, place)


def _is_title(folded: Folded, block: Block) -> bool:
    """Tell whether a block is a heading, a short line in its place, or a lead with a colon."""
    text = folded.text[block.start : block.end]
    if block.role != "text" or text.endswith(":"):
        return block.role in ("heading", "text")
    words = text.split(maxsplit=_LONGEST_TITLE)
    return len(words) <= _LONGEST_TITLE and text[-1] not in ".!?" and TELLING.isdisjoint(words)


def _sentence_statements(
    folded: Folded, start: int, end: int, number: int, scope: tuple[str, ...], behind: bool
) -> Iterator[Statement]:
    """Read the clauses of a sentence; what is no statement narrows those behind it."""
    text = folded.text[start:end]
    for mark in _SPLITS[:-1] if behind else _SPLITS:
        text = text.replace(mark, "\n" * len(mark))
    for piece in text.split("\n"):
        if piece.strip(STRIP):
            words = plain_words(folded, start, start + len(piece))
            statement = read_clause(_number_first(words) if behind else words)
            if statement is None:
                scope = (*scope, "|", *words)[:_LONGEST_SCOPE]
            else:
                first = start + len(piece) - len(piece.lstrip())
                last = start + len(piece.rstrip(" .!"))
                key = (*scope, "||", *statement.key)
                yield statement.replace(key=key, sentence=number, start=first, end=last)
        start += len(piece) + 1


def _number_first(words: list[str]) -> list[str]:
    """Return the words of a clause with its number, and "there", in front of what they are of."""
    front = [word for word in words if word == "there" or number_of(word) is not None]
    whole = words[:1] if words[0] in _WHOLE | NONE else []
    return [*whole, *front, *(word for word in words[len(whole) :] if word not in front)]


def read_clause(words: list[str]) -> Statement | None:
    """Read one clause, given in lower case; None when it is no plain statement."""
    plain = " ".join(words).replace("n't ", " not ").replace(" a total of ", " ")
    words = plain.split()
    if not 2 <= len(words) <= _LONGEST or words[0] in _PRONOUNS or words[0] in _ORDERS:
        return None
    about, rest = _quantity(words)
    about = about.replace(still=not STILL.isdisjoint(words))
    key: list[str] = []
    place, good, counted = -1, about.good, None
    for word, behind in pairwise([*rest, ""]):
        if word in NEGATIONS:
            good = not good
        elif word in lists.SAYING and words[0] not in _OWN:
            if place >= 0:
                return None
            place = len(key)
            key.append(lists.SAYING[word][0])
            good = good is lists.SAYING[word][1]
        elif key[-1:] == ["has"] and (number := number_of(word)) is not None:
            counted = number
        elif word in COUNTING and number_of(behind) is not None:
            key.append("has")
        elif word not in EMPTY:
            key.append(stem(word))
    about = about.replace(key=tuple(key), good=good)
    if place >= 0:
        return about if _is_one_thing(key[:place], words, about) else None
    if counted is not None:
        return about.replace(count=counted, counts=True) if about.whole else None
    if words[0] == "there" or words[0] in NONE or words[-1] in STILL:
        return about.replace(key=("none", *key), good=not about.good, whole=True) if key else None
    is_named = words[0] in _OWN or len(key) > 3 or (len(key) == 3 and _is_name(key[0]))
    return about if is_named and about.whole and about.count is None else None


def _quantity(words: list[str]) -> tuple[Statement, list[str]]:
    """Read "all 12", "2 of the 12", "no", "not all" in front; return it and what is behind."""
    at, good, whole, part = 0, True, False, False
    count = total = None
    while words[at : at + 1] and (words[at] in STILL or words[at] in ("there", "is", "are")):
        at += 1
    if words[at : at + 2] == ["not", "all"]:
        at, good, part = at + 2, False, True
    elif words[at : at + 1] and words[at] in NONE:
        at, good = at + 1, False
    while words[at : at + 1] and (words[at] in _WHOLE or words[at] in _PART or words[at] == "of"):
        whole, part = whole or words[at] in _WHOLE, part or words[at] in _PART
        at += 1
    if words[at : at + 1] and (count := number_of(words[at])) is not None:
        at += 1
        total = count if whole else None
        if words[at : at + 1] == ["of"]:
            at += 1 + (words[at + 1 : at + 2] == ["the"])
            total = number_of("".join(words[at : at + 1]))
            at += 1
        part = part or count != total
    return Statement((), good, not part, count=count, total=total), words[at:]


def _is_one_thing(nouns: list[str], words: list[str], about: Statement) -> bool:
    """A subject that means the same in another sentence: described, plural or one of its kind."""
    if not nouns:
        return False
    counted = about.count is not None or not about.whole or words[0] in NONE | {"all", "every"}
    return counted or len(nouns) > 1 or _is_name(nouns[0]) or f"{nouns[0]}s" in words


def _is_name(noun: str) -> bool:
    return noun in _UNIQUE or not noun.isalpha()


def plain_words(folded: Folded, start: int, end: int) -> list[str]:
    """Return the words of ``folded.text[start:end]`` without outer punctuation.

    Masked code and numbers are given as they were written: folding made them all alike.
    """
    words = []
    at = start
    for piece in folded.text[start:end].split(" "):
        word = piece.strip(STRIP)
        if FILLER in word or DIGIT in word:
            begin = at + piece.index(word)
            first, last = folded.origin(begin), folded.origin(begin + len(word))
            word = " ".join(folded.original[first:last].lower().split()).strip(STRIP)
        if word:
            words.append(word)
        at += len(piece) + 1
    return words


def number_of(word: str) -> float | None:
    """Return the value of a whole number in digits or in words; None for any other word."""
    digits = word.replace(",", "")
    if word not in lists.NUMBER_WORDS and not (digits.isascii() and digits.isdecimal()):
        return None
    return float(lists.NUMBER_WORDS.get(word, digits[:15]))


def stem(word: str) -> str:
    """Bring the inflections of a regular word together; not meant to be read."""
    word = _SAME.get(word, word)
    if not word.isalpha() or len(word) < 4 or word.endswith("ss"):
        return word
    if word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)].removesuffix("e")
    return word.removesuffix("e")
