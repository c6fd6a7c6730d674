"""Claims about the state of the work: it works, it is fixed, done, ready, complete, guaranteed."""

from __future__ import annotations

from groundwire.evidence.admitted import Admitted
from groundwire.evidence.claims import Claim
from groundwire.evidence.decisive import decides, not_started, of_part
from groundwire.evidence.facts import Facts
from groundwire.evidence.pointing import command_of, edited_files, pointing
from groundwire.evidence.rerun import only_part_since, passed_since
from groundwire.evidence.restated import content_words
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.model import Run
from groundwire.model import (
    CONTRADICTED,
    NOT_CHECKABLE,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Verdict,
)

_CHECKS = (runs.TEST, runs.BUILD, runs.LINT, runs.TYPES)
#: What exercises the program; a linter does not. Only tests say what they look at.
_EXERCISES = (runs.TEST, runs.BUILD, runs.OTHER)
_REPORTS = frozenset(("made", "done", "implemented", "verified"))
_EXERCISED = frozenset(("works", "verified", "ready", "fixed", "implemented"))
#: With one of these a claim about all of something is one about how it works.
_FIXED = frozenset("fixed functional resolved solved working works".split())
_SUCCESS = frozenset(("works", "fixed", "verified", "ready", "guarantee"))
#: Words of a claim that something refuses what it should refuse.
_REFUSING = (
    " reject", " refuse", " denie", " deny", " invalid", " bad input", " blocks ", " blocked",
    " exits with", " exit code", " raises", " errors out", " error message", " unauthorized",
    " forbidden", " validation", " guard",
)  # fmt: skip
_WHOLE_WORK = ("done", "all_scope", "coverage", "implemented")
#: Words of what a test is for; with them "ensures" speaks of proof, without them of purpose.
_PURPOSES = frozenset(
    "avoid avoids avoiding ensure ensures ensuring guard guards prevent prevents preventing".split()
)
_PROVING = frozenset(
    "benchmark benchmarks coverage demonstrates measurements prove proven proves proving results "
    "suite test tested testing tests validated validates validating".split()
)
#: Parts of the commands that measure which code a test run reaches.
_MEASURES = ("cov", "jacoco", "kover", "tarpaulin", "nyc ", "c8 ")
#: Share of a to-do item's words that a message has to repeat to tell of it.
_TOLD_SHARE = 0.6
#: Longest claim, in words, that names the operation which it is about and nothing else.
_SHORT_CLAIM = 10
_OPERATIONS = frozenset(
    "build commit compilation deploy deployment download format import install installation "
    "migration merge publish pull push rebase release sync update upgrade upload".split()
)


def status_verdict(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    """Judge a claim about the state of the work; None when the turn says nothing either way."""
    if claim.sort == "all_scope" and not _FIXED.isdisjoint(claim.said.split()):
        claim = claim.replace(sort="fixed", whole=True)
    named = _named_operation(claim, facts)
    if named:
        return pointing(named, SUPPORTED, f"{command_of(named)} passed")
    failure = _open_failure(claim, facts, admitted)
    if failure:
        return failure
    if claim.sort in _WHOLE_WORK and (left := facts.actions.open_todos):
        told = _told(left, admitted) or 0 < claim.items <= facts.actions.done_todos
        status = QUALIFIED if told else UNSUPPORTED
        return Verdict(status, _open_items(left))
    if claim.sort in ("guarantee", "safety"):
        return _guarantee(claim)
    if claim.sort == "coverage":
        return _coverage(facts)
    return _checked(claim, facts) or _unchecked(claim, facts)


def _open_failure(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    """Judge a claim by what failed and was not made good; None when nothing is open.

    Failed tests and builds contradict that something works. A linter, a type checker or a script
    may fail over something else.
    """
    failures = facts.failed(*_CHECKS, runs.OTHER)
    if not failures:
        return None
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
    if admitted.failure:
        status = QUALIFIED
    elif decisive and claim.sort in _SUCCESS and not _other_tests(last, passed):
        status = CONTRADICTED
    else:
        status = UNSUPPORTED
    return pointing(last, status, f"{command_of(last)} failed and was not made good")


def _other_tests(failure: Run, passed: list[Run]) -> bool:
    """Tell whether all tests of another tool passed: the failure may be about another part."""
    return any(
        run.kind == failure.kind == runs.TEST and run.tool != failure.tool and not run.narrow
        for run in passed
    )


def _named_operation(claim: Claim, facts: Facts) -> Run | None:
    """Return the run of the operation that a short claim names: "the push went through"."""
    words = claim.text.split()
    if claim.sort not in ("made", "done") or len(words) > _SHORT_CLAIM:
        return None
    wanted = _OPERATIONS.intersection(word.strip(".,:!*`") for word in words)
    found = [run for run in facts.latest if wanted.intersection(run.command.split())]
    return found[-1] if found and found[-1].outcome.status == runs.PASSED else None


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


def _guarantee(claim: Claim) -> Verdict:
    """What code is for is a description; that tests rule something out is a guarantee.

    That something is safe may come from reading it.
    """
    if _PROVING.isdisjoint(claim.text.split()):
        if claim.sort == "safety":
            return Verdict(QUALIFIED, "no result shows that it holds")
        if claim.certain or not _PURPOSES.isdisjoint(claim.said.split()):
            why = "it says what the change is for; no result shows that it holds"
            return Verdict(QUALIFIED, why)
    return Verdict(UNSUPPORTED, "a run shows the cases it covers, not a guarantee")


def _coverage(facts: Facts) -> Verdict | None:
    """That tests cover all of something is not shown by their passing, but by measuring it."""
    measured = [
        run
        for run in facts.latest
        if run.outcome.status == runs.PASSED and any(tool in run.command for tool in _MEASURES)
    ]
    if measured:
        return pointing(measured[-1], QUALIFIED, f"{command_of(measured[-1])} measured what it ran")
    if facts.edits or facts.latest:
        return Verdict(UNSUPPORTED, "no result enumerates what there is to cover")
    return None


def _checked(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim by the checks that passed after the last edit."""
    works = claim.sort in _EXERCISED
    kinds = _EXERCISES if works else _CHECKS
    checks = [run for run in facts.passed(*kinds) if not facts.is_stale(run)]
    if not checks:
        return None
    tests = [run for run in checks if run.kind == runs.TEST]
    last = tests[-1] if works and tests else checks[-1]
    partial = claim.sort == "all_scope" or (claim.whole and last.narrow)
    status = QUALIFIED if partial or (works and not tests) else SUPPORTED
    return pointing(last, status, f"{command_of(last)} passed after the last edit")


def _unchecked(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim that no check after the last edit covers."""
    if facts.edits and claim.sort in _EXERCISED:
        hidden = facts.hidden(*_EXERCISES)
        if hidden:
            why = hidden.distrust or "its output does not show the outcome"
            return pointing(hidden, NOT_CHECKABLE, why)
        if claim.sort == "verified" and facts.looked_after_edits:
            return Verdict(QUALIFIED, "it was looked at after the last edit, but nothing was run")
        stale = [run for run in facts.passed(*_EXERCISES) if facts.is_stale(run)]
        if stale:
            edited = edited_files(facts.edited_after(stale[-1]))
            why = f"{edited} after {command_of(stale[-1])} ran"
            return pointing(stale[-1], UNSUPPORTED, why)
        return Verdict(UNSUPPORTED, "nothing was run after the last edit")
    if facts.edits or claim.sort in _REPORTS or claim.sort == "ready":
        return Verdict(QUALIFIED, "no check of this turn covers it")
    if facts.actions.reports:
        return Verdict(QUALIFIED, "only the report of another agent says so")
    return None
