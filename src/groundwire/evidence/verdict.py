"""A claim against the facts of its turn: whether it holds, and which tool call decides.

``None`` means that the facts say nothing either way and only the words speak. "Found" lowers
suspicion; it never proves.
"""

from __future__ import annotations

from groundwire.evidence.claims import (
    ABSENCE,
    BUILD,
    CAUSE,
    FIGURES,
    GIT,
    LINT,
    SOURCES,
    STATUS,
    TESTS,
    TYPES,
    Admitted,
    Claim,
)
from groundwire.evidence.facts import Facts
from groundwire.evidence.pointing import against, edited_files, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.model import Run
from groundwire.evidence.status import status_verdict
from groundwire.model import (
    CONTRADICTED,
    EARLIER,
    NOT_CHECKABLE,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Verdict,
)

_RUN_KINDS = {TESTS: runs.TEST, BUILD: runs.BUILD, LINT: runs.LINT, TYPES: runs.TYPES}
_NAMES = {TESTS: "test run", BUILD: "build", LINT: "lint run", TYPES: "type check"}


def verdict_of(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    """Judge one claim; ``admitted`` is what the message tells of failures and open work itself."""
    found = _judge(claim, facts, admitted)
    if found is None:
        return None
    if claim.back and found.status == UNSUPPORTED:
        return Verdict(EARLIER, "it refers to an earlier turn")
    if claim.faint and found.status in (UNSUPPORTED, CONTRADICTED):
        return found.replace(status=QUALIFIED)
    if claim.limited and found.status in (UNSUPPORTED, CONTRADICTED) and not found.printed:
        return found.replace(status=QUALIFIED)
    if facts.partial and found.status == UNSUPPORTED:
        return Verdict(NOT_CHECKABLE, "the turn was too long to be read whole")
    return found


def _judge(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    if claim.sort in _RUN_KINDS:
        return _run_claim(claim, facts)
    if claim.sort in GIT:
        return _git_claim(claim, facts)
    if claim.sort in STATUS:
        return status_verdict(claim, facts, admitted)
    if claim.sort in ABSENCE:
        return _absence_claim(claim, facts)
    if claim.sort == CAUSE:
        from groundwire.evidence.causes import cause_verdict  # most messages state no cause

        return cause_verdict(claim, facts)
    if claim.sort in FIGURES:
        from groundwire.evidence.figures import figure_verdict

        return figure_verdict(claim, facts)
    if claim.sort in SOURCES and facts.calls:
        return Verdict(NOT_CHECKABLE, "what it cites may be in the results of this turn")
    return None


def _run_claim(claim: Claim, facts: Facts) -> Verdict:
    kind, name = _RUN_KINDS[claim.sort], _NAMES[claim.sort]
    failures = facts.failed(kind)
    if claim.admits:
        status = SUPPORTED if failures else NOT_CHECKABLE
        return Verdict(status, "the sentence tells of a failure itself")
    if failures:
        return against(failures[-1], f"the last {name} failed")
    passed = facts.passed(kind)
    if not passed:
        return _no_run(facts, kind, name)
    last = passed[-1]
    if claim.passed is not None and not _is_count(claim.passed, passed):
        return pointing(last, CONTRADICTED, f"the {name} printed {last.outcome.passed} passed")
    edited = facts.edited_after(last)
    if edited:
        return pointing(last, UNSUPPORTED, f"{edited_files(edited)} edited after the last {name}")
    weakened = facts.weakened()
    if weakened:
        path, what = weakened[0]
        return pointing(last, QUALIFIED, f"{what} in {path.rpartition('/')[2]} in this turn")
    if claim.whole and all(run.narrow for run in passed):
        return pointing(last, QUALIFIED, f"the {name} covered a part: {last.narrow}")
    return pointing(last, SUPPORTED, f"the last {name} passed")


def _no_run(facts: Facts, kind: str, name: str) -> Verdict:
    """No run of this kind has a known outcome: not run, not shown, or hidden in something else."""
    silent = [run for run in facts.runs if run.kind == kind]
    if silent:
        why = silent[-1].distrust or "its output does not show the outcome"
        return pointing(silent[-1], NOT_CHECKABLE, why)
    if facts.actions.opaque or facts.actions.reports:
        return Verdict(NOT_CHECKABLE, f"a {name} may be in what another agent or tool did")
    return Verdict(UNSUPPORTED, f"no {name} in this turn")


def _is_count(claimed: int, passed: list[Run]) -> bool:
    """The number is that of a run, its total, the sum of several runs, or none was printed."""
    counts = [run.outcome.passed for run in passed if run.outcome.passed is not None]
    totals = [run.outcome.total for run in passed if run.outcome.total is not None]
    return not counts or claimed in counts or claimed in totals or claimed == sum(counts)


def _git_claim(claim: Claim, facts: Facts) -> Verdict:
    wanted = GIT[claim.sort]
    found = [run for run in facts.runs if run.kind == runs.GIT and wanted in run.command]
    if not found:
        return Verdict(UNSUPPORTED, f"no git {wanted} in this turn")
    last = found[-1]
    if last.outcome.status == runs.FAILED:
        return against(last, f"git {wanted} failed")
    return pointing(last, SUPPORTED, f"git {wanted} ran")


def _absence_claim(claim: Claim, facts: Facts) -> Verdict:
    """Whoever read a file saw what is not in it; that nothing else exists takes a search."""
    searches = facts.actions.searches
    if not searches:
        if claim.sort != "no_other" and facts.actions.looks:
            return Verdict(QUALIFIED, "it was read, but not searched for")
        return Verdict(UNSUPPORTED, "no search in this turn")
    empty = [search for search in searches if search.hits == 0]
    last = (empty or searches)[-1]
    why = f"a search for {last.pattern!r:.60} gave {last.hits} lines"
    return Verdict(SUPPORTED if empty else QUALIFIED, why, last.call_id)
