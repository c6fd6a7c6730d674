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
    unit = next_words(text, number.end, 1)
    is_timed = bool(unit) and unit[0][0] in SECONDS
    window = text[max(0, number.start - _WINDOW) : number.start].replace("\u0130", "i").lower()
    if not is_timed and "exit" not in window:
        return None
    clause = _last_clause(window)
    words = _words_back(clause)
    measured = _exit_code(text, number, clause, words)
    if measured is None and is_timed and _is_measured(words):
        return _duration(number, *unit[0])
    return measured


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


def _duration(number: Numeral, unit: str, end: int) -> Quantity:
    return Quantity(
        number.start,
        end,
        DURATION,
        number.value,
        unit,
        upper=number.upper,
        approximate=number.approximate,
    )


def _is_measured(words: list[str]) -> bool:
    """Tell whether a time is one that a run took; ``words`` stand before it, the nearest first.

    "Took 1.2 s", "passed in 340 ms", "dropped from 4.2 s to 1.3 s".
    """
    if not words or not _LIMITS.isdisjoint(words[:4]):
        return False
    if words[0] in _TOOK:
        return True
    if words[0] == "in":
        return not _RAN.isdisjoint(words[1:6])
    return words[0] in ("from", "to") and not _SHRUNK.isdisjoint(words)


def _last_clause(window: str) -> str:
    """Return the end of ``window`` behind the last mark that ends a clause."""
    begins = (window.rfind(end) + len(end) for end in _CLAUSE_ENDS if end in window)
    return window[max(begins, default=0) :]


def _words_back(clause: str) -> list[str]:
    """Return the words of ``clause`` from its end, without numbers and units."""
    letters = "".join(char if char.isalpha() else " " for char in clause)
    return [word for word in reversed(letters.split()) if word not in SECONDS]
