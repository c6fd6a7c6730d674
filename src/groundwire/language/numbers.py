"""Numbers of a message that claim something: what they measure, and which are candidates.

Works on the masked message, where the values still stand, from number to number in one pass.
Dates, versions, times of day, list indices, line numbers and identifiers are not quantities.
"""

from __future__ import annotations

from groundwire.base.rules import lists
from groundwire.language.quantities import (
    MOST_WORDS,
    PERCENT,
    RATIO,
    SINGULARS,
    TIMES,
    Numeral,
    Quantity,
    is_digit,
    make,
    numeral_starts,
    read_digits,
    read_numeral,
    read_quantity,
)
from groundwire.language.words import next_words, skip_gap, word_before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    _Words = list[tuple[str, int]]  # behind a number: lower case, with their ends

THINGS = "things"  # a count of any other noun, and "3 of 5"
AMOUNT, DURATION = "amount", "duration"  # with a unit; of a run
EXIT = "exit"  # the code that a command ended with

#: Words behind a number up to a noun that is not known, and the least letters of one.
_MOST_BEFORE_NOUN, _SHORTEST_NOUN = 3, 4
#: Characters around a number in words that are looked at. It counts something only before one of
#: ``_COUNTING``, as a part ("two of the ..."), or behind one of ``_ASIDE``: "errors: two".
_GLANCE, _NEAR = 80, 8
_COUNTING = frozenset(
    (*lists.COUNTED, *SINGULARS, *lists.OUTCOMES, *lists.SECONDS, *lists.OF_COUNT)
)
_MARKS = "*_,.;:!?()/-\u00d7\x1d"
_ASIDE = frozenset("*_:(=\x1d")
_SINGULAR_ENDS = ("ss", "us", "is")
_OF_EXIT = frozenset("exited exit code status with of was =".split())
_ENDED = tuple([verb, "with"] for verb in "finished completed ended failed succeeded".split())
_CLAUSE_ENDS = (". ", "! ", "? ", "; ", "\n", "\x1d")


def find_numbers(masked: str) -> list[Quantity]:
    """Return the quantities of a masked message by position, without overlaps. Linear."""
    quantities: list[Quantity] = []
    free = 0
    for start in numeral_starts(masked):
        if start < free or not (is_digit(masked, start) or _may_count(masked, start)):
            continue
        number, free = read_numeral(masked, start)
        quantity = number and _read(masked, number)
        if quantity:
            if quantities and quantity.start < quantities[-1].end:
                quantity = quantity.replace(start=quantities[-1].end)
            quantities.append(quantity)
            free = max(free, quantity.end)
    return quantities


def quantity_candidates(quantities: Iterable[Quantity], masked: str) -> list[tuple[int, int, str]]:
    """Return ``(start, end, marker id)`` of the quantities that claim something, in order.

    Positions are those of the message; the ids are entries of ``pseudo_quantification.toml``.
    Settings ("an 80% threshold") and counts of a known set ("the two files") claim nothing.
    """
    named = ((one, _marker_id(one, masked)) for one in quantities)
    return [(one.start, one.end, f"quantity.{name}") for one, name in named if name]


def _may_count(masked: str, start: int) -> bool:
    """Tell at a glance whether a number in words may be a quantity; most are none ("one of us")."""
    behind = masked[start : start + _GLANCE].lower().replace("%", " percent ")
    for mark in _MARKS:
        behind = behind.replace(mark, " ")
    words = behind.split()
    if not _COUNTING.isdisjoint(words):
        return True
    first = next((word for word in words if word not in lists.NUMBER_WORDS), "")
    return first in ("of", "out") or not _ASIDE.isdisjoint(masked[max(0, start - _NEAR) : start])


def _read(text: str, number: Numeral) -> Quantity | None:
    """Tell what the number measures; None when it is no quantity."""
    words = next_words(text, number.end, MOST_WORDS)
    return (
        read_quantity(text, number, words)
        or _exit_code(text, number)
        or _amount(text, number, words)
        or _things(text, number, words)
    )


def _exit_code(text: str, number: Numeral) -> Quantity | None:
    """Read "exited with code 0" and "finished with exit code 2"; "exits with code 2" is a rule."""
    clause = text[max(0, number.start - _GLANCE) : number.start].lower()
    at = clause.rfind("exit")
    words = clause[at:].replace("*", "").split() if at >= 0 else []
    is_named = words[:1] == ["exited"] or words[1:2] in (["code"], ["status"])
    if not is_named or not _OF_EXIT.issuperset(words) or number.value % 1:
        return None
    ended = words[0] == "exited" or "was" in words or clause[:at].split()[-2:] in _ENDED
    if not ended or text[number.end : number.end + 1].isalnum():
        return None
    return make(number, number.end, EXIT, "exit code").replace(
        start=number.start - len(clause) + at
    )


def _amount(text: str, number: Numeral, words: _Words) -> Quantity | None:
    """Read "~70 ms" and "10 MB", and the time that a run took: "passed in 340 ms"."""
    unit, end = words[0] if words else ("", 0)
    if unit in lists.SECONDS and _is_measured(text, number):
        return make(number, end, DURATION, unit)
    is_amount = is_digit(text, number.start) and number.before not in lists.LABELS
    if (
        not is_amount
        or (unit not in lists.SECONDS and unit not in lists.SIZES)
        or text[end : end + 1].isalnum()
    ):
        return None
    return make(number, end, AMOUNT, unit)


def _is_measured(text: str, number: Numeral) -> bool:
    """Tell whether a time is one that a run took: "took 1.2 s", "dropped from 4.2 s to 1.3 s"."""
    clause = text[max(0, number.start - _GLANCE) : number.start].lower()
    for mark in _CLAUSE_ENDS:
        clause = clause.rpartition(mark)[2]
    letters = "".join(char if char.isalpha() else " " for char in clause)
    words = [word for word in reversed(letters.split()) if word not in lists.SECONDS]
    if not words or not lists.LIMITS.isdisjoint(words[:4]):
        return False
    if words[0] == "in":
        return not lists.RAN.isdisjoint(words[1:6])
    shrank = words[0] in ("from", "to") and not lists.SHRUNK.isdisjoint(words)
    return shrank or words[0] in ("took", "lasted")


def _things(text: str, number: Numeral, words: _Words) -> Quantity | None:
    """Read "3 of 5", "3 of the 5" and "7 endpoints": in digits, of a noun that is not known."""
    is_count = is_digit(text, number.start) and number.before not in lists.LABELS and words
    if not is_count or text[number.end : number.end + 1].isalnum() or number.value % 1:
        return None
    if words[0][0] == "of":
        has_article = [word for word, _ in words[1:2]] == ["the"]
        at = skip_gap(text, words[has_article][1])
        total, end = read_digits(text, at) if is_digit(text, at) else (-1.0, at)
        is_part = number.value <= total and not text[end : end + 1].isalnum()
        return make(number, end, THINGS, total=total) if is_part else None
    if str(int(number.value)) in lists.STATUS_CODES:
        return None
    for word, end in words[:_MOST_BEFORE_NOUN]:
        if word in lists.STOP_WORDS:
            return None
        if word[-1] == "s" and len(word) >= _SHORTEST_NOUN and not word.endswith(_SINGULAR_ENDS):
            return make(number, end, THINGS, word)
    return None


def _marker_id(one: Quantity, masked: str) -> str:
    """Return the last part of the marker of a quantity; "" when it claims nothing."""
    before, at = word_before(masked, one.start)
    behind = [word for word, _ in next_words(masked, one.end, 2)]
    if one.kind == PERCENT:
        is_set = {before, word_before(masked, at)[0], *behind} & lists.SETTING_WORDS
        if is_set or lists.CERTAINTY_WORDS.intersection(behind[:1]):
            return ""
        changes = before == "by" or lists.CHANGES.intersection(behind)
        return "percent-change" if changes else "percent"
    if one.kind == RATIO:
        return "score"
    if one.kind == TIMES:  # a bare "3x" counts only where the words around make it a comparison
        leads = before in ("by", "up", "down", "to", "roughly", "about", "nearly")
        return "times-faster" if one.unit or leads or behind[:1] in (["the"], ["as"]) else ""
    if one.kind == DURATION:
        return "" if one.approximate else "duration"
    if one.kind in (AMOUNT, EXIT):
        return one.kind.replace(EXIT, "exit-code")
    if one.outcome:
        return "" if before in ("if", "when", "until", "only", "next") else "test-result"
    if before in lists.KNOWN_SET_WORDS or (one.value == 1 and one.total is None):
        return ""
    if one.kind == THINGS:
        return "things"
    if one.unit in lists.ERRORS:
        return "error-count"
    if one.unit in lists.FILES:  # "three places" introduces a list; a size is written in digits
        return "file-count" if is_digit(masked, one.start) else ""
    return "test-count"
