"""``groundwire explain --trace``: the way of one sentence, from its markers to the decision."""

from __future__ import annotations

from groundwire.language.safe import quoted, safe
from groundwire.report.explain import call_blocks, call_ids, explain
from groundwire.verdict.claims import claims_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from groundwire.base.model import Analysis, Decision
    from groundwire.base.settings import Thresholds
    from groundwire.language.find import Findings
    from groundwire.turn.page_lines import CallLine
    from groundwire.verdict.claims import Claim

#: What is long or said elsewhere.
_NOT_SHOWN = ("sentence", "text", "masked", "folded", "words", "quantities")


def trace(
    number: int,
    findings: Findings,
    analysis: Analysis,
    decision: Decision,
    thresholds: Thresholds,
    calls: Iterable[tuple[str, CallLine]],
) -> str:
    """Return what became of sentence ``number`` (from 1) of a message, step by step.

    ``calls`` are those of the turn by their id.
    """
    sentence = findings.sentences[number - 1]
    start, end = findings.folded.span(sentence.start, sentence.end)
    own = analysis.replace(
        matches=tuple(one for one in analysis.matches if start <= one.offset < end),
        suppressed=tuple(one for one in analysis.suppressed if start <= one.offset < end),
    )
    named = {one for match in own.matches for one in call_ids(match)}
    said = {match.verdict.line for match in own.matches if match.verdict and match.verdict.line}
    claims = claims_of(findings, [one for one in findings.kept if one.sentence == number - 1])
    related = call_blocks([line for call_id, line in calls if call_id in named], said)
    stopped = any(start <= one.offset < end for one in decision.blocking)
    why = f": {decision.why}" if decision.why else ""
    because = "this sentence is a reason" if stopped else "not because of this sentence"
    parts = [
        f"Sentence {number}, {sentence.role}: {quoted(analysis.text[start:end])}",
        "\n".join(["Markers", *_markers(findings, sentence.start, sentence.end)]),
        explain(own, thresholds),
        "\n".join(["Claimed", *(row for claim in claims.values() for row in _claimed(claim))]),
        *map("\n".join, related),
        f"Decision: {decision.action}{why}; {because}",
    ]
    return "\n\n".join(parts)


def _markers(findings: Findings, start: int, end: int) -> Iterator[str]:
    """Yield what the automaton found in a sentence, and what became of each."""
    kept = {one.candidate: one.filter and f"softened by {one.filter}" for one in findings.kept}
    dropped = {one.candidate: f"dropped by {one.filter}" for one in findings.dropped}
    fates = {**dict.fromkeys(findings.scanned, "a cue alone, or covered by another")}
    fates |= dropped | {one: fate or "kept" for one, fate in kept.items()}
    for one in sorted(fates, key=lambda one: (one.start, one.end)):
        if start <= one.start < end:
            words = findings.folded.original[slice(*findings.folded.span(one.start, one.end))]
            yield f"  {one.marker.id}  {quoted(words)}: {fates[one]}"


def _claimed(claim: Claim) -> Iterator[str]:
    """Yield what the sentence claims, without what is empty."""
    for name in type(claim)._fields:
        value = getattr(claim, name)
        if value and name not in _NOT_SHOWN:
            several = isinstance(value, tuple | frozenset)
            words = ", ".join(sorted(map(str, value))) if several else str(value)
            yield f"  {name:<9}  {safe(words)}"
