"""Verdicts that point to the run which decides them, worded for one line of a report."""

from __future__ import annotations

from groundwire.evidence.message.claims import BUILD, LINT, TESTS, TYPES
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.model import Run
from groundwire.evidence.runs.places import same_place
from groundwire.model import CONTRADICTED, Verdict

#: The kind of run that decides a claim, and its name in a report.
RUN_KINDS = {TESTS: runs.TEST, BUILD: runs.BUILD, LINT: runs.LINT, TYPES: runs.TYPES}
RUN_NAMES = {TESTS: "test run", BUILD: "build", LINT: "lint run", TYPES: "type check"}
_LONGEST_COMMAND = 60
_NAMED_FILES = 2
_NAMED_PARTS = 2


def pointing(run: Run, status: str, why: str) -> Verdict:
    """Return a verdict with the run's call, its command and the line that decides."""
    line = run.outcome.line.strip()
    named = command_of(run)
    shown = f'{why} ({named}: "{line}")' if line else f"{why} ({named})"
    return Verdict(status, shown, run.call_id, run.command, line)


def against(run: Run, why: str) -> Verdict:
    """Return ``contradicted`` by a failed run; ``printed`` when its output shows the failure."""
    return pointing(run, CONTRADICTED, why).replace(printed=bool(run.outcome.line))


def command_of(run: Run) -> str:
    """Return the command of a run, cut to what a reader takes in."""
    return shortened(run.command)


def shortened(command: str) -> str:
    """Return a command, cut to what a reader takes in."""
    if len(command) <= _LONGEST_COMMAND:
        return command
    return f"{command[: _LONGEST_COMMAND - 3]}..."


def edited_files(paths: tuple[str, ...]) -> str:
    """Return ``a.py, b.py and 3 more were edited``; a git command in their place changed files.

    A file that is spelled in two ways is named once; two of one name are named with their folders.
    """
    paths = _distinct(paths)
    shown = [path.rpartition("/")[2] for path in paths]
    if len(set(shown[:_NAMED_FILES])) < len(shown[:_NAMED_FILES]):
        shown = ["/".join(path.split("/")[-_NAMED_PARTS:]) for path in paths]
    names = ", ".join(shown[:_NAMED_FILES])
    more = len(paths) - _NAMED_FILES
    if more > 0:
        return f"{names} and {more} more were edited"
    if len(paths) == 1 and names.startswith("git "):
        return f"{names} changed files"
    return f"{names} {'were' if len(paths) > 1 else 'was'} edited"


def _distinct(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Return the paths without second spellings of one, as far as their names can tell."""
    found: dict[str, list[str]] = {}
    for path in paths:
        alike = found.setdefault(path.rpartition("/")[2], [])
        if not any(same_place(path, one) for one in alike):
            alike.append(path)
    return tuple(path for alike in found.values() for path in alike)
