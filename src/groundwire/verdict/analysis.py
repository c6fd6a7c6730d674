"""The pipeline from a message and its turn to scored matches: pure, without files or clock."""

from __future__ import annotations

from groundwire.base.model import TOLD, Analysis, Factor, Match, Suppressed, Verdict
from groundwire.base.settings import Settings
from groundwire.language.candidates import Dropped, Kept
from groundwire.language.find import Findings, find
from groundwire.verdict.evidence import Evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.language.automaton import Scanner
    from groundwire.verdict.claims import Claim

    #: What is known of one match: confidence, factors, and the verdict of a turn.
    Scored = tuple[int, tuple[Factor, ...], Verdict | None]


BARE = Evidence()
#: How labels of statements begin; few messages hold one.
LABELLED = ("[VERIFIED", "[INFERRED", "[ASSUMED", "[UNVERIFIED")


def analyse(text: str, scanner: Scanner, settings: Settings, evidence: Evidence = BARE) -> Analysis:
    """Return all matches of ``text`` down to confidence 0, and what the filters dropped.

    Linear in ``text``; matches are sorted by offset, longest first.
    """
    cited = evidence.knows is not None
    findings = find(text, scanner, settings.filters_off, cited=cited, watch=evidence.watch)
    return analysis_of(findings, settings, evidence)


def analysis_of(findings: Findings, settings: Settings, evidence: Evidence = BARE) -> Analysis:
    """Return the same for a text whose language stage is done."""
    kept, dropped = list(findings.kept), list(findings.dropped)
    if settings.allow or settings.kinds_off or settings.markers_off:
        from groundwire.verdict.allowed import without_allowed  # few have such settings

        kept, dropped = without_allowed(findings, settings)
    kept = _unknown_candidates(findings, kept, dropped, evidence)
    matches = []
    spans: dict[int, tuple[int, int]] = {}
    claims: dict[int, Claim] = {}
    if kept and evidence.turn is not None:
        from groundwire.verdict.claims import claims_of

        claims = claims_of(findings, kept, evidence.watch)
    for one, scored in _scored_candidates(findings, kept, claims, settings, evidence):
        if scored:
            matches.append(_match(findings, one, scored, spans))
        else:
            dropped.append(Dropped(one.candidate, "known", "nothing denies it"))
    suppressed = tuple(_suppressed(findings, one) for one in dropped)
    if kept and evidence.turn is not None:
        from groundwire.verdict.accused import with_accusations

        matches = with_accusations(matches, findings, kept, claims, settings, evidence)
    analysis = Analysis(findings.folded.original, tuple(matches), suppressed, findings.language)
    if any(map(analysis.text.count, LABELLED)):
        from groundwire.verdict.labels import with_labels

        analysis = with_labels(analysis, findings, settings, evidence)
    return analysis


def _unknown_candidates(
    findings: Findings, kept: list[Kept], dropped: list[Dropped], evidence: Evidence
) -> list[Kept]:
    """Return the candidates without references that the harness knows, or cannot look up."""
    cited, knows, watch = findings.references, evidence.knows, evidence.watch
    if not cited or knows is None:
        return kept
    unknown = []
    kinds = {candidate.marker.kind for candidate in cited}  # few candidates need to be hashed
    for match in kept:
        candidate = match.candidate
        reference = cited.get(candidate) if candidate.marker.kind in kinds else None
        is_known = watch.attempt("a reference", knows, None, reference) if reference else False
        if is_known is False:
            unknown.append(match)
        else:
            dropped.append(Dropped(match.candidate, "known", "the turn shows it"))
    return unknown


def _scored_candidates(
    findings: Findings,
    kept: list[Kept],
    claims: dict[int, Claim],
    settings: Settings,
    evidence: Evidence,
) -> list[tuple[Kept, Scored | None]]:
    """Return the candidates with what is known of each; None: told, and nothing denies it."""
    if not kept:
        return []
    if evidence.turn is None:
        from groundwire.verdict.bare_text import weigh  # only where no tool was called

        words = [match for match in kept if match.candidate.marker.claim != TOLD]
        scored = iter(weigh(findings, words, settings))
        return [
            (match, None if match.candidate.marker.claim == TOLD else (*next(scored), None))
            for match in kept
        ]
    from groundwire.verdict.assess import assess  # many messages hold nothing to assess

    turn, watch = evidence.turn, evidence.watch
    past = (evidence.digest, evidence.stopped)
    weighed = assess(findings, kept, claims, turn, settings, *past, watch=watch)
    return [
        (match, (score.confidence, score.factors, score.verdict) if score else None)
        for match, score in zip(kept, weighed, strict=True)
    ]


def _match(
    findings: Findings, kept: Kept, scored: Scored, spans: dict[int, tuple[int, int]]
) -> Match:
    """Return the match of a candidate; ``spans`` keeps where sentences stand in the message."""
    folded, candidate = findings.folded, kept.candidate
    sentence_span = spans.get(kept.sentence)
    if sentence_span is None:
        sentence = findings.sentences[kept.sentence]
        sentence_span = spans[kept.sentence] = folded.span(sentence.start, sentence.end)
    confidence, factors, verdict = scored
    start, end = folded.span(candidate.start, candidate.end)
    return Match(
        candidate.marker.kind,
        folded.original[start:end],
        start,
        confidence,
        candidate.marker,
        sentence_span,
        factors,
        verdict,
        kept.filter,
    )


def _suppressed(findings: Findings, dropped: Dropped) -> Suppressed:
    start, end = findings.folded.span(dropped.candidate.start, dropped.candidate.end)
    return Suppressed(
        dropped.candidate.marker.kind,
        findings.folded.original[start:end],
        start,
        dropped.candidate.marker,
        dropped.filter,
        dropped.reason,
    )
