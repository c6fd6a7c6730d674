"""A claim against the facts of its turn: whether it holds, and which tool call decides.

``None`` means that the facts say nothing either way and only the words speak. "Found" lowers
suspicion; it never proves.
"""

from __future__ import annotations

from groundwire.evidence.message.admitted import Admitted
from groundwire.evidence.message.claims import (
    APPEAL,
    LEFT_ALONE,
    LINT,
    PREDICTED,
    SOURCES,
    STATUS,
    TESTS,
    UNREAD,
    Claim,
)
from groundwire.evidence.past.earlier import earlier_verdict
from groundwire.evidence.past.recap import lacks, recap_verdict
from groundwire.evidence.past.session import Digest
from groundwire.evidence.pointing import RUN_KINDS
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
    from collections.abc import Callable

#: Sort of claim -> module of evidence and the function in it that judges the sort by itself, given
#: claim and facts. It is imported when such a claim is made: most messages make few of them.
JUDGES: dict[str, tuple[str, str]] = {
    "absence": ("absence.searched", "absence_verdict"),
    "actor": ("cause.blamed", "plain_cause_verdict"),
    "all_up": ("looked.all_up", "all_up_verdict"),
    "blamed": ("cause.blamed", "plain_cause_verdict"),
    "cause": ("cause.stated", "cause_verdict"),
    "committed": ("work.committed", "git_verdict"),
    "copied": ("looked.copies", "copy_verdict"),
    "count": ("figure.stated", "figure_verdict"),
    "deployed": ("work.deployed", "deployed_verdict"),
    "doubt": ("looked.impressions", "doubt_verdict"),
    "edited": ("reference.edits", "edit_verdict"),
    "flaky": ("cause.blamed", "plain_cause_verdict"),
    "impression": ("looked.impressions", "impression_verdict"),
    "limit_hit": ("cause.blamed", "plain_cause_verdict"),
    "no_conflict": ("looked.joined", "no_conflict_verdict"),
    "no_other": ("absence.searched", "absence_verdict"),
    "only_uses": ("looked.only_uses", "only_uses_verdict"),
    "own_acts": ("absence.own_acts", "own_acts_verdict"),
    "praise": ("work.foretold", "praise_verdict"),
    "pulled_in": ("cause.blamed", "plain_cause_verdict"),
    "pushed": ("work.committed", "git_verdict"),
    "quantity": ("figure.stated", "figure_verdict"),
    "read_all": ("looked.reads", "reads_verdict"),
    "tree_clean": ("looked.clean_tree", "clean_tree_verdict"),
    "unread": ("absence.unread", "unread_verdict"),
    "unused": ("absence.unread", "unused_verdict"),
}
#: Words of a sentence that tells how a run ended.
_RESULTS = frozenset("pass passed passes passing works working succeeds succeeded".split())


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
    if claim.sort == PREDICTED:
        from groundwire.evidence.work.foretold import predicted_verdict

        return predicted_verdict(facts, admitted)
    if claim.sort in JUDGES:
        return _judge_of(claim.sort)(claim, facts)
    if claim.sort in SOURCES or (claim.sort == APPEAL and facts.others_looked):
        return Verdict(NOT_CHECKABLE, "what it cites may be in the results of this turn")
    return None


def _judge_of(sort: str) -> Callable[[Claim, Facts], Verdict | None]:
    module, function = JUDGES[sort]
    found: Callable[[Claim, Facts], Verdict | None] = getattr(
        __import__(f"groundwire.evidence.{module}", fromlist=[function]), function
    )
    return found


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
