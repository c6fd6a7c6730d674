"""Numbers that only a run can give: the exit code that a command had, and how long it took.

Settings and behaviour are left out: "exits with code 2 on bad input", "a timeout of 30 seconds".
"""

from __future__ import annotations

from groundwire.scan.numerals import Numeral
from groundwire.scan.quantities import Quantity
from groundwire.scan.words import next_words

EXIT = "exit"
DURATION = "duration"

#: Seconds in a unit of time.
SECONDS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("us", "\u00b5s", "\u03bcs", "microsecond", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nanosecond", "nanoseconds"), 1e-9),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
}
_EXIT_NAMES = (["code"], ["status"])
#: What may stand between "exit" and its number.
_BETWEEN = frozenset(("code", "status", "with", "of", "was", "a", "an", "exit", "="))
_LARGEST_CODE = 255
#: Past forms: what stands behind them was seen, not described.
_ENDED = frozenset(
    "exited returned finished completed ended terminated succeeded failed passed gave got reported "
    "printed died".split()
)
#: Behind one of these a time is that of a run, when ``_RAN`` stands shortly before.
_RAN = frozenset(
    "passed completed finished ran built compiled succeeded executed done loaded responded "
    "returned started installed generated deployed green clean".split()
)
_RULES = frozenset("returns returned return error errors raises throws".split())
_TOOK = frozenset(("took", "lasted", "clocked"))
_SHRUNK = frozenset(
    "reduced improved cut dropped went fell decreased brought shortened increased rose grew".split()
)
_LIMITS = frozenset("timeout timed limit budget interval delay deadline every after per".split())
_WINDOW = 80
_CLAUSE_ENDS = (". ", "! ", "? ", "; ", "\n", "\x1d")
_APART = frozenset("(,:\u2014\u2013-")


def read_measure(text: str, number: Numeral) -> Quantity | None:
    """Tell whether the number at ``number`` of masked ``text`` is an exit code or a duration."""
    clause = _clause_before(text, number.start)
    words = _words_back(clause)
    return _exit_code(text, number, clause, words) or _duration(text, number, words)


def _exit_code(text: str, number: Numeral, clause: str, words: list[str]) -> Quantity | None:
    """Read "exited with code 0", "the exit status was 1", "(exit code 2)"."""
    at = clause.rfind("exit")
    if at < 0 or number.value > _LARGEST_CODE or number.value % 1 or number.upper is not None:
        return None
    start = number.start - len(clause) + at
    named = clause[at:].replace("*", "").replace("_", "").split()
    verb = named[0] == "exited"
    rest = [word.rstrip(":") for word in named[1:]]
    if any(word not in _BETWEEN for word in rest) or not (verb or rest[:1] in _EXIT_NAMES):
        return None
    if text[number.end : number.end + 1].isalnum() or text[number.end : number.end + 1] == "%":
        return None
    earlier = words[len(named) :]
    ended = not _ENDED.isdisjoint(earlier[:3]) and earlier != ["returned"]
    if verb or "was" in rest or ended or _apart(text, start, number, earlier):
        return Quantity(start, number.end, EXIT, number.value, "exit code")
    return None


def _apart(text: str, start: int, number: Numeral, earlier: list[str]) -> bool:
    """ "All green (exit code 0)", "done, exit code 0.": a report, not a rule."""
    if _RAN.isdisjoint(earlier) or not _RULES.isdisjoint(earlier):
        return False
    behind = text[number.end : number.end + 2].strip()
    before = text[max(0, start - 2) : start].strip()
    return before[-1:] in _APART and bool(before) and (not behind or behind[0] in "),.")


def _duration(text: str, number: Numeral, words: list[str]) -> Quantity | None:
    """Read "took 1.2 s", "passed in 340 ms", "dropped from 4.2 s to 1.3 s"."""
    unit = next_words(text, number.end, 1)
    if not unit or unit[0][0] not in SECONDS or not _is_measured(words):
        return None
    return Quantity(
        number.start,
        unit[0][1],
        DURATION,
        number.value,
        unit[0][0],
        upper=number.upper,
        approximate=number.approximate,
    )


def _is_measured(words: list[str]) -> bool:
    """``words`` stand before the time, the nearest first."""
    if not words or not _LIMITS.isdisjoint(words[:4]):
        return False
    if words[0] in _TOOK:
        return True
    if words[0] == "in":
        return not _RAN.isdisjoint(words[1:6])
    return words[0] in ("from", "to") and not _SHRUNK.isdisjoint(words)


def _clause_before(text: str, at: int) -> str:
    """Return the last characters before ``at`` that belong to its clause, lower case."""
    window = text[max(0, at - _WINDOW) : at].replace("\u0130", "i").lower()
    begins = (window.rfind(end) + len(end) for end in _CLAUSE_ENDS if end in window)
    return window[max(begins, default=0) :]


def _words_back(clause: str) -> list[str]:
    """Return the words of ``clause`` from its end, without numbers and units."""
    letters = "".join(char if char.isalpha() else " " for char in clause)
    return [word for word in reversed(letters.split()) if word not in SECONDS]
