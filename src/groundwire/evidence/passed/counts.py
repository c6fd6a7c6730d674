"""The numbers of tests that a sentence gives, against those that test runs printed."""

from __future__ import annotations

from groundwire.evidence.pointing import pointing
from groundwire.model import CONTRADICTED

#: Runs whose counts a message may have added up.
_MOST_SUMMED = 8
#: Words of a line that counts tests.
_OF_TESTS = ("pass", "test", "ok", "example", "spec", "assertion")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import Verdict


def agrees(claimed: Sequence[int], passed: Sequence[Run]) -> bool:
    """Tell whether runs that passed carry one of the numbers: as theirs, as total, or as a sum.

    So do runs that printed none. A sum is that of all runs, or of some of the last eight.
    """
    counts = [run.outcome.passed for run in passed if run.outcome.passed is not None]
    totals = [run.outcome.total for run in passed if run.outcome.total is not None]
    sums = {0}
    for count in counts[-_MOST_SUMMED:]:
        sums |= {count + other for other in sums}
    known = {*counts, *totals, sum(counts), *(sums - {0})}
    return not counts or not known.isdisjoint(claimed)


def printed_at(claim: Claim, facts: Facts) -> int:
    """Return the position of the last call that printed a told number of tests; -1 for none.

    It may be a sum that ``awk`` or a script of the project made of several runs.
    """
    ran = {run.index for run in facts.runs}
    return max(
        (
            number.source.index
            for told in claim.passed
            for number in facts.printed.near(told, 0)
            if number.source is not None and number.source.is_run
            if any(word in number.line.lower() for word in _words_of(number.source.index in ran))
        ),
        default=-1,
    )


def _words_of(is_run: bool) -> tuple[str, ...]:
    return _OF_TESTS if is_run else _OF_TESTS[:1]


def against_counts(claim: Claim, kind: str, facts: Facts) -> Verdict | None:
    """Return what contradicts the counts of a sentence that tells of failures; None if nothing.

    Any run of the turn may be the one that it tells of.
    """
    runs = [] if claim.back else [run for run in facts.runs if run.kind == kind]
    for told, name in ((claim.passed, "passed"), (claim.failed, "failed")):
        counts = [count for run in runs if (count := getattr(run.outcome, name)) is not None]
        known = {*counts, sum(counts)}
        if name == "failed":
            known |= {(run.outcome.failed or 0) + (run.outcome.errors or 0) for run in runs}
        else:
            known |= {run.outcome.total for run in runs if run.outcome.total is not None}
        if not told or not counts or not known.isdisjoint(told):
            continue
        last = next(run for run in reversed(runs) if getattr(run.outcome, name) is not None)
        why = f"no run of this turn printed {told[0]} {name}"
        return pointing(last, CONTRADICTED, why).replace(printed=bool(last.outcome.line))
    return None
