"""Short claims that name an operation and nothing else: "committed and pushed"."""

from __future__ import annotations

from groundwire.evidence.runs.model import PASSED, Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

#: Longest claim, in words, that names the operation which it is about and nothing else.
_SHORT_CLAIM = 10
_OPERATIONS = frozenset(
    "build commit compilation deploy deployment download format import install installation "
    "migration merge publish pull push rebase release sync update upgrade upload".split()
)
_OPERATED = {
    "committed": "commit",
    "pushed": "push",
    "merged": "merge",
    "rebased": "rebase",
    "published": "publish",
    "deployed": "deploy",
}
#: Sorts of claims that may name nothing but an operation, with the word of its result.
_OF_OPERATIONS = ("made", "done", "works", "all_scope")
_DENIED = frozenset("nothing not never yet no without isn't wasn't aren't haven't hasn't".split())
_REACH = 2


def named_operation(claim: Claim, facts: Facts) -> Run | None:
    """Return the run of the operation that a short claim names: "the push went through"."""
    words = [word.strip(".,:;!*`") for word in claim.text.split()]
    if claim.sort not in _OF_OPERATIONS or len(words) > _SHORT_CLAIM:
        return None
    wanted = _OPERATIONS.intersection(words) if claim.sort in ("made", "done") else set()
    for place, word in enumerate(words):
        if word in _OPERATED and _DENIED.isdisjoint(words[max(0, place - _REACH) : place]):
            wanted |= {_OPERATED[word]}
    last = [_last_of(operation, facts) for operation in sorted(wanted)]
    if not last or not all(run and run.outcome.status == PASSED for run in last):
        return None
    return last[-1]


def _last_of(operation: str, facts: Facts) -> Run | None:
    """Return the last run of an operation; what was edited after a commit is not in it."""
    found = [run for run in facts.latest if operation in run.command.split()]
    is_over = operation in ("commit", "push") and found and facts.edited_after(found[-1])
    return found[-1] if found and not is_over else None
