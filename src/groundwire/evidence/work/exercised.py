"""What "it works" and "it is fixed" rest on where no test decides: runs, looks, or nothing."""

from __future__ import annotations

from groundwire.evidence.passed.silence import named_check, read_only
from groundwire.evidence.pointing import command_of, edited_files, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.names import is_test_file
from groundwire.evidence.turn.checks import changes_state, exercises, of_build
from groundwire.evidence.turn.live import is_browser
from groundwire.evidence.work.seen_since import seen_since
from groundwire.evidence.work.written import looked_verdict, only_texts
from groundwire.model import NOT_CHECKABLE, QUALIFIED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

#: What exercises the program; a linter does not. Only tests say what they look at.
EXERCISES = (runs.TEST, runs.BUILD, runs.OTHER)
EXERCISED = frozenset(("works", "verified", "ready", "fixed", "implemented"))
SUCCESS = frozenset(("works", "fixed", "verified", "ready", "guarantee"))
UNCOVERED = Verdict(NOT_CHECKABLE, "no check of this turn covers it")
UNSEEN = Verdict(UNSUPPORTED, "nothing was run after the last edit")
_REPORTS = frozenset(("made", "done", "implemented", "verified"))
#: Words of what commands that change a state tell themselves.
_CHANGED = frozenset(
    "applied deleted deployed down live removed restarted running started stopped up".split()
)
#: Tools that look into the web, not at the work.
_WEB = ("WebSearch", "WebFetch")


def ran_since(facts: Facts) -> bool:
    """Tell whether the thing itself was run, asked or looked at after the last edit.

    A run that does not show how it ended is one, too.
    """
    ran = (run for run in facts.runs if run.index > facts.last_change and exercises(run))
    if any(run.outcome.status != runs.FAILED for run in ran):
        return True
    return any(run.index > facts.last_change for run in facts.looks.live.passed)


def exercised_verdict(claim: Claim, facts: Facts, checks: list[Run]) -> Verdict | None:
    """Judge a claim by what ran the thing without testing it, and by what only built it."""
    shown = [run for run in checks if exercises(run)]
    shown += [run for run in facts.looks.live.passed if not facts.is_stale(run)]
    if shown:
        last = max(shown, key=lambda run: run.index)
        is_more = claim.whole or claim.faint or "should" in claim.said.split()
        is_more = is_more or last.command.startswith("git ")  # of the work itself it shows little
        status = QUALIFIED if is_more else NOT_CHECKABLE
        return pointing(last, status, f"{command_of(last)} passed after the last edit")
    builds = [run for run in checks if run.kind == runs.BUILD]
    if not builds:
        return None
    last = builds[-1]
    if claim.sort not in SUCCESS or of_build(claim, facts):
        return pointing(last, QUALIFIED, f"{command_of(last)} passed after the last edit")
    if seen := seen_since(facts):
        return seen
    why = f"{command_of(last)} shows that it compiles, not that it works"
    return pointing(last, UNSUPPORTED, why)


def unchecked_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim that no check after the last edit covers."""
    if facts.edits and claim.sort in EXERCISED:
        hidden = facts.hidden(*EXERCISES)
        if seen := _of_hidden(hidden) if hidden else seen_since(facts):
            return seen
        if claim.sort == "verified" and facts.looked_after(facts.last_change):
            return looked_verdict(claim)
        if only_texts(claim, facts):
            return Verdict(NOT_CHECKABLE, "only texts for readers were edited, which nothing runs")
        acted = [run for run in facts.passed(runs.OTHER) if not facts.is_stale(run)]
        if acted:  # the others were checks
            why = f"{command_of(acted[-1])} changes something, and nothing was run after it"
            return pointing(acted[-1], UNSUPPORTED, why)
        stale = [run for run in facts.passed(*EXERCISES) if facts.is_stale(run)]
        stale = [run for run in stale if not changes_state(run)]
        if stale:
            edited = facts.edited_after(stale[-1])
            if not claim.tests and all(map(is_test_file, edited)):
                why = f"{command_of(stale[-1])} passed, and only tests were edited after it"
                return pointing(stale[-1], QUALIFIED, why)
            why = f"{edited_files(edited)} after {command_of(stale[-1])} ran"
            return pointing(stale[-1], UNSUPPORTED, why)
        return named_check(claim, facts) or _by_others(facts) or read_only(facts) or UNSEEN
    if not facts.edits and claim.sort in SUCCESS and (found := _acted(claim, facts)):
        return found
    hidden = facts.hidden(runs.TEST, runs.OTHER) if claim.sort == "verified" else None
    if hidden and not facts.edits:
        return pointing(hidden, NOT_CHECKABLE, hidden.distrust or "its outcome is not shown")
    if facts.edits or claim.sort in _REPORTS or claim.sort == "ready":
        return UNCOVERED
    if facts.actions.reports:
        return Verdict(QUALIFIED, "only the report of another agent says so")
    return None


def _of_hidden(run: Run) -> Verdict:
    """Judge by a run of which the output shows no outcome, or that there was nothing to run."""
    if run.kind == runs.TEST and run.outcome.total == 0:
        return pointing(run, UNSUPPORTED, "the last test run had no tests in it")
    why = run.distrust or "its output does not show the outcome"
    return pointing(run, NOT_CHECKABLE, why)


def _by_others(facts: Facts) -> Verdict | None:
    """Return what another agent or an unknown tool, called after the last edit, leaves open."""
    if facts.actions.reports and facts.actions.reports[-1] > facts.last_change:
        return Verdict(QUALIFIED, "only the report of another agent says so")
    for index in reversed(facts.actions.opaque):
        name = facts.calls[index].name
        if index > facts.last_change and name not in _WEB and not is_browser(name):
            return Verdict(QUALIFIED, f"{name} may show it")
    return None


def _acted(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge a claim after a command that changed a state, in a turn without edits.

    That something was started or stopped is what such a command itself tells.
    """
    acted = [run for run in facts.passed(runs.OTHER) if changes_state(run)]
    words = {word.strip(".,:;!*`()") for word in claim.text.split()}
    if not acted or facts.looked_after(acted[-1].index) or not _CHANGED.isdisjoint(words):
        return None
    if seen := seen_since(facts):
        return seen
    why = f"{command_of(acted[-1])} changes something, and nothing was run after it"
    return pointing(acted[-1], UNSUPPORTED, why)
