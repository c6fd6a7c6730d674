"""That a branch has nothing that its remote lacks: a command that looked at that very branch."""

from __future__ import annotations

from groundwire.evidence.runs.results import read_result
from groundwire.evidence.turn.calls import OTHERS, shell_calls
from groundwire.evidence.turn.git_status import git_words
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

_REMOTES = ("origin/", "upstream/", "fork/")
#: Git commands that compare a branch with another one, or make both the same.
_COMPARING = frozenset(
    "cherry diff log merge-base pull push range-diff rebase reset rev-list rev-parse show "
    "show-branch show-ref ls-remote".split()
)
#: Words of an output that tell how a branch stands to its remote.
_STANDS = ("ahead", "behind", "up to date", "up-to-date", "...origin/", "...upstream/", " -> ")
_COMPARED = Verdict(NOT_CHECKABLE, "a command of this turn compared the branch")
_SHOWN = Verdict(SUPPORTED, "git shows how the branch stands to its remote")
_UNNAMED = Verdict(QUALIFIED, "no result of this turn shows how the branch stands to its remote")


def in_sync_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "`dev` has nothing unpushed" by the commands that named or showed that branch."""
    names = _branches(claim)
    found = None
    for _, call, text in shell_calls(facts):
        result = read_result(call)
        if "git" not in text or not result.ran:
            continue
        shown = result.text
        for line in shown.split("\n"):
            if any(words in line for words in _STANDS) and (not names or _has(line, names)):
                found = _SHOWN.replace(call_id=call.id)
        for command in facts.looks.commands(text):
            words = git_words(command)[1]
            if words and words[0] in _COMPARING and (not names or _has(" ".join(words), names)):
                found = found or _COMPARED.replace(call_id=call.id)
        found = found or (_COMPARED if _is_hidden(text, names, result.cut) else None)
    if found:
        return found
    if facts.others_looked or facts.partial:
        return OTHERS
    if not names:
        return _UNNAMED
    why = f"no command of this turn compared {sorted(names)[0]} with its remote"
    return Verdict(UNSUPPORTED, why)


def _branches(claim: Claim) -> set[str]:
    """Return the names of branches in the code of the sentence, without that of the remote."""
    names = set()
    for code in claim.wording.code if claim.wording else ():
        remote = next((one for one in _REMOTES if code.startswith(one)), "")
        name = code.removeprefix(remote)
        if " " not in name and "." not in name:
            names.add(name)
    return names


def _has(text: str, names: set[str]) -> bool:
    """Tell whether one of the names stands in a text as a whole word."""
    plain = "".join(char if char.isalnum() or char in "-_/" else " " for char in text)
    words = plain.split()
    return any(word == name or word.endswith(f"/{name}") for word in words for name in names)


def _is_hidden(text: str, names: set[str], cut: bool) -> bool:
    """Tell whether a command may have shown the branch: a loop, a cut output, all branches."""
    if cut and names and any(name in text for name in names):
        return True
    return "for-each-ref" in text or "branch -v" in text or ("for " in text and "rev-list" in text)
