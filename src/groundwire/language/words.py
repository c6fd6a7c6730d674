"""Words around a position of a masked message, for the scanners beside the automaton."""

from __future__ import annotations

#: Spaces and emphasis marks may stand between two words of one phrase.
_GAP = frozenset(" \t\r\u00a0\u202f\u2009*_")
_INSIDE = frozenset("'\u2019-")
#: Longer runs of letters are no words; the limit keeps every look at a neighbour constant.
_LONGEST_WORD = 40
_LONGEST_GAP = 16
#: Punctuation, quotes and signs that may stand around a word and are no part of it.
EDGES = ".,:;!?()[]{}<>|*_`\"'\\"
#: Ends of the names of errors, and names of errors that look like no name.
_ERROR_ENDS = ("Error", "Exception", "Warning", "Panic", "Failure")
_ERRORS = frozenset("ENOENT EACCES EPERM EADDRINUSE ECONNREFUSED ENOSPC SIGSEGV NaN OOM".split())
_SHORTEST_THING, _LONGEST_THING, _MOST_THINGS = 3, 120, 12

#: Letters of a word that make its stem: its other forms are the same word.
_STEM = 5
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_NO_LETTERS = bytes(set(range(256)) - set(_LETTERS))
_SPACED = bytes.maketrans(_NO_LETTERS, b" " * len(_NO_LETTERS))


def plain_words(text: str) -> tuple[str, ...]:
    """Return what stands between the spaces of ``text``, without the signs around it."""
    return tuple([word.strip(EDGES) for word in text.split()])


def stems_of(text: str) -> list[bytes]:
    """Return the first letters of the longer English words of ``text``, inside code, too."""
    return [word[:_STEM] for word in _letters(text) if len(word) >= _STEM]


def stems_in(text: str) -> set[bytes]:
    """Return the same as a set, faster where words repeat."""
    return {word[:_STEM] for word in set(_letters(text)) if len(word) >= _STEM}


def _letters(text: str) -> list[bytes]:
    return text.lower().encode("ascii", "replace").translate(_SPACED).split()


def skip_gap(text: str, at: int) -> int:
    """Return the position behind the gap at ``at``.

    A line break counts as a gap only when a lower-case letter follows, so that two lines that
    merely stand below each other are not read as one phrase.
    """
    if text[at : at + 1] == " " and text[at + 1 : at + 2].isalpha():
        return at + 1  # nearly always
    limit = min(len(text), at + _LONGEST_GAP)
    stop = _over_gap(text, at, limit)
    if stop < limit and text[stop] == "\n":
        behind = _over_gap(text, stop + 1, limit)
        if behind < len(text) and text[behind].islower():
            return behind
    return stop


def word_end(text: str, at: int) -> int:
    """Return the end of the word that begins at ``at``; ``at`` itself when there is none."""
    limit = min(len(text), at + _LONGEST_WORD)
    word = text[at:limit].partition(" ")[0]
    if word.isalpha():
        return at + len(word)
    stop = at
    while stop < limit and (text[stop].isalpha() or (stop > at and _joins(text, stop))):
        stop += 1
    return stop


def next_words(text: str, at: int, count: int) -> list[tuple[str, int]]:
    """Return up to ``count`` words that follow ``at`` directly: lower case, with their ends."""
    words = []
    for _ in range(count):
        start = skip_gap(text, at)
        end = word_end(text, start)
        if end == start:
            break
        words.append((text[start:end].lower(), end))
        at = end
    return words


def word_before(text: str, at: int) -> tuple[str, int]:
    """Return the word that ends directly before ``at`` (lower case) and its start; "" if none."""
    floor = max(0, at - _LONGEST_GAP)
    end = at
    while end > floor and text[end - 1] in _GAP:
        end -= 1
    start = end
    floor = max(0, end - _LONGEST_WORD)
    word = text[floor:end].rpartition(" ")[2]
    if word.isalpha():
        return word.lower(), end - len(word)
    while start > floor and (text[start - 1].isalpha() or _joins(text, start - 1)):
        start -= 1
    return text[start:end].lower(), start


def words_before(text: str, at: int, count: int) -> set[str]:
    """Return up to ``count`` words before ``at``; a colon, dash or bracket may stand between."""
    words = set()
    for _ in range(count):
        floor = max(0, at - _LONGEST_GAP)
        while at > floor and (text[at - 1] in _GAP or text[at - 1] in ":(\u2014="):
            at -= 1
        word, at = word_before(text, at)
        words.add(word)
    return words


def _over_gap(text: str, at: int, limit: int) -> int:
    while at < limit and text[at] in _GAP:
        at += 1
    return at


def _joins(text: str, at: int) -> bool:
    """An apostrophe or hyphen between two letters."""
    return (
        text[at] in _INSIDE
        and 0 < at < len(text) - 1
        and text[at - 1].isalpha()
        and text[at + 1].isalpha()
    )


def names_in(sentence: str) -> tuple[str, ...]:
    """Return what a sentence, as written, names: code, files, identifiers, errors, quoted words."""
    pieces = sentence.replace("\u201c", '"').replace("\u201d", '"').split("`")
    prose = " ".join(pieces[::2])
    words = (word.strip(".,;:!?()[]{}<>\"'*") for word in prose.split())
    named = [word for word in words if not (word.islower() and word.isalpha()) and _is_name(word)]
    things = [*map(_name_in_code, pieces[1::2]), *prose.split('"')[1::2], *named]
    unique = dict.fromkeys(map(str.strip, things))
    kept = [name for name in unique if _SHORTEST_THING <= len(name) <= _LONGEST_THING]
    return tuple(kept[:_MOST_THINGS])


def _name_in_code(code: str) -> str:
    """A call stands for the function, a path of a file for its name; the rest for itself."""
    head = code.strip().partition("(")[0]
    head = code if " " in head else head
    name = head.replace("\\", "/").rpartition("/")[2].partition(":")[0]
    return name if "." in name else head


def _is_name(word: str) -> bool:
    """``snake_case``, ``camelCase``, ``a.b.c``, ``file.py``, ``TypeError``, ``MAX_SIZE``."""
    if word in _ERRORS or word.endswith(_ERROR_ENDS):
        return True
    if word.isalpha() and word[1:].islower():
        return False  # nearly always
    if not word.isascii() or not any(map(str.isalpha, word)):
        return False
    parts, inner = word.split("."), word[1:]
    is_mixed = word.isalnum() and inner.upper() != inner != inner.lower()
    is_dotted = len(parts) > 1 and all(len(part) > 1 and part[0].isalpha() for part in parts)
    return is_mixed or is_dotted or "_" in word.strip("_")
