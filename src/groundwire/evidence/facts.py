"""Everything that verdicts ask of a turn, collected once."""

from __future__ import annotations

from groundwire.evidence.actions import Actions, actions_of
from groundwire.evidence.runs import (
    last_outcomes,
    open_failures,
    runs_of,
    source_edits,
    stale,
    weakened_tests,
)
from groundwire.evidence.runs.model import FAILED, PASSED, Run
from groundwire.evidence.seen import Seen
from groundwire.model import Ledger, ToolCall
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.evidence.printed import Printed


class Facts(Record):
    """The ledger of a turn with its runs and actions read.

    ``failures`` are runs that failed and were not made good by the end of the turn. ``seen`` holds
    the texts of the turn and is not read before a claim asks for it.
    """

    calls: tuple[ToolCall, ...]
    runs: tuple[Run, ...]
    latest: tuple[Run, ...]  # the last outcome of each command
    failures: tuple[Run, ...]
    actions: Actions
    changes: tuple[tuple[int, str], ...]  # position of the call and source file, in order
    partial: bool
    seen: Seen

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
        """Return the source files that were edited after ``run``."""
        return stale(run, self.changes)

    def weakened(self) -> tuple[tuple[str, str], ...]:
        """Return the test files that the turn's edits weakened, each with what was done to it."""
        return weakened_tests(self.calls)

    @property
    def printed(self) -> Printed:
        """The numbers of the results; read once."""
        return self.seen.printed

    @property
    def edits(self) -> int:
        """Number of edits that succeeded."""
        return sum(edit.succeeded for edit in self.actions.edits)

    @property
    def looked_after_edits(self) -> bool:
        """Whether something was read, searched or run after the last edit of a source file."""
        last = max((index for index, _ in self.changes), default=-1)
        searches = (search.index for search in self.actions.searches)
        return any(index > last for index in (*self.actions.looks, *searches))


def facts_of(ledger: Ledger) -> Facts:
    """Read the tool calls of ``ledger``. Linear in their number and in their results."""
    runs = runs_of(ledger.calls, ledger.cwd, ledger.known)
    failures = tuple(run for run in open_failures(runs) if not _was_repeated(run, runs))
    return Facts(
        ledger.calls,
        runs,
        _ordered(last_outcomes(runs).values()),
        failures,
        actions_of(ledger.calls),
        source_edits(ledger.calls),
        ledger.partial,
        Seen(ledger),
    )


def _was_repeated(failure: Run, runs: tuple[Run, ...]) -> bool:
    """Tell whether something ran later that may have made the failure good.

    The same command with an outcome that its output does not show, or a run of the whole of the
    same kind that passed: then the failure is no longer known to be open.
    """
    later = [run for run in runs if run.index > failure.index and run.kind == failure.kind]
    return any(
        (run.signature == failure.signature and run.outcome.status != FAILED)
        or (run.outcome.status == PASSED and (not run.narrow or _is_alike(run, failure)))
        for run in later
    )


def _is_alike(run: Run, failure: Run) -> bool:
    """Both cover the same part of the project, whichever tests in it they name."""
    place, other = (one.narrow.partition(",")[0] for one in (run, failure))
    return run.tool == failure.tool and place == other


def _ordered(runs: Iterable[Run]) -> tuple[Run, ...]:
    known = [run for run in runs if run.outcome.status in (PASSED, FAILED)]
    return tuple(sorted(known, key=lambda run: run.index))
