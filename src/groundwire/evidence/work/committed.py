"""Whether something was committed or pushed, by the commands of the turn and what git printed."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.message.claims import GIT, Claim
from groundwire.evidence.pointing import against, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.turn.facts import Facts
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.model import Run
    from groundwire.model import ToolCall

_JOINING = ("git merge", "git cherry-pick", "git rebase", "gh pr merge")
#: Tools that push the branch before they open a request for it.
_ALSO_PUSHING = ("gh pr create",)
_GIT_LOOKS = ("git status", "git log")
_LONGEST_OUTPUT = 20_000
#: What git prints when nothing is left to commit, or to push.
_GIT_STATES = {
    "commit": ("nothing to commit", "working tree clean"),
    "push": ("up to date with 'origin/", "up-to-date with 'origin/"),
}


def git_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "committed" and "pushed" by the last command that does so, or whose output shows it."""
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
