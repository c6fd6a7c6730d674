"""What a statement is about: "all 12 tests", "2 of the 12 tests", "the login bug"."""

from __future__ import annotations

from groundwire.record import Record
from groundwire.scan.quantity_words import NUMBER_WORDS
from groundwire.scan.statement_words import (
    ADVERBS,
    DETERMINERS,
    PART,
    PRONOUNS,
    QUANTIFIERS,
    UNIQUE_NOUNS,
    WHOLE,
)

_LONGEST_SUBJECT = 6


class Subject(Record):
    """``nouns`` are stems; ``flips`` is set by "no" and "not all"."""

    nouns: tuple[str, ...]
    whole: bool
    flips: bool = False
    count: float | None = None
    total: float | None = None


def read_subject(words: list[str]) -> Subject | None:
    """Read the words in front of the verb; None when they may mean another thing elsewhere."""
    words = [word for word in words if word not in ADVERBS or word in ("all", "both")]
    flips = whole = quantified = part = False
    count = total = None
    if words[:2] == ["not", "all"]:
        flips, part, words = True, True, words[1:]
    elif words[:1] in (["no"], ["none"]):
        flips, whole, words = True, True, words[1:]
    while words and (words[0] in WHOLE or words[0] in PART or words[0] == "of"):
        whole = whole or words[0] in WHOLE
        quantified = quantified or words[0] in QUANTIFIERS
        part = part or words[0] in PART
        words = words[1:]
    if words and (count := number_of(words[0])) is not None:
        words = words[1:]
        if words[:1] == ["of"]:
            words = [word for word in words[1:] if word not in WHOLE]
            total = number_of(words[0]) if words else None
            words = words[1:]
        elif whole:
            total = count
        part = part or count != total
    if count == 0:  # "0 tests fail"
        flips, part, count, total = not flips, False, None, None
        quantified = True
    nouns = tuple(stem(word) for word in words if word not in DETERMINERS)
    if not nouns or not _names_one_thing(words, nouns, part or quantified or flips):
        return None
    return Subject(nouns, not part, flips, count, total)


def _names_one_thing(words: list[str], nouns: tuple[str, ...], quantified: bool) -> bool:
    """A subject that means the same in another sentence: described, plural or one of its kind."""
    if words[0] in PRONOUNS or words[-1] in PRONOUNS or len(words) > _LONGEST_SUBJECT:
        return False
    if len(nouns) > 1 or quantified:
        return True
    return is_plural(words[0]) or words[-1] in UNIQUE_NOUNS or not words[0].isalpha()


def number_of(word: str) -> float | None:
    """Return the value of a whole number in digits or in words; None for any other word."""
    if word in NUMBER_WORDS:
        return float(NUMBER_WORDS[word])
    digits = word.replace(",", "")
    return float(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 16 else None


def is_plural(word: str) -> bool:
    """Tell whether a noun looks like a plural."""
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def stem(word: str) -> str:
    """Bring the inflections of a regular word together; not meant to be read."""
    if not word.isalpha() or len(word) < 4:
        return word
    if word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if word.endswith("ss"):
        return word
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)].removesuffix("e")
    return word.removesuffix("e")
