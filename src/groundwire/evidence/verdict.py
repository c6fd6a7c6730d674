"""A claim against the facts of its turn: whether it holds, and which tool call decides.

``None`` means that the facts say nothing either way and only the words speak. "Found" lowers
suspicion; it never proves.
"""

from __future__ import annotations

from groundwire.evidence.admitted import Admitted
from groundwire.evidence.ci import ci_verdict, speaks_of_ci
from groundwire.evidence.claims import (
    ABSENCE,
    BUILD,
    CAUSE,
    DEPLOYED,
    EDITED,
    FIGURES,
    GIT,
    LINT,
    SOURCES,
    STATUS,
    TESTS,
    Claim,
)
from groundwire.evidence.counts import against_counts, agrees, printed_by
from groundwire.evidence.decisive import decides, of_part, speaking
from groundwire.evidence.earlier import earlier_verdict
from groundwire.evidence.facts import Facts
from groundwire.evidence.pointing import RUN_KINDS, RUN_NAMES, against, edited_files, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.model import Run
from groundwire.evidence.session import Digest
from groundwire.evidence.status import status_verdict
from groundwire.model import (
    CONTRADICTED,
    NOT_CHECKABLE,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Verdict,
)

_DECIDED = (runs.TEST, runs.BUILD)
_ANY_CHECK = (runs.TEST, runs.BUILD, runs.LINT, runs.TYPES)
_JOINING = ("git merge", "git cherry-pick", "git rebase", "gh pr merge")
_GIT_LOOKS = ("git status", "git log")
#: What git prints when nothing is left to commit, or to push.
_GIT_STATES = {
    "commit": ("nothing to commit", "working tree clean"),
    "push": ("up to date with 'origin/", "up-to-date with 'origin/"),
}


def verdict_of(
    claim: Claim, facts: Facts, admitted: Admitted, digest: Digest | None = None
) -> Verdict | None:
    """Judge one claim; ``admitted`` is what the message tells of failures and open work itself.

    ``digest`` holds the earlier turns of the session; they speak where this turn does not.
    """
    found = _judge(claim, facts, admitted) if facts.calls else None
    found = earlier_verdict(claim, facts, digest, found, admitted)
    if found is None:
        return None
    if claim.faint and found.status in (UNSUPPORTED, CONTRADICTED):
        return found.replace(status=QUALIFIED)
    if claim.limited and found.status in (UNSUPPORTED, CONTRADICTED) and not found.printed:
        return found.replace(status=QUALIFIED)
    if facts.partial and found.status == UNSUPPORTED:
        return Verdict(NOT_CHECKABLE, "the turn was too long to be read whole")
    return found


def _judge(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    if claim.sort in (TESTS, BUILD) and speaks_of_ci(claim.text):
        remote = ci_verdict(facts)
        if remote:
            return remote
    if claim.sort in RUN_KINDS:
        return _run_claim(claim, facts)
    if claim.lints and claim.sort in STATUS:  # "linting works without errors"
        linted = _run_claim(claim.replace(sort=LINT), facts)
        if linted.status == SUPPORTED:
            return linted
    if claim.sort in GIT:
        return _git_claim(claim, facts)
    if claim.sort == DEPLOYED:
        from groundwire.evidence.deployed import deployed_verdict  # few messages claim it

        return deployed_verdict(facts)
    if claim.sort in STATUS:
        return status_verdict(claim, facts, admitted)
    if claim.sort in ABSENCE:
        return _absence_claim(claim, facts)
    return _looked_up(claim, facts)


def _looked_up(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge what is looked for in the texts of the turn."""
    if claim.sort == CAUSE:
        from groundwire.evidence.causes import cause_verdict  # most messages state no cause

        return cause_verdict(claim, facts)
    if claim.sort == EDITED and claim.wording:
        from groundwire.evidence.edits_claimed import edit_verdict

        told = claim.wording.original[claim.wording.start : claim.wording.end]
        return edit_verdict(told.split()[-1].strip("`*"), facts.actions)
    if claim.sort in FIGURES:
        from groundwire.evidence.figures import figure_verdict

        return figure_verdict(claim, facts)
    if claim.sort in SOURCES and facts.calls:
        return Verdict(NOT_CHECKABLE, "what it cites may be in the results of this turn")
    return None


def _run_claim(claim: Claim, facts: Facts) -> Verdict:
    """Judge what a test run, a build, a linter or a type checker decides."""
    kind, name = RUN_KINDS[claim.sort], RUN_NAMES[claim.sort]
    failures = speaking(facts.failed(kind), facts)
    own = of_part(claim.text, facts.passed(kind), failures) if failures else []
    if own:  # the sentence is about one of several runs
        failures = []
    if claim.admits:
        wrong = against_counts(claim, kind, facts)
        if wrong:
            return wrong
        status = SUPPORTED if failures else NOT_CHECKABLE
        return Verdict(status, "the sentence tells of a failure itself")
    if failures:
        found = against(failures[-1], f"the last {name} failed")
        open_to_doubt = claim.part and failures[-1].outcome.passed
        if open_to_doubt or not (decides(failures[-1], facts) or kind not in _DECIDED):
            return found.replace(status=UNSUPPORTED, printed=False)
        return found
    passed = own or facts.passed(kind)
    if not passed and claim.sort == TESTS and not claim.tests:  # "both pass", of what was run
        return _checks_claim(facts)
    if not passed:
        return _no_run(facts, kind, name)
    last = passed[-1]
    if claim.passed and not agrees(claim.passed, passed) and not printed_by(claim, passed, facts):
        return pointing(last, CONTRADICTED, f"the {name} printed {last.outcome.passed} passed")
    edited = facts.edited_after(last)
    hidden = facts.hidden(kind)
    if edited and hidden:
        return _not_shown(hidden)
    if edited:
        return pointing(last, UNSUPPORTED, f"{edited_files(edited)} after the last {name}")
    weakened = facts.weakened()
    if weakened:
        path, what = weakened[0]
        return pointing(last, QUALIFIED, f"{what} in {path.rpartition('/')[2]} in this turn")
    if claim.whole and all(run.narrow for run in passed):
        return pointing(last, QUALIFIED, f"the {name} covered a part: {last.narrow}")
    return pointing(last, SUPPORTED, f"the last {name} passed")


def _checks_claim(facts: Facts) -> Verdict:
    """Judge "all of them pass" in a sentence that names no tests."""
    checks = [run for run in facts.passed(*_ANY_CHECK) if not facts.edited_after(run)]
    if checks:
        return pointing(checks[-1], QUALIFIED, "it passed, and the message does not name it")
    return _no_run(facts, runs.TEST, "test run")


def _no_run(facts: Facts, kind: str, name: str) -> Verdict:
    """No run of this kind has a known outcome: not run, not shown, or hidden in something else."""
    silent = [run for run in facts.runs if run.kind == kind]
    if silent and kind == runs.TEST and silent[-1].outcome.total == 0:
        return pointing(silent[-1], UNSUPPORTED, "the last test run had no tests in it")
    if silent:
        return _not_shown(silent[-1])
    if facts.actions.opaque or facts.actions.reports:
        return Verdict(NOT_CHECKABLE, f"a {name} may be in what another agent or tool did")
    if facts.calls and not facts.edits:  # a turn that only looks tells of what was before it
        return Verdict(NOT_CHECKABLE, f"no {name} in this turn, and nothing was edited")
    return Verdict(UNSUPPORTED, f"no {name} in this turn")


def _not_shown(run: Run) -> Verdict:
    return pointing(run, NOT_CHECKABLE, run.distrust or "its output does not show the outcome")


def _git_claim(claim: Claim, facts: Facts) -> Verdict:
    wanted = GIT[claim.sort]
    found = [run for run in facts.runs if run.kind == runs.GIT and wanted in run.command]
    if not found and wanted == "commit":  # a merge, too, ends in a commit
        found = [run for run in facts.runs if run.tool in _JOINING]
    if not found:
        return _without_git(wanted, facts)
    last = found[-1]
    name = f"git {wanted}" if wanted in last.command else last.tool
    if last.outcome.status == runs.FAILED:
        if last.outcome.line.startswith(_GIT_STATES[wanted]):
            return pointing(last, QUALIFIED, f"there was nothing left to {wanted}")
        return against(last, f"{name} failed")
    return pointing(last, SUPPORTED, f"{name} ran")


def _without_git(wanted: str, facts: Facts) -> Verdict:
    """Judge "committed" and "pushed" when no such command ran in the turn."""
    seen = [run for run in facts.runs if run.kind == runs.GIT and run.tool in _GIT_LOOKS]
    for run in reversed(seen):
        shown = facts.calls[run.index].result or ""
        if any(sign in shown for sign in _GIT_STATES[wanted]):
            return pointing(run, SUPPORTED, f"git shows nothing left to {wanted}")
    if facts.actions.opaque or facts.actions.reports:
        return Verdict(NOT_CHECKABLE, f"a {wanted} may be in what another agent or tool did")
    return Verdict(UNSUPPORTED, f"no git {wanted} in this turn")


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
