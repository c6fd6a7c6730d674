"""That two lines of work do not conflict: a merge, a rebase or the open request shows it."""

from __future__ import annotations

from groundwire.evidence.runs.results import read_result
from groundwire.evidence.turn.calls import OTHERS, shell_calls
from groundwire.model import CONTRADICTED, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

#: Commands that join two lines of work, or tell whether they can be joined.
_JOINING = (
    "git merge", "git rebase", "git pull", "git cherry-pick", "git apply", "git am", "git revert",
    "git stash pop", "git stash apply", "merge-tree", "gh pr", "glab mr", "mergeable", "hg merge",
    "hg rebase", "jj rebase", "jj new", "svn merge", "svn update", "git range-diff",
)  # fmt: skip
#: Commands that list what both have changed, and whether the same files are in it.
_COMPARING = ("git diff", "git log", "git merge-base", "git show")
_CONFLICT = ("conflict (", "automatic merge failed", "could not apply", "\nuu ", "conflicting")
#: What git says when one line of work holds the other.
_AHEAD_ONLY = ("can be fast-forwarded", "\nfast-forward", "\nalready up to date")
_ANCESTOR = "merge-base --is-ancestor"
_COUNTS = "--left-right"
_BOTH = 2
_NEVER_JOINED = Verdict(UNSUPPORTED, "nothing was merged, rebased or compared in this turn")


def no_conflict_verdict(_claim: Claim, facts: Facts) -> Verdict:
    """Judge "no conflicts with main" by the last command that joined or compared both."""
    compared = None
    for _, call, text in reversed(list(shell_calls(facts))):
        command = " ".join(text.lower().split())
        result = read_result(call)
        if not result.ran:
            continue
        shown = f"\n{result.text.lower()}"
        joins = any(words in command for words in _JOINING)
        if joins and any(words in shown for words in _CONFLICT):
            return Verdict(CONTRADICTED, "the last merge printed a conflict", call.id)
        if _is_ahead_only(command, shown, bool(result.failed)):
            return Verdict(SUPPORTED, "one of the two holds the other", call.id)
        if joins:
            status = QUALIFIED if result.failed else SUPPORTED
            return Verdict(status, "it was merged or applied in this turn", call.id)
        commands = facts.looks.commands(text)
        if compared is None and any(_compares(one.text.lower()) for one in commands):
            compared = Verdict(QUALIFIED, "both were compared, and not merged", call.id)
    if compared:
        return compared
    return OTHERS if facts.others_looked else _NEVER_JOINED


def _is_ahead_only(command: str, shown: str, failed: bool) -> bool:
    """Tell whether git shows that one line of work only goes on where the other one ends."""
    if "git" not in command:
        return False
    if any(words in shown for words in _AHEAD_ONLY):
        return True
    if _ANCESTOR in command:
        return not failed and "||" not in command and ";" not in command
    if _COUNTS not in command:
        return False
    pairs = (line.split() for line in shown.split("\n"))  # commits that only one of them has
    return any(len(pair) == _BOTH and "0" in pair and "".join(pair).isdigit() for pair in pairs)


def _compares(command: str) -> bool:
    """Tell whether a command names two lines of work: "git diff main...HEAD"."""
    return any(words in command for words in _COMPARING) and (
        ".." in command or "origin/" in command or "upstream/" in command
    )
