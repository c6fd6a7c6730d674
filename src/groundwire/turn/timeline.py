"""The timeline of a turn: runs with outcomes, edits, searches, to-dos and reports, in order.

It is read once, before any claim; every question to it is answered from what is already there.
"""

from __future__ import annotations

from groundwire.base.budget import Watch
from groundwire.base.record import Record
from groundwire.turn.actions import Search, searches_of, tasks_of
from groundwire.turn.edits import edits_of
from groundwire.turn.programs import covers, name_of
from groundwire.turn.records import (  # fmt: skip
    BUILD,
    FAILED,
    GIT,
    KNOWN_TOOLS,
    LOOK,
    OTHER,
    PASSED,
    READ_TOOLS,
    REPORT_TOOLS,
    SEARCH_TOOLS,
    SHELL_TOOLS,
    TEST,
    TYPES,
    UNKNOWN,
    Run,
)
from groundwire.turn.runs import runs_of
from groundwire.turn.texts import Texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from groundwire.base.model import ToolCall, Turn
    from groundwire.turn.edits import Edit

    #: Tells whether a file has a line: path and line (0: the file alone) to True, False or None.
    OnDisk = Callable[[str, int], bool | None]

_CUT_SHORT = ("timed out", "interrupted")
#: Passed runs of one tool that a failure is compared with, the latest ones.
_MOST_COMPARED = 64
_DONE = ("completed", "cancelled", "deleted")


class Timeline(Record):
    """Everything that claims ask of a turn.

    ``latest`` are the last runs with a known outcome of each command, ``failures`` those that
    failed and were not made good; both in order. ``edits`` are those that succeeded, ``refused``
    those that did not. ``reports`` are positions of calls in which another agent told something,
    ``opaque`` of calls to tools whose result could carry anything; ``looks`` of readings.
    ``last_edit`` is the position of the last change of a source file, -1 without one.
    """

    calls: tuple[ToolCall, ...]
    runs: tuple[Run, ...]
    latest: tuple[Run, ...]
    failures: tuple[Run, ...]
    edits: tuple[Edit, ...]
    refused: tuple[Edit, ...]
    searches: tuple[Search, ...]
    open_todos: tuple[str, ...]
    done_todos: int
    reports: tuple[int, ...]
    opaque: tuple[int, ...]
    looks: tuple[int, ...]
    last_edit: int
    partial: bool
    prompt: str
    cwd: str
    texts: Texts

    def passed(self, *kinds: str) -> list[Run]:
        """Return the latest runs of these kinds that passed, in order."""
        return [run for run in self.latest if run.kind in kinds and run.outcome.status == PASSED]

    def fresh(self, *kinds: str) -> list[Run]:
        """Return those of them after which no source file was edited."""
        return [run for run in self.passed(*kinds) if run.index > self.last_edit]

    def failed(self, *kinds: str) -> list[Run]:
        """Return the failures of these kinds that are still open, in order."""
        return [run for run in self.failures if run.kind in kinds]

    def knows_file(self, path: str, line: int, on_disk: OnDisk) -> bool | None:
        """Tell whether the turn shows a path, or the disk holds it; None: it cannot be told."""
        return self.texts.knows_path(path) or (None if self.partial else on_disk(path, line))

    def ran_again(self, run: Run) -> bool:
        """Tell whether its kind or tool ran after the last edit, or with it, and did not fail."""
        return any(
            (one.kind == run.kind or (one.tool == run.tool and run.tool))
            and one.outcome.status != FAILED
            for one in self.runs
            if one.index >= self.last_edit and one.index > run.index
        )

    def edited_after(self, run: Run) -> tuple[str, ...]:
        """Return the source files that were edited after ``run``, each once, in order."""
        paths = (one.path for one in self.edits if one.is_source and one.index > run.index)
        return tuple(dict.fromkeys(paths))

    def ran_since_edit(self) -> bool:
        """Tell whether what could show an effect was run, asked or looked for after the last edit.

        A command that nobody knows could have shown it.
        What stands in one command with an edit is taken to come after it.
        """
        shows = (run for run in self.runs if run.kind != GIT and not run.changes)
        if any(run.index >= self.last_edit for run in shows):
            return True
        looking = SHELL_TOOLS | SEARCH_TOOLS
        looks = {at for at, call in enumerate(self.calls) if call.name in looking}
        looks -= {run.index for run in self.runs}
        return any(at > self.last_edit for at in (*looks, *self.opaque, *self.reports))

    @property
    def others(self) -> bool:
        """Whether another agent, or a tool that is no file, search or shell, told something."""
        return bool(self.opaque or self.reports)


def timeline_of(turn: Turn, watch: Watch | None = None) -> Timeline:
    """Read the tool calls of ``turn``. Linear in their number and in their results.

    A reader that fails costs what it reads; a call that was not read could have shown anything.
    Without ``watch`` it takes its time, and lets failures out.
    """
    watch = watch or Watch(float("inf"), strict=True)
    calls, attempt = turn.calls, watch.attempt
    runs = attempt("the reader of runs", runs_of, None, calls, turn.cwd, turn.known, watch)
    unread = frozenset(watch.unread)
    if watch.cut:  # nor will they be read below
        calls = tuple(it.replace(input={}) if at in unread else it for at, it in enumerate(calls))
    edits = attempt("the reader of edits", edits_of, (), calls, turn.cwd, watch)
    searches = attempt("the reader of searches", searches_of, (), calls, watch)
    if runs is None or watch.cut:
        runs, turn = runs or (), turn.replace(partial=True)
    made = tuple(one for one in edits if one.succeeded)
    todos = attempt("the reader of to-dos", tasks_of, (), calls)
    return Timeline(
        calls,
        runs,
        tuple(sorted(_known(last_outcomes(runs).values()), key=lambda run: run.index)),
        still_open(runs),
        made,
        tuple(one for one in edits if not one.succeeded),
        searches,
        tuple(text for text, status in todos if status not in _DONE),
        sum(status == _DONE[0] for _, status in todos),
        _positions(calls, REPORT_TOOLS),
        tuple(
            index
            for index, call in enumerate(calls)
            if index in unread or (call.name not in KNOWN_TOOLS and call.name not in REPORT_TOOLS)
        ),
        _positions(calls, READ_TOOLS),
        max((one.index for one in made if one.is_source), default=-1),
        turn.partial,
        turn.prompt,
        turn.cwd,
        Texts(turn),
    )


def last_outcomes(runs: Iterable[Run]) -> dict[str, Run]:
    """Return the last run of each signature, in the order of these last runs.

    A run without a known outcome does not replace one that has it.
    """
    last: dict[str, Run] = {}
    for run in runs:
        before = last.get(run.signature)
        if before is None or _is_known(run) or not _is_known(before):
            last.pop(run.signature, None)
            last[run.signature] = run
    return last


def still_open(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs that failed or were cut short and that nothing later made good, in order.

    A later run makes a failure good when it passed and is the same command or does all of it, when
    it passed and has its kind and tool (then what failed may have been run alone), or when it is of
    its kind and covers the whole. The same command with an outcome that is not shown leaves
    it open whether the failure still holds, and that counts for the writer. Of several failures of
    one command the last one counts.
    """
    passed = _PassedRuns()
    seen: set[str] = set()
    open_runs: list[Run] = []
    for run in reversed(runs):
        if _is_broken(run) and run.signature not in seen and not passed.makes_good(run):
            open_runs.append(run)
        seen.add(run.signature)
        if run.outcome.status in (PASSED, UNKNOWN):
            passed.add(run)
    return tuple(reversed(open_runs))


class _PassedRuns:
    """Runs that passed, the latest first, kept so that asking costs the same however many."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[str]] = {}  # signatures by kind and tool or program
        self._tools: set[tuple[str, str]] = set()
        self._whole: set[str] = set()  # kinds of which a run covered everything
        self._commands: set[str] = set()  # in whatever folder

    def add(self, run: Run) -> None:
        alike = self._by_name.setdefault(name_of(run.signature), [])
        if len(alike) < _MOST_COMPARED:
            alike.append(run.signature)
        self._commands.add(run.command)
        if run.kind != OTHER:
            self._tools.add((run.kind, run.tool))
            if not run.narrow:
                self._whole.add(run.kind)
            if run.kind == TEST:  # what was compiled to be tested compiles
                self._whole.update((BUILD, TYPES))

    def makes_good(self, run: Run) -> bool:
        """Tell whether one of them made the failed ``run`` good."""
        if (run.kind, run.tool) in self._tools or run.kind in self._whole:
            return True
        if run.command in self._commands:
            return True
        alike = self._by_name.get(name_of(run.signature), ())
        return any(covers(later, run.signature) for later in alike)


def _known(runs: Iterable[Run]) -> list[Run]:
    return [run for run in runs if _is_known(run)]


def _is_known(run: Run) -> bool:
    return run.outcome.status in (PASSED, FAILED)


def _is_broken(run: Run) -> bool:
    """Tell whether a run failed; what only looks breaks nothing, nor a server that was stopped."""
    if run.kind == LOOK or (run.kind == OTHER and run.background):
        return False
    return run.outcome.status == FAILED or run.outcome.line.startswith(_CUT_SHORT)


def _positions(calls: Sequence[ToolCall], names: Iterable[str]) -> tuple[int, ...]:
    wanted = frozenset(names)
    return tuple(index for index, call in enumerate(calls) if call.name in wanted)
