"""Program files: which commands are runs. Reading, checking and compiling ``programs/*.toml``.

``names.toml`` holds lists of names, ``wrappers.toml`` what only runs another command, and each
other file programs. ``Program``, ``Wrapper`` and ``Names`` tell what their keys mean. Several
words in one text stand between blanks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from groundwire.base.errors import LexiconError
from groundwire.settings.patterns.load import Text
from groundwire.settings.patterns.read import Strict, check, parse, shipped_folder, source

Kind = Literal["test", "build", "lint", "format", "types", "install", "git", "look", "other"]
Arguments = Literal["paths", "packages", "labels", "names", "task", "tasks", "free", "none"]

_MARKS = ":#!+?@"
_FLAGS = ("changes", "silent")
_TYPES = """from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    #: Words that follow (each with its alternatives), kind, tool, arguments, options, kinds of
    #: tasks ("check=test"), flags. A kind ``task:NONE:UNKNOWN`` goes by the names of the tasks.
    Row = tuple[tuple[tuple[str, ...], ...], str, str, str, str, str, tuple[str, ...]]
    #: Words that follow, options with a value, number of own words, options before the command.
    Wrapper = tuple[tuple[str, ...], tuple[str, ...], int, tuple[str, ...]]

"""


class Program(Strict):
    """One ``[[program]]``: a use of some programs.

    ``words`` follow it (``a|b`` are alternatives, words with a dash may stand anywhere). ``kind``
    "task" goes by the names of its tasks: ``alone`` without any, ``unknown`` for a name that says
    nothing (without them it is no run then), ``says`` for names that say something else here.
    ``tool`` is the name under which its output is read; "*": what it runs shows only there.

    ``arguments`` are ``paths``, ``packages`` (of Go), ``labels`` (of Bazel), ``names`` of tests
    (a part of them), ``task`` (the first one; more are passed on to it), ``tasks``, ``free`` (they
    tell runs apart) or ``none`` (they do not). ``options`` are those that matter, with marks: ``:``
    takes a value, ``#`` a number if one follows, ``!`` runs a part only, ``+`` makes another run
    of it, ``?`` runs nothing, ``@`` names the folder; ``@name`` stands for ``[options]`` of the
    file. ``changes``: it changes a state and shows nothing of it; ``silent``: it prints nothing
    when all is well.

    Of the examples ``runs`` are of the whole (of a task row by kind), ``narrow`` of a part only,
    ``idle`` do nothing.
    """

    names: Text
    words: str = ""
    kind: Kind | Literal["task"]
    alone: Kind | Literal[""] = ""
    unknown: Kind | Literal[""] = ""
    says: dict[str, Kind] = Field(default={})
    tool: str = ""
    arguments: Arguments
    options: str = ""
    changes: bool = False
    silent: bool = False
    runs: list[Text] | dict[Kind, list[Text]] = Field(default=[])
    narrow: list[Text] = Field(default=[])
    idle: list[Text] = Field(default=[])


class Wrapper(Strict):
    """One ``[[wrapper]]``: words that only run another command.

    ``values`` are options that take one; ``own`` words of it follow; the command stands behind one
    of the options ``behind``, which come first, or anywhere when ``own`` is -1.
    """

    words: Text
    values: str = ""
    own: int = 0
    behind: str = ""


class Names(Strict):
    """The lists of ``names.toml``.

    ``trivial`` programs look, print, move files or set the shell up; of ``only_listed`` ones only
    the uses in the tables are runs; ``interpreters`` run a script, their first argument;
    ``runners`` run programs of a package, but for the names of ``scripts``. ``choosing``: variables
    of make that choose what is run. ``passed_on``: options of test runners that scripts pass on.
    ``changing`` words of a script or task tell what it does, those of ``kinds`` of what kind it
    is, ``weak_kinds`` last. ``same``: other names of programs; ``shared``: options
    that all uses of a program have.
    """

    trivial: Text
    only_listed: Text
    interpreters: Text
    runners: Text
    scripts: Text
    choosing: Text
    changing: Text
    passed_on: Text
    kinds: dict[Kind, Text]
    weak_kinds: dict[Kind, Text]
    same: dict[str, Text]
    shared: dict[str, Text]


class _ProgramFile(Strict):
    options: dict[str, Text] = Field(default={})
    program: list[Program]


class _WrapperFile(Strict):
    wrapper: list[Wrapper]


class Tables(NamedTuple):
    """All program files, read; a program with the name of its file."""

    programs: list[tuple[str, Program]]
    wrappers: list[Wrapper]
    names: Names


def load_programs(folder: Path | None = None) -> Tables:
    """Read the program files; raises LexiconError with ``file: row: key: message`` lines."""
    errors: list[str] = []
    programs: list[tuple[str, Program]] = []
    wrappers: list[Wrapper] = []
    names: Names | None = None
    for path in sorted((folder or shipped_folder("programs")).glob("*.toml")):
        data = parse(path, errors)
        if data is None:
            continue
        if path.name == "names.toml":
            names = check(path, data, Names, errors)
        elif path.name == "wrappers.toml":
            table = check(path, data, _WrapperFile, errors)
            wrappers = table.wrapper if table else []
        elif file := check(path, data, _ProgramFile, errors):
            wrong = [f"{path}: {error}" for error in _row_errors(file)]
            rows = () if wrong else file.program
            programs += [(path.name, _expanded_row(row, file.options)) for row in rows]
            errors += wrong
    if names is None and not errors:
        errors.append(f"{folder}: names.toml: is missing")
    if errors or names is None:
        raise LexiconError("\n".join(errors))
    return Tables(programs, wrappers, names)


def _row_errors(file: _ProgramFile) -> Iterator[str]:
    for row in file.program:
        by_task = row.kind == "task"
        if isinstance(row.runs, dict) != (by_task and bool(row.runs)):
            allowed = "a table of kinds" if by_task else "a list"
            yield f"{row.names}: runs: {row.runs!r:.60}; allowed: {allowed}"
        if not (row.runs or row.narrow):
            yield f"{row.names}: runs: needs an example"
        if not by_task and (row.alone or row.unknown or row.says):
            yield f"{row.names}: kind: {row.kind!r} has no tasks; allowed: 'task'"
        for option in row.options.split():
            name = option.rstrip(_MARKS)
            if option[0] == "@" and option[1:] not in file.options:
                allowed = ", ".join(file.options) or "none in this file"
                yield f"{row.names}: options: {option!r}; allowed: @ with {allowed}"
            elif option[0] != "@" and (name == option or name[:1] != "-"):
                yield f"{row.names}: options: {option!r}; allowed: -name with marks of {_MARKS}"


def _expanded_row(row: Program, options: Mapping[str, str]) -> Program:
    """Return a row with the options that ``@name`` stands for in their place."""
    words = row.options.split()
    for _ in range(2):  # a list may begin with another one
        words = [
            it for word in words for it in (options[word[1:]].split() if word[0] == "@" else [word])
        ]
    return row.model_copy(update={"options": " ".join(words)})


def programs_source(tables: Tables) -> str:
    """Return the text of the generated module for ``tables``."""
    rows = sorted((row for _, row in tables.programs), key=lambda row: -len(row.words.split()))
    by_program: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for name in row.names.split():
            by_program.setdefault(name, []).append(number)
    wrappers: dict[str, list[object]] = {}
    for wrapper in tables.wrappers:
        name, *more = wrapper.words.split()
        valued, behind = tuple(wrapper.values.split()), tuple(wrapper.behind.split())
        wrappers.setdefault(name, []).append((tuple(more), valued, wrapper.own, behind))
    names = tables.names
    values: dict[str, object] = {
        "ROWS: tuple[Row, ...]": [*map(_compiled_row, rows)],
        "PROGRAMS: dict[str, tuple[int, ...]]": _tuples(by_program),
        "WRAPPERS: dict[str, tuple[Wrapper, ...]]": _tuples(wrappers),
        "SHARED": {key: " ".join(text.split()) for key, text in names.shared.items()},
        "SAME_PROGRAM": names.same,
        "KINDS_BY_WORD": _kind_by_word(names.kinds),
        "WEAK_KINDS_BY_WORD": _kind_by_word(names.weak_kinds),
        "PASSED_ON": " ".join(names.passed_on.split()),
    }
    own = ("passed_on", "kinds", "weak_kinds", "same", "shared")
    values |= {
        key.upper(): frozenset(getattr(names, key).split())
        for key in Names.model_fields
        if key not in own
    }
    return source("What commands are", values, _TYPES)


def _compiled_row(row: Program) -> tuple[object, ...]:
    kind = f"task:{row.alone}:{row.unknown}" if row.kind == "task" else row.kind
    return (
        tuple(tuple(word.split("|")) for word in row.words.split()),
        kind,
        row.tool,
        row.arguments,
        row.options,
        " ".join(f"{name}={kind}" for name, kind in row.says.items()),
        tuple(flag for flag in _FLAGS if getattr(row, flag)),
    )


def _kind_by_word(words: Mapping[Kind, str]) -> dict[str, str]:
    return {word: kind for kind, text in words.items() for word in text.split()}


def _tuples(lists: Mapping[str, Sequence[object]]) -> dict[str, tuple[object, ...]]:
    return {name: tuple(values) for name, values in lists.items()}
