"""A stated cause against what the turn had read or printed.

It is supported when the results show what the sentence names, or when a test that failed passes
after the change. That the results show a thing makes no fact of a guess about it, and that a
command passed in the end shows nothing of why it failed before. A cause of a kind that leaves
traces, of which no text of the turn has one, is unsupported.
"""

from __future__ import annotations

from groundwire.evidence.cause.traces import is_complete, stands_ahead, untraced
from groundwire.evidence.message.claims import Claim
from groundwire.evidence.message.named import named_things
from groundwire.evidence.message.wording import Wording
from groundwire.evidence.pointing import pointing
from groundwire.evidence.runs.model import FAILED, PASSED, TEST, Run
from groundwire.evidence.turn.facts import Facts
from groundwire.evidence.turn.seen import line_at
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

#: Share of the named things that have to stand in results.
_SHARE = 0.5
_UNDECIDED = Verdict(QUALIFIED, "the turn looked into it, but no result decides it")


def cause_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge a stated cause; its ``wording`` must be there."""
    wording = claim.wording
    if wording is None:
        return _UNDECIDED
    names = named_things(_cause_part(wording))
    unseen = untraced(claim, facts)
    support = None if claim.guessed or unseen else _seen(names, facts)
    # that a test passes again shows nothing of a kind of cause that nothing has a trace of
    support = support or (None if unseen else _made_good(facts))
    if support:
        return support
    if unseen and is_complete(facts) and not claim.back:
        return Verdict(UNSUPPORTED, f"no result of this turn has a trace of {unseen}")
    if _has_looked(names, facts):
        return _UNDECIDED
    if facts.actions.opaque or facts.actions.reports:
        return Verdict(NOT_CHECKABLE, "what shows it may be in what another agent or tool returned")
    return Verdict(UNSUPPORTED, "nothing in this turn was read that shows it")


def _cause_part(wording: Wording) -> Wording:
    """Return what stands behind "because" and the like: what was caused is no sign of the cause."""
    if not stands_ahead(wording):
        return wording
    masked, original = wording.masked[wording.end :], wording.original[wording.end :]
    return wording.replace(original=original, masked=masked, start=0, end=0)


def _seen(names: list[str], facts: Facts) -> Verdict | None:
    """Point to the result that shows the first of the named things, when enough are shown."""
    mended = _mended(facts)
    found = [spot for spot in (_spot(name, facts, mended) for name in names) if spot is not None]
    if not found or len(found) < _SHARE * len(names):
        return None
    name, source_name, call_id, line = found[0]
    why = f'{source_name} shows {name} ("{line[:80]}")'
    return Verdict(SUPPORTED, why, call_id, source_name, line)


def _mended(facts: Facts) -> frozenset[int]:
    """Return the calls in which something passed that had failed before in the turn."""
    failed: set[tuple[str, str]] = set()
    passed: set[int] = set()
    for run in facts.runs:
        key = (run.kind, run.signature)
        if run.outcome.status == FAILED:
            failed.add(key)
        elif run.outcome.status == PASSED and key in failed:
            passed.add(run.index)
    return frozenset(passed)


def _spot(name: str, facts: Facts, mended: frozenset[int]) -> tuple[str, str, str, str] | None:
    for source in facts.seen.sources:
        if source.is_report or source.index in mended:
            continue
        at = max(_place(word, source.text) for word in _spellings(name))
        if at >= 0:
            return name, source.name, source.call_id, line_at(source.text, at)
    return None


def _spellings(name: str) -> tuple[str, ...]:
    """``__main__.py`` is printed as ``__main__``, too."""
    stem = name.rpartition(".")[0]
    return (name, stem) if "_" in stem and "." not in stem else (name,)


def _place(name: str, text: str) -> int:
    """Return where ``name`` stands in ``text`` as a whole, -1 when it does not."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        inside = name[0].isalnum() and text[at - 1 : at].isalnum()
        if not inside and not (name[-1].isalnum() and text[end : end + 1].isalnum()):
            return at
        at = text.find(name, end)
    return -1


def _made_good(facts: Facts) -> Verdict | None:
    """A test failed, a source file was edited, and then the same test passed."""
    failed: dict[str, Run] = {}
    for run in facts.runs:
        if run.kind != TEST:
            continue
        if run.outcome.status == FAILED:
            failed[run.signature] = run
        elif run.outcome.status == PASSED and run.signature in failed:
            before = failed[run.signature].index
            if any(before < index < run.index for index, _ in facts.changes):
                return pointing(run, SUPPORTED, "the test failed before the change and passes now")
    return None


def _has_looked(names: list[str], facts: Facts) -> bool:
    """Something was read, searched or edited, which takes a look; or the user named it."""
    actions = facts.actions
    if actions.looks or actions.searches or facts.edits:
        return True
    return any(name in text for name in names for text in facts.seen.told)
