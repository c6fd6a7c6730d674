"""A claim that this turn does not carry against the digest of the session's earlier turns."""

from __future__ import annotations

from groundwire.evidence.message.admitted import Admitted
from groundwire.evidence.message.claims import ABSENCE, GIT, STATUS, UNUSED, Claim
from groundwire.evidence.past.session import Digest, PastRun, as_run
from groundwire.evidence.pointing import RUN_KINDS, RUN_NAMES, edited_files, pointing
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

_UNKNOWN = Verdict(NOT_CHECKABLE, "it refers to an earlier turn, of which no result is known")
#: Claims that an earlier failure speaks against; the others may be about another part of the work.
_EXERCISED = ("fixed", "verified", "works", "ready")
_BREAKING = (runs.TEST, runs.BUILD, runs.TYPES)
#: Claims that tell of the whole work or of what nobody can show.
_NOT_BY_CHECKS = ("all_scope", "guarantee", "safety")


def earlier_verdict(
    claim: Claim, facts: Facts, digest: Digest | None, found: Verdict | None, admitted: Admitted
) -> Verdict | None:
    """Return ``found``, the verdict of this turn, or what earlier turns say in its place.

    They only speak where no call of this turn does. Without a ``digest``, and where it does not
    hold what a claim refers back to, the claim is not checkable.
    """
    lacks = found is not None and found.status == UNSUPPORTED
    if digest is not None and _is_open(found, facts):
        told = _told(claim, facts, digest, admitted)
        if told is not None:
            return told
    known = digest is not None and digest.whole and (claim.sort in RUN_KINDS or claim.sort in GIT)
    return _UNKNOWN if claim.back and lacks and not known else found


def _is_open(found: Verdict | None, facts: Facts) -> bool:
    """Tell whether the turn has no call that decides the claim, or may have decided it."""
    if found is None:
        return True
    if found.call_id or found.status in (SUPPORTED, CONTRADICTED) or facts.partial:
        return False
    elsewhere = facts.actions.opaque or facts.actions.reports
    return found.status != NOT_CHECKABLE or not elsewhere


def _told(claim: Claim, facts: Facts, digest: Digest, admitted: Admitted) -> Verdict | None:
    if claim.sort in RUN_KINDS and not claim.admits:
        return _run_claim(claim, facts, digest)
    if claim.sort in GIT:
        return _git_claim(claim, facts, digest)
    if claim.sort in STATUS:
        return _status_claim(claim, facts, digest, admitted)
    if (claim.sort in ABSENCE or claim.sort == UNUSED) and digest.searches:
        last = digest.searches[-1]
        return Verdict(EARLIER, f"a search of an earlier turn for {last!r:.60} found nothing")
    return None


def _run_claim(claim: Claim, facts: Facts, digest: Digest) -> Verdict | None:
    kind, name = RUN_KINDS[claim.sort], RUN_NAMES[claim.sort]
    past = [run for run in digest.runs if run.kind == kind]
    if not past:
        return _never(claim, facts, digest, f"no {name} in this session")
    failed = [run for run in past if run.status == runs.FAILED]
    if failed:
        return _pointing(failed[-1], UNSUPPORTED, f"the last {name} of this session failed")
    last = past[-1]
    counts = {number for run in past for number in (run.passed, run.total) if number is not None}
    if claim.passed and counts and counts.isdisjoint(claim.passed):
        why = f"the {name} of an earlier turn printed {last.passed} passed"
        return _pointing(last, UNSUPPORTED, why)
    edited = _edited(last, facts)
    if edited:
        why = f"{edited_files(edited)} after the last {name}, in an earlier turn"
        return _pointing(last, UNSUPPORTED, why)
    if claim.whole and all(run.narrow for run in past):
        return _pointing(last, QUALIFIED, f"the {name} of an earlier turn covered a part")
    return _pointing(last, EARLIER, f"the {name} passed in an earlier turn, nothing edited since")


def _git_claim(claim: Claim, facts: Facts, digest: Digest) -> Verdict | None:
    wanted = GIT[claim.sort]
    past = [run for run in digest.runs if run.tool == f"git {wanted}"]
    if not past:
        return _never(claim, facts, digest, f"no git {wanted} in this session")
    last = past[-1]
    if last.status == runs.FAILED:
        return _pointing(last, UNSUPPORTED, f"git {wanted} failed in an earlier turn")
    if wanted == "commit":
        edited = _edited(last, facts)
        if edited and not claim.back:
            return _pointing(last, UNSUPPORTED, f"{edited_files(edited)} after the commit")
    elif _committed_after(last, facts, digest) and not claim.back:
        return _pointing(last, UNSUPPORTED, "something was committed after the last git push")
    return _pointing(last, EARLIER, f"git {wanted} ran in an earlier turn")


def _committed_after(push: PastRun, facts: Facts, digest: Digest) -> bool:
    later = digest.runs[digest.runs.index(push) + 1 :]
    return any(run.tool == "git commit" for run in later) or any(
        run.tool == "git commit" for run in facts.runs
    )


def _status_claim(claim: Claim, facts: Facts, digest: Digest, admitted: Admitted) -> Verdict | None:
    if claim.sort in _EXERCISED and not admitted.failure:
        failed = [
            run
            for run in digest.runs
            if run.status == runs.FAILED and run.kind in _BREAKING and not facts.passed(run.kind)
        ]
        if failed and (facts.edits or claim.back or claim.sort in ("fixed", "verified")):
            return _pointing(failed[-1], UNSUPPORTED, "it failed in an earlier turn")
    left = digest.todos
    whole_work = claim.sort == "all_scope" or (claim.sort == "done" and claim.whole)
    if left and whole_work and not admitted.open_words and not facts.actions.open_todos:
        why = f'the to-do list of the session has open items ("{left[0][1]:.60}")'
        return Verdict(UNSUPPORTED, why)
    if claim.sort in _NOT_BY_CHECKS or facts.changes or facts.actions.open_todos:
        return None
    fresh = [
        run
        for run in digest.runs
        if run.kind in _BREAKING and run.status == runs.PASSED and not run.edited
    ]
    if not fresh:
        return None
    tests = [run for run in fresh if run.kind == runs.TEST]
    return _pointing(
        (tests or fresh)[-1], EARLIER, "it passed in an earlier turn, nothing edited since"
    )


def _never(claim: Claim, facts: Facts, digest: Digest, why: str) -> Verdict | None:
    """Speak of the whole session where it is known and the claim cannot be of this turn alone."""
    worked = digest.runs or digest.edited
    if digest.whole and worked and (claim.back or not facts.edits):
        return Verdict(UNSUPPORTED, why)
    return None


def _edited(run: PastRun, facts: Facts) -> tuple[str, ...]:
    return (*run.edited, *(path for _, path in facts.last_changes))


def _pointing(run: PastRun, status: str, why: str) -> Verdict:
    return pointing(as_run(run), status, why)
