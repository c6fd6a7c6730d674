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
    Claim,
)
from groundwire.evidence.facts import Facts
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.model import Run
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
_CHECKS = (runs.TEST, runs.BUILD, runs.LINT, runs.TYPES)
#: What exercises the program; a linter does not. Only tests say what they look at.
_EXERCISES = (runs.TEST, runs.BUILD, runs.OTHER)
_REPORTS = frozenset(("done", "implemented", "verified"))
_EXERCISED = frozenset(("works", "verified", "ready"))


def verdict_of(claim: Claim, facts: Facts, admitted: bool) -> Verdict | None:
    """Judge one claim; ``admitted`` says that the message tells of a failure itself."""
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


def _judge(claim: Claim, facts: Facts, admitted: bool) -> Verdict | None:
    if claim.sort in _RUN_KINDS:
        return _run_claim(claim, facts)
    if claim.sort in GIT:
        return _git_claim(claim, facts)
    if claim.sort in STATUS:
        return _status_claim(claim, facts, admitted)
    if claim.sort in ABSENCE:
        return _absence_claim(claim, facts)
    if claim.sort == CAUSE:
        return Verdict(QUALIFIED, "the turn looked into it, but no result decides it")
    if claim.sort in FIGURES:
        return Verdict(NOT_CHECKABLE, "figures are not looked up")
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
        return _against(failures[-1], f"the last {name} failed")
    passed = facts.passed(kind)
    if not passed:
        return _no_run(facts, kind, name)
    last = passed[-1]
    if claim.passed is not None and not _is_count(claim.passed, passed):
        return _pointing(last, CONTRADICTED, f"the {name} printed {last.outcome.passed} passed")
    edited = facts.edited_after(last)
    if edited:
        return _pointing(last, UNSUPPORTED, f"{_files(edited)} edited after the last {name}")
    weakened = facts.weakened()
    if weakened:
        path, what = weakened[0]
        return _pointing(last, QUALIFIED, f"{what} in {path.rpartition('/')[2]} in this turn")
    if claim.whole and all(run.narrow for run in passed):
        return _pointing(last, QUALIFIED, f"the {name} covered a part: {last.narrow}")
    return _pointing(last, SUPPORTED, f"the last {name} passed")


def _no_run(facts: Facts, kind: str, name: str) -> Verdict:
    """No run of this kind has a known outcome: not run, not shown, or hidden in something else."""
    silent = [run for run in facts.runs if run.kind == kind]
    if silent:
        why = silent[-1].distrust or "its output does not show the outcome"
        return _pointing(silent[-1], NOT_CHECKABLE, why)
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
        return _against(last, f"git {wanted} failed")
    return _pointing(last, SUPPORTED, f"git {wanted} ran")


def _status_claim(claim: Claim, facts: Facts, admitted: bool) -> Verdict | None:
    failures = facts.failed(*_CHECKS, runs.OTHER)
    if failures:
        status = QUALIFIED if admitted else CONTRADICTED
        last = failures[-1]
        return _pointing(last, status, f"{_command(last)} failed and was not made good")
    if facts.actions.open_todos and claim.sort in ("done", "all_scope", "implemented"):
        count = len(facts.actions.open_todos)
        return Verdict(UNSUPPORTED, f"{count} items of the to-do list are open")
    if claim.sort == "guarantee":
        return Verdict(UNSUPPORTED, "a run shows the cases it covers, not a guarantee")
    works = claim.sort in _EXERCISED or claim.sort == "fixed"
    kinds = _EXERCISES if works else _CHECKS
    checks = [run for run in facts.passed(*kinds) if not facts.edited_after(run)]
    if checks:
        tests = [run for run in checks if run.kind == runs.TEST]
        last = tests[-1] if works and tests else checks[-1]
        partial = claim.sort == "all_scope" or (claim.whole and last.narrow)
        status = QUALIFIED if partial or (works and not tests) else SUPPORTED
        return _pointing(last, status, f"{_command(last)} passed after the last edit")
    if facts.edits and claim.sort in _EXERCISED:
        return Verdict(UNSUPPORTED, "nothing was run after the last edit")
    if facts.edits or claim.sort in _REPORTS:
        return Verdict(QUALIFIED, "no check of this turn covers it")
    return None


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


def _against(run: Run, why: str) -> Verdict:
    printed = bool(run.outcome.line)
    verdict = _pointing(run, CONTRADICTED, why)
    return verdict.replace(printed=printed)


def _pointing(run: Run, status: str, why: str) -> Verdict:
    line = run.outcome.line.strip()
    shown = f'{why} ({_command(run)}: "{line}")' if line else f"{why} ({_command(run)})"
    return Verdict(status, shown, run.call_id, run.command, line)


def _command(run: Run) -> str:
    return run.command if len(run.command) <= 60 else f"{run.command[:57]}..."


def _files(paths: tuple[str, ...]) -> str:
    names = ", ".join(path.rpartition("/")[2] for path in paths[:2])
    more = len(paths) - 2
    return f"{names} and {more} more were" if more > 0 else f"{names} was"
