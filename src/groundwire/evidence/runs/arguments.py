"""The arguments of a program, sorted by what they mean for a run."""

from __future__ import annotations

from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_RUN = ("--help", "--version", "--dry-run", "--list", "--collect-only")
#: Options that change what is shown and not what is run.
_SHOWING = ("-v", "-vv", "-vvv", "-q", "-qq", "-s", "--verbose", "--quiet", "--silent", "-x", "-i")
_LONGEST_CLUSTER = 6
#: Short options whose long form means the same where a program has both.
_LONG_FORMS = {"-F": "--filter", "-w": "--workspace"}


class Arguments(Record):
    """``plain`` words; ``passed_on`` behind ``--``; ``parts`` and ``variants``: options, with
    their values, that run a part only, or make it another run; ``no_run``: nothing is run."""

    plain: tuple[str, ...] = ()
    passed_on: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    no_run: bool = False


class _Reader:
    def __init__(self, marks: dict[str, str]) -> None:
        self.marks = marks
        self.plain: list[str] = []
        self.passed_on: list[str] = []
        self.parts: list[str] = []
        self.variants: list[str] = []
        self.unknown: list[str] = []
        self.no_run = False
        self.clusters = not any(_is_long(option) for option in marks)

    def option(self, word: str, following: str) -> bool:
        """Take an option; return whether ``following`` is its value."""
        name, mark, value = self.look_up(word)
        if not mark:
            if name in _NO_RUN:
                self.no_run = True
            elif name not in self.marks and name not in _SHOWING:
                self.unknown.append(word)
            return False
        takes_next = not value and (":" in mark or ("#" in mark and _is_number(following)))
        value = following if takes_next else value
        long = _LONG_FORMS.get(name, "")
        name = long if self.marks.get(long) == mark else name
        text = f"{name} {value}".strip()
        if "?" in mark:
            self.no_run = True
        elif "!" in mark:
            self.parts.append(text)
        elif "+" in mark:
            self.variants.append(text)
        return takes_next

    def look_up(self, word: str) -> tuple[str, str, str]:
        """Return name, marks and attached value: ``--only=x``, ``-only:x``, ``-xk``, ``-n4``."""
        if word in self.marks:
            return word, self.marks[word], ""
        for sign in ("=", ":"):
            name, found, value = word.partition(sign)
            if found and (name in self.marks or sign == "="):
                return name, self.marks.get(name, ""), value
        if self.clusters and not word.startswith("--"):
            letters = word[1:_LONGEST_CLUSTER] if len(word) <= _LONGEST_CLUSTER else word[1:2]
            for position, letter in enumerate(letters, 2):
                mark = self.marks.get("-" + letter, "")
                if mark:
                    return "-" + letter, mark, word[position:]
        return word, "", ""


def read_arguments(words: Sequence[str], marks: dict[str, str], pass_on: bool) -> Arguments:
    """Sort ``words`` by the ``marks`` of their options; ``pass_on``: "--" ends the program's own.

    Of the words behind "--" the options are read, too, since the same words name a part of a run
    whoever reads them.
    """
    reader = _Reader(marks)
    behind = skip = False
    for position, word in enumerate(words):
        if skip:
            skip = False
        elif word == "--":
            behind = behind or pass_on
        elif word.startswith("-") and len(word) > 1:
            following = words[position + 1] if position + 1 < len(words) else ""
            skip = reader.option(word, following)
        else:
            (reader.passed_on if behind else reader.plain).append(word)
    return Arguments(
        plain=tuple(reader.plain),
        passed_on=tuple(reader.passed_on),
        parts=tuple(reader.parts),
        variants=tuple(reader.variants),
        unknown=tuple(reader.unknown),
        no_run=reader.no_run,
    )


def _is_long(option: str) -> bool:
    return len(option) > 3 and not option.startswith("--")


def _is_number(word: str) -> bool:
    return word.isdigit() or word.startswith("$")
