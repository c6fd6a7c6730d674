"""Whether what failed in a run was run again and passed, or at least something of its kind was.

A whole suite fails in one file, the file is mended and run alone: the failure is no longer open.
When only another part was run after the change, the failure speaks of code that is gone, and
nothing speaks of the code that is there.
"""

from __future__ import annotations

from bisect import bisect_right

from groundwire.evidence.pointing import command_of, pointing
from groundwire.evidence.runs.model import BUILD, OTHER, PASSED, TEST, Run
from groundwire.evidence.runs.outputs.lines import clean
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.signature import name_of, places_of
from groundwire.model import UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

#: Options that run again what failed the last time.
_LAST_FAILED = ("--lf", "--last-failed", "--only-failures", "--onlyFailures", "--next-failure")
#: Beginnings of the lines in which the tools name what failed.
_NAMING = ("FAILED ", "ERROR ", "FAIL ", "FAIL\t", "--- FAIL: ", "rspec ./", "Failed ", "\u25cf ")
_TASK = "Execution failed for task '"
_ENDING = ("FAILED", "... FAILED")
#: Programs that compile all they test, by the first word of their tool; checks that compile.
_COMPILERS = {
    "nextest": "cargo",
    **{
        name: name
        for name in "cabal cargo dotnet go gradle maven mix sbt stack swift xcodebuild".split()
    },
}
_COMPILING = ("go vet", "cargo clippy")
#: Failures at the end of a turn that are looked at, and lines of one.
_MOST = 20
_MOST_LINES = 200
_SHORTEST = 3
_JOINING = frozenset(("and", "not", "the"))
_MARKS = "|^$*?()'\"[]{},=/"


def without_rerun(
    failures: Sequence[Run], runs: Sequence[Run], calls: Sequence[ToolCall]
) -> tuple[Run, ...]:
    """Return ``failures``, in order, without those of which all that failed passed later.

    Of parts that were run again only the last twenty failures are looked at.
    """
    if not failures:
        return ()
    passed = [run for run in runs if run.outcome.status == PASSED]
    compiled: dict[tuple[str, str], int] = {}  # by program and places
    alike: dict[tuple[str, str], list[Run]] = {}
    for run in passed:
        alike.setdefault((run.kind, run.tool), []).append(run)
        if not run.narrow and (run.kind == TEST or run.tool in _COMPILING):
            compiled[_family(run), places_of(run.signature)] = run.index
    recent = {run.call_id for run in failures[-_MOST:]} if passed else set()
    return tuple(
        failure
        for failure in failures
        if not _is_compiled(failure, compiled)
        and (failure.call_id not in recent or not _is_rerun(failure, alike, calls))
    )


def _is_compiled(failure: Run, compiled: dict[tuple[str, str], int]) -> bool:
    """Tell whether a failed build was made good by tests that compile the same, or everything."""
    family = _family(failure)
    if failure.kind != BUILD or not family:
        return False
    places = ("", places_of(failure.signature))
    return any(compiled.get((family, place), -1) > failure.index for place in places)


def _family(run: Run) -> str:
    """Return the program that compiles before it tests, "" for those that do not."""
    program = name_of(run.signature).partition(" ")[2].partition(" ")[0]
    return _COMPILERS.get(program, "")


def passed_since(
    failure: Run, runs: Sequence[Run], changes: Sequence[tuple[int, str]]
) -> Run | None:
    """Return the last run of the failure's kind and tool that passed after a later change.

    When not a single test was run in the failure no change need lie between.
    """
    if failure.kind == OTHER:
        return None
    at = bisect_right(changes, failure.index, key=lambda change: change[0])
    if failure.kind == TEST and not (failure.outcome.passed or failure.outcome.failed):
        first = failure.index
    elif at < len(changes):
        first = changes[at][0]
    else:
        return None
    for run in reversed(runs):
        same = run.kind == failure.kind and run.tool == failure.tool
        if same and run.index > first and run.outcome.status == PASSED:
            return run
    return None


def only_part_since(failure: Run, since: Run) -> Verdict:
    """Return the verdict on a claim when only ``since``, a part, was run after the failure."""
    why = f"{command_of(failure)} failed; since then only {command_of(since)} was run"
    return pointing(failure, UNSUPPORTED, why)


def got_better(failure: Run, facts: Facts) -> bool:
    """Tell whether the same command failed with more before an edit: some of it was mended."""
    now = _count_of(failure)
    before = [
        _count_of(run)
        for run in facts.runs
        if run.signature == failure.signature and run.index < failure.index
    ]
    mended = any(run.index <= facts.last_change < failure.index for run in facts.runs)
    return bool(now) and any(count > now for count in before) and mended


def _count_of(run: Run) -> int:
    return (run.outcome.failed or 0) + (run.outcome.errors or 0)


def lists_other(name: str, failure: Run, calls: Sequence[ToolCall]) -> bool:
    """Tell whether a failed run lists what failed, and nothing of ``name``."""
    failed = _failed_in(clean(read_result(calls[failure.index]).text))
    return len(name) >= _SHORTEST and bool(failed) and not any(name in one for one in failed)


def _is_rerun(
    failure: Run, alike: dict[tuple[str, str], list[Run]], calls: Sequence[ToolCall]
) -> bool:
    passed = alike.get((failure.kind, failure.tool), ())[-_MOST:]
    later = [run for run in passed if run.index > failure.index]
    if not later:
        return False
    if any(option in run.narrow for option in _LAST_FAILED for run in later):
        return True
    text = clean(read_result(calls[failure.index]).text)
    tasks = {part.partition("'")[0].lstrip(":") for part in text.split(_TASK)[1:]}
    if tasks and tasks <= {word.lstrip(":") for run in later for word in run.command.split()}:
        return True
    pieces = {piece for run in later for piece in _pieces(run.narrow)}
    failed = _failed_in(text)
    files = [name for name in failed if "/" in name or "." in name]
    names = [name for name in failed if name not in files]
    return any(
        group and all(any(piece in name for piece in pieces) for name in group)
        for group in (files, names)
    )


def _failed_in(text: str) -> list[str]:
    """Return what a clean output names as failed: files, tests or packages, at most 200."""
    found: dict[str, None] = {}
    for line in map(str.strip, text.split("\n")):
        for start in _NAMING:
            if line.startswith(start):
                name = line.removeprefix(start).partition(" - ")[0].strip()
                found[name] = None
                break
        else:
            if line.endswith(_ENDING):
                found[line] = None
        if len(found) >= _MOST_LINES:
            break
    return [name for name in found if name]


def _pieces(narrow: str) -> list[str]:
    """Return the names in the parts of a run: the last one of a path, a test, an expression."""
    found = []
    for part in narrow.split(", "):
        last = part.rstrip("/").removesuffix("/...").rpartition("::")[2].rpartition("/")[2]
        stem, dot, _ = last.rpartition(".")
        for mark in _MARKS:
            last, stem = last.replace(mark, " "), stem.replace(mark, " ")
        words = (stem if dot and stem.strip() else last).split()
        found += [word for word in words if len(word) >= _SHORTEST and word[0] != "-"]
    return [word for word in found if word not in _JOINING and word != "all"]
