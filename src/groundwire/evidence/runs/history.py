"""The runs of a turn in order: what came out last, and what was left broken."""

from __future__ import annotations

from groundwire.evidence.runs.classify import NO_RUN
from groundwire.evidence.runs.model import FAILED, PASSED, Run
from groundwire.evidence.runs.signature import covers, name_of, scope_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: What only looks: when it fails, nothing is broken.
_LOOKING = frozenset(("git status", "git log", "git diff", "gh"))
_CUT_SHORT = ("timed out", "interrupted")
#: The command was given wrongly: there is no such program, script, folder or target.
_NOT_STARTED = (
    "No such file or directory",
    "no such file or directory",
    "directory not found",
    "command not found",
    "No rule to make target",
    "No targets specified",
    "Missing script",
    "No module named",
)


def last_outcomes(runs: Sequence[Run]) -> dict[str, Run]:
    """Return the last run of each signature, in the order of these last runs.

    A run without a known outcome does not replace one that has it.
    """
    last: dict[str, Run] = {}
    for run in runs:
        before = last.get(run.signature)
        if before is not None and not _is_known(run) and _is_known(before):
            continue
        last.pop(run.signature, None)
        last[run.signature] = run
    return last


def open_failures(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Return the runs that failed or were cut short, and that no later one made good.

    A later run does when it passed and has the same signature, or does the same and more with the
    same tool. Of several failures of one signature the last one counts.
    """
    good: dict[str, Run] = {}  # by signature: passed, later than the run at hand
    seen: set[str] = set()
    left: list[Run] = []
    for run in reversed(runs):
        if run.outcome.status == PASSED:
            good.setdefault(run.signature, run)
        elif (
            _is_broken(run)
            and run.signature not in seen
            and not any(_makes_good(later, run) for later in good.values())
        ):
            left.append(run)
        if _is_known(run):
            seen.add(run.signature)
    return tuple(reversed(left))


def _is_known(run: Run) -> bool:
    return run.outcome.status in (PASSED, FAILED)


def _is_broken(run: Run) -> bool:
    if run.tool in _LOOKING or NO_RUN in scope_of(run.signature):
        return False
    return run.outcome.status == FAILED or run.outcome.line.startswith(_CUT_SHORT)


def _makes_good(later: Run, run: Run) -> bool:
    if covers(later.signature, run.signature):
        return True
    if any(sign in run.outcome.line for sign in _NOT_STARTED):  # tried again in another spelling
        return name_of(later.signature) == name_of(run.signature)
    if not later.tool or later.tool != run.tool or later.kind != run.kind or later.narrow:
        return False
    # The same tool behind a task or a script: one of the two says nothing about what it covers.
    behind = name_of(later.signature) != name_of(run.signature)
    return behind and not (scope_of(run.signature) and scope_of(later.signature))
