"""The pipeline from a message and its ledger to scored matches: pure, without files or clock."""

from __future__ import annotations

from groundwire.bare import LONG_WORDS, near_evidence, weigh
from groundwire.evidence.judge import judge
from groundwire.model import FAINT, Analysis, Factor, Ledger, Match, Suppressed, Verdict
from groundwire.record import Record
from groundwire.scan.automaton import Scanner, is_bounded
from groundwire.scan.find import Dropped, Findings, Kept, find
from groundwire.scan.references import Reference
from groundwire.scoring import Circumstances, score
from groundwire.settings import Settings
from groundwire.text.fold import fold_phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.evidence.past.session import Digest
    from groundwire.evidence.turn.facts import Facts


class Evidence(Record):
    """What the harness knows about the turn; ``ledger`` is None on bare text.

    ``restated`` are the content words of statements that were blocked before, with no tool call
    since. ``knows`` tells whether the harness has seen a reference, or None when it cannot tell.
    ``facts`` are those of the ledger when they were read before; ``digest`` tells of earlier turns.
    ``said`` returns the findings of earlier texts of the turn that no tool call since could settle.
    """

    ledger: Ledger | None = None
    restated: tuple[frozenset[str], ...] = ()
    knows: Callable[[Reference], bool | None] | None = None
    facts: Facts | None = None
    digest: Digest | None = None
    said: Callable[[], tuple[Findings, ...]] | None = None


BARE = Evidence()
#: Sentences that close a message, and of the shortest message that has a close.
_CLOSING = 2
_SHORTEST_REPORT = 5


def analyse(text: str, scanner: Scanner, settings: Settings, evidence: Evidence = BARE) -> Analysis:
    """Return all matches of ``text`` down to confidence 0, and what the filters dropped.

    Linear in ``text``; matches are sorted by offset, longest first.
    """
    return analysis_of(
        find(text, scanner, settings.filters_off, evidence.knows), settings, evidence
    )


def analysis_of(findings: Findings, settings: Settings, evidence: Evidence = BARE) -> Analysis:
    """Return the same for a text whose language stage is done."""
    kept, dropped = _configured(findings, settings)
    verdicts = judge(
        findings,
        kept,
        evidence.ledger,
        evidence.restated,
        evidence.facts,
        evidence.digest,
        evidence.said,
    )
    if evidence.ledger is None and not any(verdicts):
        scores = weigh(findings, kept, settings)
    else:
        around = _circumstances(findings, kept, evidence, settings)
        scores = [
            score(one.candidate.marker.strength, verdict, seen, settings)
            for one, verdict, seen in zip(kept, verdicts, around, strict=True)
        ]
    matches = tuple(
        _match(findings, one, verdict, *scored)
        for one, verdict, scored in zip(kept, verdicts, scores, strict=True)
    )
    suppressed = tuple(_suppressed(findings, one) for one in dropped)
    return Analysis(findings.folded.original, matches, suppressed)


def _configured(findings: Findings, settings: Settings) -> tuple[list[Kept], list[Dropped]]:
    """Take out what the settings switch off or allow."""
    phrases = _allowed_spans(findings.folded.text, settings)
    allowed_ids = {allow.marker: allow.reason for allow in settings.allow if allow.marker}
    kept: list[Kept] = []
    dropped = list(findings.dropped)
    for one in findings.kept:
        marker = one.candidate.marker
        if marker.kind in settings.kinds_off:
            dropped.append(Dropped(one.candidate, "settings", f"kind {marker.kind} is off"))
        elif marker.id in settings.markers_off:
            dropped.append(Dropped(one.candidate, "settings", f"marker {marker.id} is off"))
        elif marker.id in allowed_ids:
            dropped.append(Dropped(one.candidate, "allowlist", allowed_ids[marker.id]))
        elif reason := _covering(phrases, one):
            dropped.append(Dropped(one.candidate, "allowlist", reason))
        else:
            kept.append(one)
    return kept, dropped


def _allowed_spans(text: str, settings: Settings) -> list[tuple[int, int, str]]:
    """Return where allowed phrases stand as whole phrases, with the reasons given for them."""
    spans = []
    for allow in settings.allow:
        phrase = fold_phrase(allow.phrase)
        at = text.find(phrase) if phrase else -1
        while at >= 0:
            if is_bounded(text, at, at + len(phrase)):
                spans.append((at, at + len(phrase), allow.reason))
            at = text.find(phrase, at + 1)
    return spans


def _covering(spans: list[tuple[int, int, str]], one: Kept) -> str:
    start, end = one.candidate.start, one.candidate.end
    return next((why for first, last, why in spans if first <= start and end <= last), "")


def _circumstances(
    findings: Findings, kept: list[Kept], evidence: Evidence, settings: Settings
) -> list[Circumstances]:
    words = len(findings.folded.text.split(maxsplit=LONG_WORDS))  # more make no difference
    calls = len(evidence.ledger.calls) if evidence.ledger else 0
    near = frozenset() if calls else near_evidence(findings, kept)
    groups = _groups(findings, kept)
    blocks: dict[int, set[int]] = {}
    sentences: dict[int, dict[str, set[int]]] = {}
    claims: dict[int, set[int]] = {}
    company = [one.candidate.marker.strength != FAINT for one in kept]
    for one, group, counts in zip(kept, groups, company, strict=True):
        claims.setdefault(one.sentence, set()).add(group)
        if counts:
            blocks.setdefault(_block(findings, one), set()).add(group)
            kinds = sentences.setdefault(one.sentence, {})
            kinds.setdefault(one.candidate.marker.kind, set()).add(group)
    return [
        Circumstances(
            words,
            one.sentence in near,
            len(blocks[_block(findings, one)]) - 1 if counts else 0,
            counts and _is_stacked(sentences[one.sentence], one, group),
            getattr(settings.context, one.milder) if one.milder else 0.0,
            len(claims[one.sentence]) - 1 if calls else 0,
            _position(one.sentence, len(findings.sentences)) if calls else 0,
            calls,
        )
        for one, group, counts in zip(kept, groups, company, strict=True)
    ]


def _position(sentence: int, count: int) -> int:
    """Return 1 for the closing sentences of a message that is long enough to have some, else 0."""
    return int(count >= _SHORTEST_REPORT and sentence >= count - _CLOSING)


def _is_stacked(kinds: dict[str, set[int]], one: Kept, group: int) -> bool:
    own = one.candidate.marker.kind
    return any(kind != own and others != {group} for kind, others in kinds.items())


def _block(findings: Findings, one: Kept) -> int:
    return findings.sentences[one.sentence].block[0]


def _groups(findings: Findings, kept: list[Kept]) -> list[int]:
    """Number the matches; overlapping ones, and one claim in a block, share a number."""
    groups: list[int] = []
    by_claim: dict[tuple[int, str], int] = {}
    reach = -1
    current = -1
    for number, one in enumerate(kept):
        candidate = one.candidate
        claim = (_block(findings, one), candidate.marker.claim)
        if candidate.start >= reach:
            current = number
        reach = max(reach, candidate.end)
        if candidate.marker.claim:
            current = by_claim.setdefault(claim, current)
        groups.append(current)
    return groups


def _match(
    findings: Findings,
    one: Kept,
    verdict: Verdict | None,
    confidence: int,
    factors: tuple[Factor, ...],
) -> Match:
    folded, candidate = findings.folded, one.candidate
    sentence = findings.sentences[one.sentence]
    start, end = folded.span(candidate.start, candidate.end)
    return Match(
        candidate.marker.kind,
        folded.original[start:end],
        start,
        confidence,
        candidate.marker,
        folded.span(sentence.start, sentence.end),
        factors,
        verdict,
        one.filter,
    )


def _suppressed(findings: Findings, one: Dropped) -> Suppressed:
    start, end = findings.folded.span(one.candidate.start, one.candidate.end)
    return Suppressed(
        one.candidate.marker.kind,
        findings.folded.original[start:end],
        start,
        one.candidate.marker,
        one.filter,
        one.reason,
    )
