"""Everything that verdicts ask of a turn, collected once."""

from __future__ import annotations

from groundwire.evidence.runs import (
    last_outcomes,
    open_failures,
    runs_of,
    source_edits,
    stale,
    weakened_tests,
)
from groundwire.evidence.runs.baseline import elsewhere, set_aside
from groundwire.evidence.runs.misuse import of_document, was_left_running, was_not_understood
from groundwire.evidence.runs.model import FAILED, GIT, PASSED, UNKNOWN, Run
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.signature import name_of
from groundwire.evidence.turn.actions import Actions, actions_of
from groundwire.evidence.turn.looks import Looks
from groundwire.evidence.turn.seen import Seen
from groundwire.model import Ledger, ToolCall
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundwire.evidence.turn.printed import Printed


#: What stands for the files that are put away and taken back.
_BACK_AND_FORTH = "git stash"


class Facts(Record):
    """The ledger of a turn with its runs and actions read.

    ``failures`` are runs that failed and were not made good by the end of the turn. ``seen`` holds
    the texts of the turn and ``looks`` how things stood; neither is read before a claim asks for
    it.
    """

    calls: tuple[ToolCall, ...]
    runs: tuple[Run, ...]
    latest: tuple[Run, ...]  # the last outcome of each command
    failures: tuple[Run, ...]
    actions: Actions
    changes: tuple[tuple[int, str], ...]  # position of the call and source file, in order
    last_changes: tuple[tuple[int, str], ...]  # of them the last one of each file
    weakened_tests: tuple[tuple[str, str], ...]
    partial: bool
    seen: Seen
    looks: Looks

    def of_kind(self, *kinds: str) -> list[Run]:
        """Return the latest runs of these kinds, in order."""
        return [run for run in self.latest if run.kind in kinds]

    def passed(self, *kinds: str) -> list[Run]:
        """Return the latest runs of these kinds that passed, in order."""
        return [run for run in self.of_kind(*kinds) if run.outcome.status == PASSED]

    def failed(self, *kinds: str) -> list[Run]:
        """Return the failures of these kinds that were still open at the end of the turn."""
        return [run for run in self.failures if run.kind in kinds]

    def edited_after(self, run: Run) -> tuple[str, ...]:
        """Return the source files that were edited after ``run``, in the order of the last edit."""
        return stale(run, self.last_changes)

    def is_stale(self, run: Run) -> bool:
        """Tell whether a source file was edited after ``run``."""
        return bool(self.last_changes) and self.last_changes[-1][0] > run.index

    def is_cut(self, run: Run) -> bool:
        """Tell whether a part of the output of ``run`` is hidden."""
        return read_result(self.calls[run.index]).cut

    def weakened(self) -> tuple[tuple[str, str], ...]:
        """Return the test files that the turn's edits weakened, each with what was done to it."""
        return self.weakened_tests

    @property
    def printed(self) -> Printed:
        """The numbers of the results; read once."""
        return self.seen.printed

    @property
    def edits(self) -> int:
        """Number of edits that succeeded."""
        return sum(edit.succeeded for edit in self.actions.edits)

    @property
    def others_looked(self) -> bool:
        """Whether another agent or a tool that is no file, search or shell returned something."""
        return bool(self.actions.opaque or self.actions.reports)

    def hidden(self, *kinds: str) -> Run | None:
        """Return the last run of these kinds after all edits whose outcome is not known."""
        last = self.changes[-1][0] if self.changes else -1
        later = [run for run in self.runs if run.index > last and run.kind in kinds]
        return later[-1] if later and later[-1].outcome.status == UNKNOWN else None

    @property
    def last_change(self) -> int:
        """Position of the call that edited a source file last; -1 when none did."""
        return self.last_changes[-1][0] if self.last_changes else -1

    def looked_after(self, index: int) -> bool:
        """Whether something was read, searched or run after the call at ``index``.

        A command that only changes a state or moves files is no look.
        """
        if any(search.index > index for search in self.actions.searches):
            return True
        from groundwire.evidence.turn.checks import only_changes

        later = [look for look in self.actions.looks if look > index]
        return any(not only_changes(self.calls[look]) for look in later)


def facts_of(ledger: Ledger) -> Facts:
    """Read the tool calls of ``ledger``. Linear in their number and in their results."""
    before = set_aside(ledger.calls)  # what ran there ran on the code of before
    other = elsewhere(ledger.calls, ledger.cwd)
    runs = tuple(
        run
        for run in runs_of(ledger.calls, ledger.cwd, ledger.known)
        if run.kind == GIT
        or not (run.index in before or (run.index in other and run.outcome.status == FAILED))
    )
    changes = tuple(
        change
        for change in source_edits(ledger.calls, ledger.cwd)
        if change[0] not in before or change[1] != _BACK_AND_FORTH
    )
    meant = _as_meant(runs)
    failures = still_open(meant)
    if failures:
        from groundwire.evidence.turn.rerun import without_rerun

        failures = tuple(run for run in failures if not of_document(run))
        failures = without_rerun(failures, meant, ledger.calls)
    actions = actions_of(ledger.calls)
    return Facts(
        ledger.calls,
        runs,
        _ordered(last_outcomes(meant).values()),
        failures,
        actions,
        changes,
        _last_of_each(changes),
        weakened_tests(ledger.calls),
        ledger.partial,
        Seen(ledger),
        Looks(ledger.calls, runs, actions),
    )


def still_open(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the failures among ``runs``, in order, of which nothing says that they are over."""
    repeats = _Repeats(runs)
    return tuple(run for run in open_failures(runs) if not repeats.has(run))


def _as_meant(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs without servers that were stopped, and without what was given wrongly.

    The latter of programs that passed otherwise.
    """
    passed = {name_of(run.signature) for run in runs if run.outcome.status == PASSED}
    return tuple(
        run
        for run in runs
        if run.outcome.status != FAILED
        or not (
            was_left_running(run) or (name_of(run.signature) in passed and was_not_understood(run))
        )
    )


def _last_of_each(changes: tuple[tuple[int, str], ...]) -> tuple[tuple[int, str], ...]:
    last = {path: at for at, path in changes}
    return tuple(sorted((at, path) for path, at in last.items()))


class _Repeats:
    """Where something ran last that may have made a failure good, for all failures at once."""

    def __init__(self, runs: Iterable[Run]) -> None:
        self._same: dict[tuple[str, str], int] = {}
        self._whole: dict[tuple[str, bool], int] = {}
        self._alike: dict[tuple[str, str, str], int] = {}
        self._hidden: dict[tuple[str, str], int] = {}
        for run in runs:
            if run.outcome.status != FAILED:
                self._same[run.kind, run.signature] = run.index
            if run.outcome.status == UNKNOWN and run.tool and not run.narrow:
                self._hidden[run.kind, run.tool] = run.index
            if run.outcome.status == PASSED:
                self._alike[_part_of(run)] = run.index
                if not run.narrow:
                    self._whole[run.kind, bool(run.tool)] = run.index

    def has(self, failure: Run) -> bool:
        """Tell whether something ran later that may have made the failure good.

        The same command, or the whole with the same tool, with an outcome that the output does not
        show, or a run of the whole of the same kind that passed, or of the same
        part of the project, whichever tests in it the two name: then the failure is no longer
        known to be open.
        """
        last = max(
            self._same.get((failure.kind, failure.signature), -1),
            self._whole.get((failure.kind, True), -1),
            # one program of one's own says nothing about another
            self._whole.get((failure.kind, False), -1) if failure.tool else -1,
            self._alike.get(_part_of(failure), -1),
            self._hidden.get((failure.kind, failure.tool), -1),
        )
        return last > failure.index


def _part_of(run: Run) -> tuple[str, str, str]:
    return run.kind, run.tool, run.narrow.partition(",")[0]


def _ordered(runs: Iterable[Run]) -> tuple[Run, ...]:
    known = [run for run in runs if run.outcome.status in (PASSED, FAILED)]
    return tuple(sorted(known, key=lambda run: run.index))
