"""A claim against the facts of its turn: whether it holds, and which tool call decides.

``None`` means that the facts say nothing either way and only the words speak. "Found" lowers
suspicion; it never proves.
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.message.admitted import Admitted
from groundwire.evidence.message.claims import (
    ABSENCE,
    APPEAL,
    CAUSE,
    DEPLOYED,
    EDITED,
    FIGURES,
    GIT,
    LEFT_ALONE,
    LINT,
    LOOKS_TOLD,
    PLAIN_CAUSES,
    PRAISE,
    PREDICTED,
    SOURCES,
    STATUS,
    TESTS,
    UNREAD,
    UNUSED,
    Claim,
)
from groundwire.evidence.past.earlier import earlier_verdict
from groundwire.evidence.past.recap import lacks, recap_verdict
from groundwire.evidence.past.session import Digest
from groundwire.evidence.pointing import RUN_KINDS, against, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.turn.facts import Facts
from groundwire.model import (
    CONTRADICTED,
    EARLIER,
    NOT_CHECKABLE,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Verdict,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.model import Run
    from groundwire.model import ToolCall

_JOINING = ("git merge", "git cherry-pick", "git rebase", "gh pr merge")
#: Tools that push the branch before they open a request for it.
_ALSO_PUSHING = ("gh pr create",)
_GIT_LOOKS = ("git status", "git log")
_LONGEST_OUTPUT = 20_000
#: Words of a sentence that tells how a run ended.
_RESULTS = frozenset("pass passed passes passing works working succeeds succeeded".split())
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
    if claim.sort in (UNREAD, "only_uses"):  # its "already" tells of code, not of an earlier turn
        found = _read_earlier(claim, digest, found)
    else:
        own, found = found, earlier_verdict(claim, facts, digest, found, admitted)
        if found is own and lacks(own):
            found = recap_verdict(claim, facts, digest) or own
    if found is None:
        return None
    is_sure = found.status == CONTRADICTED and claim.alone and _tells_result(claim)
    if claim.faint and found.status in (UNSUPPORTED, CONTRADICTED) and not is_sure:
        return found.replace(status=QUALIFIED)
    if claim.limited and found.status in (UNSUPPORTED, CONTRADICTED) and not found.printed:
        return found.replace(status=QUALIFIED)
    if facts.partial and found.status == UNSUPPORTED:
        return Verdict(NOT_CHECKABLE, "the turn was too long to be read whole")
    return found


def _read_earlier(claim: Claim, digest: Digest | None, found: Verdict | None) -> Verdict | None:
    if found is None or found.status != UNSUPPORTED or digest is None:
        return found
    from groundwire.evidence.absence.unread import parts_named

    text = digest.text.lower()
    if any(word in text for word in parts_named(claim)):
        return Verdict(EARLIER, "an earlier turn of the session dealt with it")
    return found


def _judge(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    if claim.sort in LEFT_ALONE:
        from groundwire.evidence.absence.told import told_verdict

        if found := told_verdict(claim, facts):
            return found
    if claim.sort in RUN_KINDS:
        return _of_runs(claim, facts, admitted)
    if claim.sort in STATUS:
        return _of_status(claim, facts, admitted)
    if claim.sort in GIT:
        return _git_claim(claim, facts)
    if claim.sort == DEPLOYED:
        from groundwire.evidence.work.deployed import deployed_verdict  # few messages claim it

        return deployed_verdict(claim, facts)
    if claim.sort in ABSENCE:
        from groundwire.evidence.absence.searched import absence_verdict  # most messages state none

        return absence_verdict(claim, facts)
    if claim.sort in LOOKS_TOLD:
        from groundwire.evidence.looked.sorts import looks_told_verdict

        return looks_told_verdict(claim, facts)
    if claim.sort in (PREDICTED, PRAISE):
        from groundwire.evidence.work.foretold import praise_verdict, predicted_verdict

        if claim.sort == PRAISE:
            return praise_verdict(facts)
        return predicted_verdict(facts, admitted)
    return _looked_up(claim, facts)


def _of_runs(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict:
    """Judge by runs; beside an admitted failure "the parser tests: 7 passed" speaks of a part."""
    from groundwire.evidence.passed.by_run import run_verdict

    found = None
    if claim.named:
        from groundwire.evidence.passed.named_runs import named_verdict

        found = named_verdict(claim, facts, run_verdict)
    found = found or run_verdict(claim, facts)
    of_part = not claim.admits and (claim.part or (claim.passed and not claim.whole))
    if found.status == CONTRADICTED and admitted.failure and of_part:
        return found.replace(status=QUALIFIED, printed=False)
    return found


def _of_status(claim: Claim, facts: Facts, admitted: Admitted) -> Verdict | None:
    if claim.lints:  # "linting works without errors"
        linted = _of_runs(claim.replace(sort=LINT), facts, admitted)
        if linted.status == SUPPORTED:
            return linted
    if claim.faint and claim.tests and _tells_result(claim):  # "all good, the test passes"
        tested = _of_runs(claim.replace(sort=TESTS), facts, admitted)
        if tested.status == CONTRADICTED:
            return tested
    from groundwire.evidence.work.status import status_verdict

    return status_verdict(claim, facts, admitted)


def _tells_result(claim: Claim) -> bool:
    """Tell whether the sentence of an everyday word tells how a run ended, or what tests show."""
    words = {word.strip(".,:;!*`()") for word in claim.text.split()}
    return not _RESULTS.isdisjoint(words) or (claim.sort == "verified" and claim.whole)


def _looked_up(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge what is looked for in the texts of the turn."""
    if claim.sort == CAUSE:
        from groundwire.evidence.cause.stated import cause_verdict  # most messages state no cause

        return cause_verdict(claim, facts)
    if claim.sort in PLAIN_CAUSES:
        from groundwire.evidence.cause.blamed import plain_cause_verdict

        return plain_cause_verdict(claim, facts)
    if claim.sort in (UNUSED, UNREAD):
        from groundwire.evidence.absence.unread import unread_verdict, unused_verdict

        return (unused_verdict if claim.sort == UNUSED else unread_verdict)(claim, facts)
    if claim.sort == EDITED and claim.wording:
        from groundwire.evidence.reference.edits import edit_verdict

        told = claim.wording.original[claim.wording.start : claim.wording.end]
        return edit_verdict(told.split()[-1].strip("`*"), facts.actions)
    if claim.sort in FIGURES:
        from groundwire.evidence.figure.stated import figure_verdict

        return figure_verdict(claim, facts)
    if claim.sort in SOURCES or (claim.sort == APPEAL and facts.others_looked):
        return Verdict(NOT_CHECKABLE, "what it cites may be in the results of this turn")
    return None


def _git_claim(claim: Claim, facts: Facts) -> Verdict:
    wanted = GIT[claim.sort]
    found = [run for run in facts.runs if run.kind == runs.GIT and _does(run, wanted)]
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


def _does(run: Run, wanted: str) -> bool:
    if run.tool == f"git {wanted}" or (wanted == "push" and run.tool in _ALSO_PUSHING):
        return True
    return wanted in run.command


def _without_git(wanted: str, facts: Facts) -> Verdict:
    """Judge "committed" and "pushed" when no such command ran in the turn."""
    if wanted == "push" and (push := _shows_push(facts)):
        return Verdict(SUPPORTED, "the output shows a push", push.id)
    seen = [run for run in facts.runs if run.kind == runs.GIT and run.tool in _GIT_LOOKS]
    for run in reversed(seen):
        shown = facts.calls[run.index].result or ""
        if any(sign in shown for sign in _GIT_STATES[wanted]):
            return pointing(run, SUPPORTED, f"git shows nothing left to {wanted}")
    if facts.actions.opaque or facts.actions.reports:
        return Verdict(NOT_CHECKABLE, f"a {wanted} may be in what another agent or tool did")
    if any(map(_is_shortened, facts.calls)):
        return Verdict(NOT_CHECKABLE, f"a {wanted} may be in a command that was recorded in part")
    hidden = [run for run in facts.runs if run.kind == runs.GIT and facts.is_cut(run)]
    if hidden:
        return pointing(hidden[-1], NOT_CHECKABLE, f"the output may hide a {wanted}")
    return Verdict(UNSUPPORTED, f"no git {wanted} in this turn")


def _shows_push(facts: Facts) -> ToolCall | None:
    """Return the last shell call whose output is that of a push: a script or an alias did it."""
    from groundwire.evidence.runs.outputs import git_push

    for call in reversed(facts.calls):
        text = (call.result or "")[-_LONGEST_OUTPUT:] if call.name in SHELL_TOOLS else ""
        if git_push.SENT in text or "\nTo " in f"\n{text}":
            outcome = git_push.parse(text)
            if outcome and outcome.status == runs.PASSED:
                return call
    return None


def _is_shortened(call: ToolCall) -> bool:
    """Tell whether only the beginning of a command was recorded, as in a shortened transcript."""
    command = call.input.get("command")
    return isinstance(command, str) and command.rstrip().endswith("\u2026")
