"""Claims about the state of the work: it works, it is fixed, done, ready, complete, guaranteed."""

from __future__ import annotations

from groundwire.evidence.message.admitted import Admitted
from groundwire.evidence.message.claims import Claim
from groundwire.evidence.message.restated import content_words
from groundwire.evidence.passed.decisive import decides, not_started, of_part
from groundwire.evidence.pointing import command_of, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.model import Run
from groundwire.evidence.turn.facts import Facts
from groundwire.evidence.turn.rerun import got_better, only_part_since, passed_since
from groundwire.evidence.turn.states import states_verdict
from groundwire.evidence.work.exercised import (
    EXERCISED,
    EXERCISES,
    SUCCESS,
    UNCOVERED,
    UNSEEN,
    exercised_verdict,
    ran_since,
    unchecked_verdict,
)
from groundwire.evidence.work.operations import named_operation
from groundwire.evidence.work.scope import coverage_verdict, guarantee_verdict
from groundwire.evidence.work.written import reports_edit, written_verdict
from groundwire.model import (
    CONTRADICTED,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Verdict,
)

_CHECKS = (runs.TEST, runs.BUILD, runs.LINT, runs.TYPES)
#: Checks that only read the code: what they find says little of how a thing fares that was run.
_READING = (runs.LINT, runs.TYPES)
#: With one of these a claim about all of something is one about how it works.
_FIXED = frozenset("fixed functional resolved solved working works".split())
#: Words of a claim that something refuses what it should refuse.
_REFUSING = (
    " reject", " refuse", " denie", " deny", " invalid", " bad input", " blocks ", " blocked",
    " exits with", " exit code", " raises", " errors out", " error message", " unauthorized",
    " forbidden", " validation", " guard",
)  # fmt: skip
#: Words of a sentence about a build.
_BUILDING = ("build", "compil")
_WHOLE_WORK = ("done", "all_scope", "coverage", "implemented", "requested")
#: Words of a result, without which a claim about all of something only describes it.
_RESULTS = _FIXED | frozenset(
    "complete completed done finished good pass passed passes passing ready success successful "
    "successfully succeed succeeds tested validated validates verified verifies".split()
)
#: Git commands that go on only when no conflict is left.
_GOING_ON = ("git commit", "git merge", "git rebase", "git cherry-pick", "git push")
#: Share of a to-do item's words that a message has to repeat to tell of it.
_TOLD_SHARE = 0.6


def status_verdict(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    """Judge a claim about the state of the work; None when the turn says nothing either way."""
    found = _status(claim, facts, admitted)
    if found and found.status in (UNSUPPORTED, CONTRADICTED) and reports_edit(claim, facts):
        return Verdict(QUALIFIED, "it reports an edit; no result shows what came of it")
    if found == UNSEEN and admitted.unchecked and "should" in claim.said.split():
        return Verdict(QUALIFIED, "the message says that it was not checked")
    if found in (UNSEEN, UNCOVERED) and (told := written_verdict(claim, facts)):
        return told
    return found


def _status(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    if claim.sort == "all_scope" and not _FIXED.isdisjoint(claim.said.split()):
        claim = claim.replace(sort="fixed", whole=True)
    if claim.sort == "fixed" and "conflict" in claim.text and (taken := _joined(facts)):
        return pointing(taken, QUALIFIED, f"{command_of(taken)} took it")
    named = named_operation(claim, facts)
    if named:
        return pointing(named, SUPPORTED, f"{command_of(named)} passed")
    failure = _open_failure(claim, facts, admitted) or _not_ready(claim, facts, admitted)
    if failure:
        return failure
    if claim.sort in _WHOLE_WORK and (left := facts.actions.open_todos):
        told = _told(left, admitted) or 0 < claim.items <= facts.actions.done_todos
        status = QUALIFIED if told else UNSUPPORTED
        return Verdict(status, _open_items(left))
    if claim.sort in ("guarantee", "safety"):
        return guarantee_verdict(claim, facts)
    if claim.sort == "requested":
        return _requested(facts)
    if claim.sort == "coverage":
        return coverage_verdict(claim, facts)
    if claim.sort == "verified":
        from groundwire.evidence.passed.named_runs import verified_by

        if found := verified_by(claim, facts):
            return found
    return _checked(claim, facts) or unchecked_verdict(claim, facts)


def _joined(facts: Facts) -> Run | None:
    """Return the git command after the last edit that goes on only without a conflict."""
    passed = [run for run in facts.passed(runs.GIT) if not facts.is_stale(run)]
    return next((run for run in reversed(passed) if run.tool in _GOING_ON), None)


def _requested(facts: Facts) -> Verdict:
    """That all of what was asked for is there takes tests of it, and more than a build."""
    tests = [run for run in facts.passed(runs.TEST) if not facts.is_stale(run)]
    if tests:
        return pointing(tests[-1], QUALIFIED, f"{command_of(tests[-1])} passed after the last edit")
    if facts.edits:
        return Verdict(UNSUPPORTED, "no test of this turn goes through what was asked for")
    return UNCOVERED


def _open_failure(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    """Judge a claim by what failed and was not made good; None when nothing is open.

    Failed tests and builds contradict that all is well; that one thing is fixed, only in a sentence
    about them. A linter, a type checker or a script may fail over something else.
    """
    failures = facts.failed(*_CHECKS, runs.OTHER)
    if not failures or _describes(claim):
        return None
    if any(run.kind == runs.LINT for run in failures):
        from groundwire.evidence.work.style import without_style

        failures = without_style(failures, claim, facts)
    if claim.sort in EXERCISED and not (claim.lints or claim.whole) and ran_since(facts):
        failures = [run for run in failures if run.kind not in _READING]
    passed = [run for run in facts.passed(*_CHECKS) if not facts.is_stale(run)]
    if passed:  # what the machine lacks says nothing against them
        failures = [run for run in failures if run.kind != runs.OTHER or not not_started(run)]
    if any(word in claim.text for word in _REFUSING):  # a program fails as it should
        own = [run for run in failures if run.kind == runs.OTHER]
        failures = [run for run in failures if run.kind != runs.OTHER]
        if own and not failures and not facts.is_stale(own[-1]):
            return pointing(own[-1], QUALIFIED, f"{command_of(own[-1])} was refused")
    if not failures:
        return None
    decisive = [run for run in failures if decides(run, facts)]
    last = (decisive or failures)[-1]
    since = passed_since(last, facts.runs, facts.changes)
    if since and not admitted.failure:
        found = only_part_since(last, since)
        return found.replace(status=QUALIFIED) if of_part(claim.text, [since], []) else found
    if admitted.failure or (claim.sort == "fixed" and got_better(last, facts)):
        status = QUALIFIED
    elif decisive and _denied_by(last, claim) and not _other_tests(last, passed):
        status = CONTRADICTED
    else:
        status = UNSUPPORTED
    return pointing(last, status, f"{command_of(last)} failed and was not made good")


def _denied_by(failure: Run, claim: Claim) -> bool:
    """Tell whether a claim of success is one that the failed tests or the failed build deny."""
    if claim.sort != "fixed":
        return claim.sort in SUCCESS
    if failure.kind == runs.TEST:
        return claim.tests
    return any(word in claim.text for word in _BUILDING)


def _other_tests(failure: Run, passed: list[Run]) -> bool:
    """Tell whether all tests of another tool passed: the failure may be about another part."""
    return any(
        run.kind == failure.kind == runs.TEST and run.tool != failure.tool and not run.narrow
        for run in passed
    )


def _describes(claim: Claim) -> bool:
    """Tell whether a claim is about how much was written, not about how it fares."""
    if claim.sort not in ("coverage", "all_scope"):
        return False
    words = {word.strip(".,:;!*`()") for word in claim.text.split()}
    return _RESULTS.isdisjoint(words)


def _not_ready(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    """Judge a claim by the last listing of what runs, when something of it is not ready."""
    if claim.sort not in EXERCISED:
        return None
    found = states_verdict(claim, facts.looks.states)
    return found.replace(status=QUALIFIED) if found and admitted.failure else found


def _told(left: tuple[str, ...], admitted: Admitted) -> bool:
    """Tell whether the message itself names every item as still open."""
    return all(
        words and len(words & admitted.open_words) >= _TOLD_SHARE * len(words)
        for words in (content_words(item.lower()) for item in left)
    )


def _open_items(left: tuple[str, ...]) -> str:
    count = "1 item" if len(left) == 1 else f"{len(left)} items"
    verb = "is" if len(left) == 1 else "are"
    return f'{count} of the to-do list {verb} open ("{left[0]:.60}")'


def _checked(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim by the checks that passed after the last edit."""
    works = claim.sort in EXERCISED
    kinds = EXERCISES if works else _CHECKS
    checks = [run for run in facts.passed(*kinds) if not facts.is_stale(run)]
    tests = [run for run in checks if run.kind == runs.TEST]
    if works and not tests:
        return exercised_verdict(claim, facts, checks)
    if not checks:
        return None
    last = tests[-1] if works else checks[-1]
    partial = claim.sort == "all_scope" or (claim.whole and last.narrow)
    status = QUALIFIED if partial else SUPPORTED
    return pointing(last, status, f"{command_of(last)} passed after the last edit")
