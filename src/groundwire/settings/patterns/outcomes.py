"""Outcome files: what lines of tools mean. Reading, checking and compiling ``outcomes/*.toml``.

A file is of one ecosystem, a ``[[tool]]`` of one tool or of several that print the same, and each
``[[tool.line]]`` of it is a row. ``Line`` and ``Table`` tell what their keys mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from groundwire.base.errors import LexiconError
from groundwire.inputs.outcomes.rows import NUMBER, SHAPES, Text, fold, holds, singular
from groundwire.inputs.outcomes.summaries import CRASHES, SUMMARIES
from groundwire.settings.patterns.read import Strict, check, parse, shipped_folder, source
from groundwire.turn.records import BUILD, FORMAT, GIT, INSTALL, LINT, LOOK, OTHER, TEST, TYPES

if TYPE_CHECKING:
    from groundwire.base.rules.outcomes import Row, Tool

_PLACEHOLDER = "<n>"
_ANCHORS = ("^^", "^", "$", "=")
#: Of several tools that passed in one output, one of the first kind here is named.
_KINDS = (TEST, TYPES, BUILD, LINT, FORMAT, INSTALL, GIT, LOOK, OTHER)
_FIELDS = ("passed", "failed", "skipped", "errors", "total", "ran", "idle", "broken", "bad")
_FLAGS = ("common", "ends", "joins", "once", "settles", "tally")
_TYPES = """from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Names = tuple[tuple[str, str], ...]
    Texts = tuple[str, ...]
    #: Key, all, none, meaning, grammar, names of counts, shape, where, lines below, flags.
    Row = tuple[str, Texts, Texts, str, str, Names, str, str, int, str]
    #: Names, kinds, also, crash, special, flags, rows, fails.
    Tool = tuple[Texts, Texts, Texts, str, str, str, tuple[Row, ...], Texts]

"""
Part = Annotated[str, Field(min_length=1)]
Kind = Literal["test", "types", "build", "lint", "format", "install", "git", "look", "other"]


class Line(Strict):
    """One row: texts that a line holds, and what such a line means.

    ``all`` of the texts must stand in the line and ``none`` of the others: ``^text`` at its start
    (blanks before it aside; ``^^text`` without any), ``$text`` at its end, ``=text`` as the whole,
    ``text`` anywhere; ``<n>`` is a number. ``shape`` names a further test. ``where`` the line must
    stand: the ``first`` or ``last`` of the output, within forty lines of its ``end``, or below
    a ``heading`` of the tool.

    ``means``: ``fatal`` outranks all; ``failed``; ``hint`` is a failure when nothing else speaks;
    ``unclear``; ``passed``; ``nothing`` was to be done; ``heading`` has counts of the next
    summary; ``end``: what follows is of another program, ``void``: which decides; ``sign`` only
    shows the tool. ``counts`` is the grammar of the numbers of a summary, ``names`` what its words
    stand for beside the usual ones, ``sets`` counts that a line without numbers tells.

    ``below``: the line that is shown stands so many lines below. Flags: ``common``, other tools
    print it too; ``joins`` the summary above;
    ``once``, a second one changes nothing; ``tally``, each such line counts one; ``settles``,
    failures above it have been made good; ``ends``, what stands below it is of others.
    """

    all: Annotated[list[Part], Field(min_length=1)]
    none: list[Part] = Field(default=[])
    means: Literal[
        "fatal", "failed", "hint", "unclear", "passed", "nothing", "heading", "end", "void",
        "sign", "counts",
    ] = "counts"  # fmt: skip
    counts: Literal["", "N word", "word N"] = ""
    names: dict[str, str] = Field(default={})
    sets: dict[str, int] = Field(default={})
    shape: str = ""
    where: Literal["", "first", "last", "end", "heading"] = ""
    below: Annotated[int, Field(ge=0, le=3)] = 0
    common: bool = False
    ends: bool = False
    joins: bool = False
    once: bool = False
    settles: bool = False
    tally: bool = False
    hits: Annotated[list[str], Field(min_length=1)]
    misses: list[str] = Field(default=[])


class Table(Strict):
    """One ``[[tool]]``: its names and the kinds of its runs, the first one above others.

    The rows of tools in ``also`` count as its own, of those in ``fails`` only failures. ``crash``
    is the tool whose rows tell how it crashed. ``special`` is a reader of crashes or summaries in
    ``groundwire.inputs.outcomes``. ``silent``: nothing printed means that all is well.
    ``unnamed``: it is never found by its output.
    """

    names: Annotated[list[Part | Literal["*"]], Field(min_length=1)]
    kinds: Annotated[list[Kind], Field(min_length=1)]
    also: list[str] = Field(default=[])
    fails: list[str] = Field(default=[])
    crash: str = ""
    special: str = ""
    silent: bool = False
    unnamed: bool = False
    line: list[Line] = Field(default=[])


class OutcomeFile(Strict):
    """A whole file."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    tool: list[Table]


class LoadedTool(NamedTuple):
    """One valid table with where it came from."""

    path: Path
    table: Table


def load_outcomes(folder: Path | None = None) -> list[LoadedTool]:
    """Read the outcome files, by the kinds of their tools; raises LexiconError with all errors."""
    errors: list[str] = []
    loaded: list[LoadedTool] = []
    for path in sorted((folder or shipped_folder("outcomes")).glob("*.toml")):
        data = parse(path, errors)
        if data is not None and (file := check(path, data, OutcomeFile, errors)):
            loaded.extend(LoadedTool(path, table) for table in file.tool)
    errors.extend(_reference_errors(loaded))
    errors.extend(
        f"{path}: {table.names[0]}: row {place}: {problem}"
        for path, table in loaded
        for place, line in enumerate(table.line, 1)
        for problem in _line_errors(line)
    )
    if errors:
        raise LexiconError("\n".join(errors))
    return sorted(loaded, key=lambda item: _KINDS.index(item.table.kinds[0]))


def tools_of(loaded: Iterable[LoadedTool]) -> tuple[Tool, ...]:
    """Compile loaded tables to what the engine reads."""
    return tuple(
        (
            tuple(table.names),
            tuple(table.kinds),
            tuple(table.also),
            table.crash,
            table.special,
            " ".join(flag for flag in ("silent", "unnamed") if getattr(table, flag)),
            tuple(map(row_of, table.line)),
            tuple(table.fails),
        )
        for _, table in loaded
    )


def row_of(line: Line) -> Row:
    """Compile one row; its key is the longest of its texts, which no other can be missing with."""
    wanted = tuple(_compiled_text(text) for text in line.all)
    names = [(" ".join(map(singular, name.split())), field) for name, field in line.names.items()]
    names.sort(key=lambda pair: -len(pair[0]))
    return (
        max((fold(_without_anchor(text)) for text in wanted), key=len),
        wanted,
        tuple(_compiled_text(text) for text in line.none),
        line.means,
        "set" if line.sets else line.counts,
        tuple((name, str(value)) for name, value in line.sets.items()) or tuple(names),
        line.shape,
        line.where,
        line.below,
        " ".join(flag for flag in _FLAGS if getattr(line, flag)),
    )


def outcomes_source(tools: Iterable[Tool]) -> str:
    """Return the text of the generated module for ``tools``."""
    return source("What lines of tools mean", {"TOOLS: tuple[Tool, ...]": [*tools]}, _TYPES)


def check_outcomes(loaded: Iterable[LoadedTool]) -> list[str]:
    """Return one ``file: tool: row: message`` line per example that does not hold."""
    return [
        f"{path}: {table.names[0]}: row {place}: {problem}"
        for path, table in loaded
        for place, line in enumerate(table.line, 1)
        for problem in check_line(line)
    ]


def check_line(line: Line) -> Iterator[str]:
    """Yield what is wrong with the hits and misses of one row."""
    row = row_of(line)
    for texts, wanted in ((line.hits, True), (line.misses, False)):
        for example in texts:
            text = Text(example)
            if (0 in text.places(row[0]) and holds(row, text, 0)) != wanted:
                yield f"{'hit' if wanted else 'miss'} {example!r}: {'not ' * wanted}found"


def count_examples(loaded: Iterable[LoadedTool]) -> tuple[int, int]:
    """Return the number of rows and of their examples."""
    lines = [line for item in loaded for line in item.table.line]
    return len(lines), sum(len(line.hits) + len(line.misses) for line in lines)


def _compiled_text(text: str) -> str:
    return text.replace(_PLACEHOLDER, NUMBER)


def _without_anchor(text: str) -> str:
    anchor = next((anchor for anchor in _ANCHORS if text.startswith(anchor)), "")
    return text.removeprefix(anchor)


def _line_errors(line: Line) -> Iterator[str]:
    for text in [*line.all, *line.none]:
        if _PLACEHOLDER in text and any(char.isdigit() for char in text):
            yield f"text {text!r} has a digit beside {_PLACEHOLDER}; allowed: one of them"
        if not _without_anchor(text) or "\n" in text:
            yield f"text {text!r}: allowed: some characters of one line"
    if line.shape and line.shape not in SHAPES:
        yield f"shape {line.shape!r}; allowed: {', '.join(SHAPES)}"
    counted = bool(line.counts) + bool(line.sets)
    if counted > 1 or (line.means == "counts" and not counted):
        yield "needs counts, or sets, or another meaning than counts"
    for field in [*line.names.values(), *line.sets]:
        if field and field.removeprefix("-") not in _FIELDS:
            yield f"count {field!r}; allowed: {', '.join(_FIELDS)}"
    if set(line.hits) & set(line.misses):
        yield "the same example is a hit and a miss"


def _reference_errors(loaded: Sequence[LoadedTool]) -> Iterator[str]:
    known: dict[str, Path] = {}
    for path, table in loaded:
        for name in table.names:
            if name in known:
                yield f"{path}: {name}: already defined in {known[name]}"
            known.setdefault(name, path)
    for path, table in loaded:
        for name in filter(None, [*table.also, *table.fails, table.crash]):
            if name not in known:
                yield f"{path}: {table.names[0]}: {name!r} is no tool; allowed: a name of a table"
        if table.special and table.special not in (*CRASHES, *SUMMARIES):
            allowed = ", ".join((*CRASHES, *SUMMARIES))
            yield f"{path}: {table.names[0]}: special {table.special!r}; allowed: {allowed}"
