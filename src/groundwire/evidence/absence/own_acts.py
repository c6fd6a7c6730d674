"""What the turn says it did not do: the calls decide, no search is needed."""

from __future__ import annotations

from groundwire.evidence.pointing import pointing
from groundwire.evidence.runs.edits import is_outside, succeeded
from groundwire.evidence.runs.model import FAILED, FORMAT, INSTALL
from groundwire.evidence.runs.names import name_words
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import NOT_CHECKABLE, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts

_AGENTS = ("Agent", "Task", "Workflow")
#: Git commands that a message tells of, with options that do nothing of the kind.
_GIT_ACTS = ("commit", "push")
_DRY = ("--dry-run", "push -n ")
#: Commands that make a repository for a trial, and those that change files without naming them.
_TRIALS = ("git init", "git clone", "mktemp", "/tmp/", "git worktree add")  # noqa: S108
_UNNAMED = ("git ", "patch")
_SHORTEST = 3
_NOT_SEEN = Verdict(NOT_CHECKABLE, "what others did in this turn is not seen")
_NO_CALL = Verdict(SUPPORTED, "no call of this turn did so")
_ALL_NAMED = Verdict(SUPPORTED, "every file that the turn edited is named")
_NOT_SURE = Verdict(NOT_CHECKABLE, "the message may mean what the turn edited")


def own_acts_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "no agents were started", "nothing was pushed", "no other files touched"."""
    if "agent" in claim.said:
        return _agents(facts)
    if facts.others_looked or facts.partial:
        return _NOT_SEEN
    wanted = [act for act in _GIT_ACTS if act in claim.said]
    if not wanted:
        return _other_files(claim, facts)
    for act in wanted:
        for run in reversed(facts.runs):
            if _does(run, act):
                return _unless_trial(run, act, facts)
    return _NO_CALL


def _agents(facts: Facts) -> Verdict:
    for call in facts.calls:
        if call.name in _AGENTS and succeeded(call):
            return Verdict(UNSUPPORTED, "an agent was started in this turn", call.id)
    return _NOT_SEEN if facts.partial else _NO_CALL


def _does(run: Run, act: str) -> bool:
    is_dry = any(option in f"{run.command} " for option in _DRY)
    return run.tool == f"git {act}" and run.outcome.status != FAILED and not is_dry


def _unless_trial(run: Run, act: str, facts: Facts) -> Verdict:
    """A repository that was made for a trial is not the one that the message is about."""
    texts = (str(call.input.get("command", "")) for call in facts.calls)
    if any(words in text for text in texts for words in _TRIALS):
        return pointing(run, NOT_CHECKABLE, f"git {act} ran, perhaps elsewhere")
    return pointing(run, UNSUPPORTED, f"git {act} ran in this turn")


def _other_files(claim: Claim, facts: Facts) -> Verdict:
    """Compare the files that were changed with those that the whole message names."""
    changed = {path for _, path in facts.last_changes}
    changed |= {edit.path for edit in facts.actions.edits if edit.succeeded}
    changed = {path for path in changed if not is_outside(path)}
    if any(run.kind in (INSTALL, FORMAT) for run in facts.runs):
        return _NOT_SEEN
    if not changed:
        return _NO_CALL
    if claim.wording is None or any(path.startswith(_UNNAMED) for path in changed):
        return _NOT_SURE
    message = claim.wording.message.lower()
    names = {path: base_name(path.replace("\\", "/")).lower() for path in sorted(changed)}
    unnamed = [path for path, name in names.items() if name not in message]
    if not unnamed:
        return _ALL_NAMED
    if len(unnamed) == len(names):
        return _NOT_SURE
    told = name_words(message)
    for path in unnamed:
        parts = name_words(names[path].rpartition(".")[0] or names[path])
        if not any(part in one for part in parts if len(part) >= _SHORTEST for one in told):
            return Verdict(UNSUPPORTED, f"{names[path]} was edited in this turn")
    return _NOT_SURE
