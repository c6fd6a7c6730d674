"""Claims that a run decides: tests, a build, a linter, a type checker."""

from __future__ import annotations

from groundwire.evidence.message.claims import BUILD, LINT, TESTS, Claim
from groundwire.evidence.passed.ci import ci_verdict, speaks_of_ci
from groundwire.evidence.passed.counts import against_counts, agrees, printed_at
from groundwire.evidence.passed.decisive import decides, of_part, speaking
from groundwire.evidence.pointing import RUN_KINDS, RUN_NAMES, against, edited_files, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.model import Run
from groundwire.evidence.runs.names import is_of_pipeline, is_test_file
from groundwire.evidence.turn.facts import Facts
from groundwire.evidence.turn.rerun import only_part_since, passed_since
from groundwire.model import (
    CONTRADICTED,
    NOT_CHECKABLE,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Verdict,
)

_ANY_CHECK = (runs.TEST, runs.BUILD, runs.LINT, runs.TYPES)
#: Words of a claim about several parts.
_SEVERAL = ("all ", "both ", "each ", "every ", "client", "server", "end")
#: Parts of "the full test suite" and "the entire code base".
_FULL = ("full", "entire", "whole", "complete")
_SUITES = ("suite", "test suite", "project", "codebase", "code base", "repository", "monorepo")
_DECIDED = (runs.TEST, runs.BUILD)
#: Tests of these tools are only run when the build is well.
_COMPILING = (
    "maven",
    "gradle",
    "cargo test",
    "go test",
    "dotnet test",
    "swift test",
    "xcodebuild",
    "nextest",
    "gotestsum",
    "mix test",
    "flutter test",
)


def run_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge a claim by the runs of its kind, or by a look at a remote pipeline."""
    kind, name = RUN_KINDS[claim.sort], RUN_NAMES[claim.sort]
    if claim.sort in (TESTS, BUILD) and speaks_of_ci(claim.text):
        remote = ci_verdict(facts)
        if remote:
            return remote
    failures = speaking(facts.failed(kind), facts)
    own = of_part(_named(claim), facts.passed(kind), failures) if failures else []
    if claim.part and failures and not own:  # "the new tests": a part was run by itself
        own = [run for run in facts.passed(kind) if run.narrow and not facts.is_stale(run)]
    if failures and not own and claim.passed and not claim.admits:
        own = _counted(claim, facts.passed(kind), facts)
        if own and failures[-1].index > own[-1].index:
            why = "it printed this count; another run failed after it"
            return pointing(own[-1], QUALIFIED, why)
        if not own and not claim.whole and printed_at(claim, facts) > facts.last_change:
            return pointing(failures[-1], QUALIFIED, "the count was printed, beside failures")
    if own:  # the sentence is about one of several runs
        failures = []
    if claim.admits:
        wrong = against_counts(claim, kind, facts)
        status = SUPPORTED if failures else NOT_CHECKABLE
        return wrong or Verdict(status, "the sentence tells of a failure itself")
    if failures and _is_of_others(claim, failures[-1], facts):
        return pointing(failures[-1], QUALIFIED, "it lists what failed, and not this")
    if failures:
        since = passed_since(failures[-1], facts.runs, facts.changes)
        found = _failed(claim, failures[-1], name, facts)
        return found if since is None else only_part_since(failures[-1], since)
    passed = own or _passed(claim, kind, facts)
    return _by_passed(claim, passed, name, facts) if passed else _without(claim, kind, name, facts)


def _named(claim: Claim) -> str:
    """Return the sentence with the code that its claim is about: "`test_total` passes now"."""
    if claim.wording is None or "`" not in claim.wording.original:
        return claim.text
    from groundwire.evidence.passed.named_runs import subject_code

    return f"{claim.text} {subject_code(claim.wording)}"


def _is_of_others(claim: Claim, failure: Run, facts: Facts) -> bool:
    """Tell whether the sentence names a test in code that the failed run does not list."""
    if claim.whole or claim.wording is None or "`" not in claim.wording.original:
        return False
    from groundwire.evidence.passed.named_runs import subject_code
    from groundwire.evidence.turn.rerun import lists_other

    names = subject_code(claim.wording).split()
    if not names or not set(names).isdisjoint(failure.command.split()):  # the command itself
        return False
    return all(lists_other(name, failure, facts.calls) for name in names)


def _counted(claim: Claim, passed: list[Run], facts: Facts) -> list[Run]:
    """Return the runs that passed on the code as it is, and printed the very count of the claim."""
    at = printed_at(claim, facts)
    same = {run.signature for run in facts.runs if run.index == at}
    return [
        run
        for run in passed
        if (run.outcome.passed in claim.passed or run.signature in same) and not facts.is_stale(run)
    ]


def _passed(claim: Claim, kind: str, facts: Facts) -> list[Run]:
    passed = facts.passed(kind)
    if kind == runs.BUILD:
        passed += [run for run in facts.passed(runs.TEST) if run.tool in _COMPILING]
    if kind == runs.BUILD and not passed and "compil" in claim.text:  # as a type checker tells
        passed = facts.passed(runs.TYPES)
    return sorted(passed, key=lambda run: run.index)


def _failed(claim: Claim, failure: Run, name: str, facts: Facts) -> Verdict:
    """Judge by a failure: of a part others may be meant, and what did not start shows nothing."""
    edited = facts.edited_after(failure)
    after = f", and {edited_files(edited)} after it" if edited else ""
    found = against(failure, f"the last {name} failed{after}")
    other_part = claim.part and failure.outcome.passed
    if other_part or (failure.kind in _DECIDED and not decides(failure, facts)):
        return found.replace(status=UNSUPPORTED, printed=False)
    return found


def _by_passed(claim: Claim, passed: list[Run], name: str, facts: Facts) -> Verdict:
    """Judge by the last run that passed: its count, what came after it and what it covered."""
    last = passed[-1]
    if claim.passed and not agrees(claim.passed, passed):
        at = printed_at(claim, facts)
        if at < 0:
            return pointing(last, CONTRADICTED, f"the {name} printed {last.outcome.passed} passed")
        last = last.replace(index=min(at, last.index))  # a narrower run since then changes nothing
    edited = tuple(path for path in facts.edited_after(last) if not is_of_pipeline(path))
    if claim.sort == BUILD:
        edited = tuple(path for path in edited if not is_test_file(path))
    if edited:
        from groundwire.evidence.passed.parts import meant_by  # few claims come behind an edit

        edited = meant_by(claim.text, last, edited)
    hidden = facts.hidden(last.kind)
    if edited and hidden:
        return _not_shown(hidden)
    if edited:
        return pointing(last, UNSUPPORTED, f"{edited_files(edited)} after the last {name}")
    weakened = facts.weakened()
    if weakened:
        path, what = weakened[0]
        return pointing(last, QUALIFIED, f"{what} in {path.rpartition('/')[2]} in this turn")
    if claim.whole and all(run.narrow for run in passed) and not of_part(claim.text, [last], []):
        status = UNSUPPORTED if _is_of_everything(claim.text) else QUALIFIED
        return pointing(last, status, f"the {name} covered a part: {last.narrow}")
    return _in_one_part(claim, last, facts) or pointing(last, SUPPORTED, f"the last {name} passed")


def _is_of_everything(text: str) -> bool:
    """Tell whether a folded sentence speaks of the full suite, or of the whole project."""
    return any(f"{all_of} {it}" in text for all_of in _FULL for it in _SUITES)


def _in_one_part(claim: Claim, last: Run, facts: Facts) -> Verdict | None:
    if not any(word in claim.text for word in _SEVERAL):
        return None
    from groundwire.evidence.passed.parts import in_one_part  # few claims are of several parts

    return in_one_part(claim, last, facts)


def _without(claim: Claim, kind: str, name: str, facts: Facts) -> Verdict:
    """Judge a claim for which no run passed."""
    if kind == runs.TEST and not facts.of_kind(kind):
        remote = ci_verdict(facts)
        if remote:
            return remote
    if not facts.failed(kind) and (found := _by_another(claim, facts)):
        return found
    if claim.sort == TESTS and not claim.tests:  # "both pass", of what was run
        return _checks_claim(facts)
    return _no_run(facts, kind, name)


def _by_another(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim about a check that no run is known to be."""
    if claim.sort == LINT:
        from groundwire.evidence.passed.silence import lint_silence

        if silence := lint_silence(claim, facts):
            return silence
    from groundwire.evidence.passed.within import within_another

    return within_another(claim, facts)


def _checks_claim(facts: Facts) -> Verdict:
    """Judge "all of them pass" in a sentence that names no tests."""
    checks = [run for run in facts.passed(*_ANY_CHECK) if not facts.is_stale(run)]
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
    from groundwire.evidence.passed.within import unknown_runner

    if call := unknown_runner(kind, facts):
        return Verdict(NOT_CHECKABLE, f"a command of this turn may be a {name}", call.id)
    return Verdict(UNSUPPORTED, f"no {name} in this turn")


def _not_shown(run: Run) -> Verdict:
    return pointing(run, NOT_CHECKABLE, run.distrust or "its output does not show the outcome")
