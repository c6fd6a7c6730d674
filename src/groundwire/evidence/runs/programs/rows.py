"""The table of known programs: how a row is written, and how it is looked up.

A row has six columns: programs; words that follow (``a|b`` are alternatives, words with a dash may
stand anywhere); kind; tool, the name under which its output is parsed ("" no parser, "*" what it
runs is not known from its name); what its other arguments are; options that matter.

Kinds ``task:NONE:UNKNOWN`` go by the names of the tasks: NONE without any, UNKNOWN for a name that
says nothing; without a kind there it is no run. Arguments are ``paths``, ``packages`` (of Go),
``labels`` (of Bazel), ``names`` of tests (a part of them), ``task`` (the first one; more are passed
on to it), ``tasks``, ``free`` (they tell runs apart) or ``none`` (they do not).

An option may have marks: ``:`` takes a value, ``#`` takes a number if one follows, ``!`` runs a
part only, ``+`` makes another run of it, ``?`` runs nothing.
"""

from __future__ import annotations

from groundwire.evidence.runs.programs.builds import ROWS as _BUILDS
from groundwire.evidence.runs.programs.checks import ROWS as _CHECKS
from groundwire.evidence.runs.programs.tasks import ROWS as _TASKS
from groundwire.evidence.runs.programs.tests import ROWS as _TESTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Row = tuple[str, str, str, str, str, str]
    #: A row, the words of it that were found, and the arguments without them.
    Found = tuple[Row, tuple[str, ...], list[str]]

#: Before the kinds of a row that go by the names of its tasks.
BY_NAME = "task:"
#: In the column "tool": the output can be that of any tool.
ANY_TOOL = "*"
_MARKS = ":#!+?"
ROWS = (*_TESTS, *_CHECKS, *_BUILDS, *_TASKS)
#: Options before the subcommand that take a value, where the rows do not have them.
_GLOBAL_VALUES = {
    "git": ("-c", "--git-dir", "--work-tree"),
    "docker": ("-H", "--host", "--context", "-f", "--file", "-p", "--project-name", "--profile"),
    "kubectl": ("-n", "--namespace", "--context", "--kubeconfig"),
    "helm": ("-n", "--namespace", "--kube-context"),
    "gh": ("-R", "--repo"),
}
_BY_PROGRAM: dict[str, list[Row]] = {}
for _row in ROWS:
    for _program in _row[0].split():
        _BY_PROGRAM.setdefault(_program, []).append(_row)
for _rows in _BY_PROGRAM.values():
    if len(_rows) > 1:
        _rows.sort(key=lambda row: -len(row[1].split()))  # the more words, the more it says
_marks_of: dict[str, dict[str, str]] = {}
_kinds_of: dict[str, tuple[str, ...]] = {}


def is_known(program: str) -> bool:
    """Tell whether the table has ``program``."""
    return program in _BY_PROGRAM


def find_row(program: str, arguments: Sequence[str]) -> Found | None:
    """Return the row for a program with these arguments; None: this use is not in the table."""
    for row in _BY_PROGRAM.get(program, ()):
        marks = option_marks(row[5])
        values = {option for option, mark in marks.items() if ":" in mark}
        values |= set(_GLOBAL_VALUES.get(program, ()))
        split = _split_words(row[1].split(), arguments, values)
        if split is not None:
            return row, *split
    return None


def kinds_of_tool(tool: str) -> tuple[str, ...]:
    """Return the kinds that runs of ``tool`` can have; empty when its row does not tell."""
    if not _kinds_of:
        found: dict[str, list[str]] = {}
        for row in ROWS:
            found.setdefault(row[3], []).append(row[2])
        for name, kinds in found.items():
            is_open = any(kind.startswith(BY_NAME) for kind in kinds)
            _kinds_of[name] = () if is_open else tuple(dict.fromkeys(kinds))
    return _kinds_of.get(tool, ())


def option_marks(options: str) -> dict[str, str]:
    """Return option -> marks of the last column of a row."""
    marks = _marks_of.get(options)
    if marks is None:
        marks = {word.rstrip(_MARKS): word[len(word.rstrip(_MARKS)) :] for word in options.split()}
        _marks_of[options] = marks
    return marks


def _split_words(
    words: list[str], arguments: Sequence[str], values: set[str]
) -> tuple[tuple[str, ...], list[str]] | None:
    """Return the ``words`` found and the other arguments; None when one is not in its place."""
    for word in words:
        if word.startswith("-") and not any(one in arguments for one in word.split("|")):
            return None
    wanted = [word.split("|") for word in words if not word.startswith("-")]
    found: list[str] = []
    rest: list[str] = []
    is_value = False
    for argument in arguments:
        if len(found) == len(wanted) or is_value or argument.startswith(("-", "+")):
            is_value = len(found) < len(wanted) and argument in values
            rest.append(argument)
        elif argument in wanted[len(found)]:
            found.append(argument)
        else:
            return None
    return (tuple(found), rest) if len(found) == len(wanted) else None
