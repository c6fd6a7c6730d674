"""One line of an output and one row of ``outcomes/*.toml``: whether they meet, what is counted.

There are two grammars of counts, "N word" as in ``3 passed, 1 failed`` and "word N" as in
``Failures: 1``, ``errors=1`` and ``# pass 3``.
"""

from __future__ import annotations

from groundwire.base.automaton import build_automaton
from groundwire.base.model import FAILED, PASSED, Outcome
from groundwire.inputs.outcomes.clean import is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.base.rules.outcomes import Row

#: Characters up to which keys are searched one by one; an automaton takes longer to be built.
_SHORT_TEXT = 10_000
_END = 40  # lines in which a program ends
#: Stands in folded lines and in the texts of rows for a number.
NUMBER = "\u00a4"
_FOLD = str.maketrans(dict.fromkeys("0123456789", NUMBER))
#: Word that is counted -> field; "ran" and "idle" are tests that did or did not run and have no
#: field of their own, "broken" are files in which no test could run.
_FIELDS = {
    **dict.fromkeys("passed passing pass succeeded success".split(), "passed"),
    **dict.fromkeys("failed failing fail failure".split(), "failed"),
    **dict.fromkeys("skipped skip pending ignored".split(), "skipped"),
    **dict.fromkeys("xfailed xpassed".split(), "ran"),
    **dict.fromkeys("total test run example".split(), "total"),
    "error": "errors",
    "todo": "idle",
    "out of": "total",
}
_BREAKS = str.maketrans(dict.fromkeys(",;|()[]{}<>", " , ") | {mark: f" {mark} " for mark in ":=/"})
_MARKS = (",", ":", "=", "and", "with", "/", "-")

_NOWHERE: list[int] = []
_COUNTS = ("passed", "failed", "skipped", "errors", "total")


class Text:
    """A cleaned output: its lines, also with each number folded, and where keys stand in them."""

    __slots__ = ("_places", "_whole", "folded", "lines", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self._whole = fold(text)
        self.folded = self._whole.split("\n")
        self._places: dict[str, list[int]] = {}

    def places(self, key: str) -> list[int]:
        """Return the numbers of the lines that hold ``key``, in order."""
        if key not in self._places:
            whole, number, before, numbers = self._whole, 0, 0, []
            at = whole.find(key)
            while at >= 0:
                number += whole.count("\n", before, at)
                numbers.append(number)
                before = whole.find("\n", at)
                at = whole.find(key, before) if before >= 0 else -1
            self._places[key] = numbers
        return self._places[key]

    def below(self, number: int, count: int) -> str:
        """Return the line that stands ``count`` lines below, or the last before a blank one."""
        line = self.lines[number]
        for other in self.lines[number + 1 :] if count else ():
            if not other.strip():
                if line is self.lines[number]:
                    continue
                break
            line, count = other, count - 1
            if not count:
                break
        return line

    def search(self, keys: Sequence[str]) -> None:
        """Look for many keys at once, in one pass when that is quicker."""
        whole = self._whole
        if len(whole) <= _SHORT_TEXT:
            self._places.update((key, _NOWHERE) for key in keys if key not in whole)
            return
        self._places = {key: [] for key in keys}
        number = before = 0
        for last, (_, key) in build_automaton((key, key) for key in keys).iter(whole):
            number += whole.count("\n", before, last)
            before = last
            numbers = self._places[key]
            if not numbers or numbers[-1] != number:
                numbers.append(number)


def fold(text: str) -> str:
    """Return ``text`` with ``NUMBER`` in place of each number. Linear but for very long numbers."""
    text = text.translate(_FOLD)
    while NUMBER * 2 in text:
        text = text.replace(NUMBER * 2, NUMBER)
    return text


def holds(row: Row, text: Text, number: int) -> bool:
    """Tell whether a line is one that ``row`` means."""
    line, folded = text.lines[number], text.folded[number]
    if not all(_has(folded if NUMBER in one else line, one) for one in row[1]):
        return False
    if any(_has(folded if NUMBER in one else line, one) for one in row[2]):
        return False
    return not row[6] or SHAPES[row[6]](line)


def is_where(where: str, number: int, text: Text) -> bool:
    """Tell whether a line stands in the ``first`` or ``last`` place, or near the ``end``."""
    if where == "first":
        return not any(map(str.strip, text.lines[:number]))
    below = text.lines[number + 1 :] if where in ("last", "end") else ()
    return sum(bool(line.strip()) for line in below) < (1 if where == "last" else _END)


def fields_of(row: Row, line: str) -> dict[str, int]:
    """Return the counts of a line by the fields that they stand for."""
    fields = {"bad": 1} if row[3] == "failed" else {"good": 1} if row[3] == "passed" else {}
    if row[4] == "set":
        return fields | {name: int(value) for name, value in row[5]}
    for phrase, number in counts(line, row[4] == "word N") if row[4] else ():
        field = _field(phrase, row[5], row[4] == "word N")
        if field.startswith("-"):  # "3 errors (2 fixed)"
            fields[field[1:]] = fields.get(field[1:], 0) - number
        elif field:
            fields[field] = fields.get(field, 0) + number
    return fields


def _field(phrase: str, names: Sequence[tuple[str, str]], words_first: bool) -> str:
    word = phrase.rpartition(" ")[2] if words_first else phrase.partition(" ")[0]
    for name, field in names:
        if name in (phrase, word) or (" " in name and name in phrase):
            return field
    return _FIELDS.get(phrase, _FIELDS.get(word, ""))


def counts(line: str, words_first: bool = False) -> list[tuple[str, int]]:
    """Return each number of a line with its words, in small letters and without a plural s.

    The words follow the number ("2 failed, 40 passed (1 slow)"), or with ``words_first`` stand
    before it ("Failures: 2", "errors=1", "# pass 3"). They end at a mark and at the next number.
    "no" is 0, and "1 failed out of 3" counts ``out of`` too.
    """
    counted: list[tuple[str, int]] = []
    words = [word.removesuffix(".") for word in line.lower().translate(_BREAKS).split()]
    if words_first:
        words.reverse()
    number = -1
    phrase: list[str] = []
    for word in [*words, "0"]:
        if is_number(word) or (word == "no" and not words_first):
            _add(counted, number, phrase[::-1] if words_first else phrase)
            if phrase[-2:] == ["out", "of"]:
                counted.append(("out of", int(word)))
            number, phrase = 0 if word == "no" else int(word), []
        elif word in _MARKS[: 1 if words_first else None]:
            _add(counted, number, phrase[::-1] if words_first else phrase)
            number, phrase = -1, []
        elif word not in _MARKS:
            phrase.append(word)
    return counted[::-1] if words_first else counted


def singular(word: str) -> str:
    """Return ``word`` without a plural s."""
    return word if word.endswith(("ss", "us")) else word.removesuffix("s")


def _add(counted: list[tuple[str, int]], number: int, words: list[str]) -> None:
    if number >= 0:
        counted.append((" ".join(map(singular, words)), number))


def combine(outcomes: Sequence[Outcome]) -> Outcome | None:
    """Return the worst status with its line, and the sum of each count; None for no outcomes."""
    if len(outcomes) < 2:
        return outcomes[0] if outcomes else None
    sums: dict[str, int | None] = {}
    for name in _COUNTS:
        printed = [value for outcome in outcomes if (value := getattr(outcome, name)) is not None]
        # a tool leaves out counts that are zero, but a total only when it prints none at all
        is_whole = printed and (name != "total" or len(printed) == len(outcomes))
        sums[name] = sum(printed) if is_whole else None
    for status, order in ((FAILED, outcomes), (PASSED, outcomes[::-1])):
        for outcome in order:
            if outcome.status == status:
                return outcome.replace(**sums)
    return outcomes[-1].replace(**sums)


def _has(line: str, wanted: str) -> bool:
    """Tell whether a line holds a text, whose first character says where."""
    mark, part = wanted[0], wanted[1:]
    if mark == "^":  # blanks before it aside
        return line.startswith(part[1:]) if part[0] == "^" else line.lstrip().startswith(part)
    if mark == "$":
        return line.rstrip().endswith(part)
    return line.strip() == part if mark == "=" else wanted in line


def _is_range(line: str) -> bool:
    """Tell whether ``line`` is "   a1b2c3d..0f1e2d3  main -> main", as ``git push`` prints it."""
    return line[:3] in ("   ", " + ") and ".." in line[3:].partition(" ")[0]


def _is_commit(line: str) -> bool:
    """Tell whether ``line`` is "[main 5445a4e] Subject" or "[main (root-commit) 5445a4e] ..."."""
    head, bracket, _ = line[1:].partition("] ")
    words = head.split() if line.startswith("[") and bracket else []
    return len(words) > 1 and len(words[-1]) > 6 and not words[-1].strip("0123456789abcdef")


def _is_finding(line: str) -> bool:
    """Tell whether ``line`` is "shop/cart.py:3:7: F401 text", the form of Python's linters."""
    parts = line.split(":", 3)
    if len(parts) < 4 or [is_number(part) for part in parts[:3]] != [False, True, True]:
        return False
    code = parts[3].split(None, 1)[:1]
    letters = code[0].rstrip("0123456789") if code else ""
    return letters.isupper() and letters.isalpha() and letters != code[0]


def _is_timed(line: str) -> bool:
    """Tell whether ``line`` is "== 1 failed, 40 passed in 0.12s ==": counts and a time alone."""
    parts, separator, time = line.strip(" =").rpartition(" in ")
    words = [part.split() for part in parts.split(",")]
    seconds = time.partition(" ")[0].removesuffix("s").replace(".", "", 1)
    return (
        bool(separator)
        and seconds.isdigit()
        and all(is_number(w[0]) and len(w) < 4 for w in words if w)
    )


def _share(line: str) -> tuple[int, int]:
    """Return 2 and 3 of the first "2/3" in a line."""
    for word in line.replace("[", " ").replace("]", " ").split():
        done, slash, whole = word.partition("/")
        if slash and is_number(done) and is_number(whole):
            return int(done), int(whole)
    return 0, 0


SHAPES: dict[str, Callable[[str], bool]] = {
    "range": _is_range,
    "commit": _is_commit,
    "finding": _is_finding,
    "timed": _is_timed,
    "whole": lambda line: _share(line)[0] == _share(line)[1] > 0,
    "part": lambda line: _share(line)[0] < _share(line)[1],
}
