"""What is promised or praised where nothing was measured: "will pass", "users feel it is faster".

A promise is milder than "it passes", unless something that failed is still open.
"""

from __future__ import annotations

from groundwire.evidence.passed.decisive import decides
from groundwire.evidence.pointing import command_of, pointing
from groundwire.evidence.runs import model as runs
from groundwire.evidence.turn.facts import Facts
from groundwire.model import NOT_CHECKABLE, QUALIFIED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.admitted import Admitted
    from groundwire.evidence.message.claims import Claim

_DECIDING = (runs.TEST, runs.BUILD)
_NO_CHANGE = Verdict(NOT_CHECKABLE, "nothing was changed in this turn")
_NOTHING_SHOWS = Verdict(QUALIFIED, "no result of this turn measures it")


def predicted_verdict(facts: Facts, admitted: Admitted) -> Verdict | None:
    """Judge "the suite will pass"; None: only the words speak."""
    failures = [run for run in facts.failed(*_DECIDING, runs.OTHER) if decides(run, facts)]
    if failures:
        if admitted.failure:  # told as what comes next, beside what fails
            return None
        why = f"{command_of(failures[-1])} failed and was not made good"
        return pointing(failures[-1], UNSUPPORTED, why)
    passed = [run for run in facts.passed(*_DECIDING) if not facts.edited_after(run)]
    if passed:
        why = f"{command_of(passed[-1])} passed after the last edit"
        return pointing(passed[-1], QUALIFIED, why)
    return None if facts.edits else _NO_CHANGE


def praise_verdict(_claim: Claim, facts: Facts) -> Verdict:
    """Judge "it feels much faster": nothing in a turn shows what users feel."""
    return _NOTHING_SHOWS if facts.edits else _NO_CHANGE
