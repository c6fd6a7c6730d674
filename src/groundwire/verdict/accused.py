"""What the accusers make of the matches of a message in a turn with a transcript.

A match of an accused sentence carries the fact, the accuser's name and a high confidence. A guess
whose subject nobody looked at keeps the confidence that its words have by themselves.
"""

from __future__ import annotations

from groundwire.base.model import UNSUPPORTED, Verdict
from groundwire.verdict.mentions import decided_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundwire.base.model import Factor, Match
    from groundwire.base.settings import Settings
    from groundwire.language.candidates import Kept
    from groundwire.language.find import Findings
    from groundwire.turn.timeline import Timeline
    from groundwire.verdict.claims import Claim
    from groundwire.verdict.evidence import Evidence

    Words = tuple[int, tuple[Factor, ...]]

#: Confidence of a statement that a fact of the session denies, at least.
ACCUSED = 95
#: Claims in words of guessing that are a guess; others are possible uses, or told ignorance.
_GUESSES = ("guess", "cause", "impression")
_KIND, _CAUSE = "speculation_language", "causality_language"
#: Verdict of a guess whose subject nobody looked at.
NOTHING_LOOKED = Verdict(UNSUPPORTED, "nothing in this session looked at it")


def with_accusations(
    matches: list[Match],
    findings: Findings,
    kept: Sequence[Kept],
    claims: Mapping[int, Claim],
    settings: Settings,
    evidence: Evidence,
) -> list[Match]:
    """Return the matches with what the session shows against their sentences."""
    turn = evidence.turn
    if turn is None or not matches:
        return matches
    causes = {
        one.sentence
        for one in kept
        if one.candidate.marker.kind == _CAUSE or one.candidate.marker.claim == "cause"
    }
    alone = _unseen_guesses(findings, kept, causes, settings, evidence, turn)
    words = {number: said[0] for number, said in alone.items() if number in causes}
    narrow, accused = _narrow_claims(claims, words), {}
    if narrow:
        from groundwire.verdict.accusers import accuse  # few messages hold such a claim

        accused = accuse(
            findings, narrow, turn, evidence.digest, evidence.whole, words, evidence.watch
        )
    if not accused and not alone:
        return matches
    spans = {}
    for number in {*accused, *alone}:
        sentence = findings.sentences[number]
        spans[findings.folded.span(sentence.start, sentence.end)] = number
    changed = []
    for match in matches:
        number = spans.get(match.sentence, -1)
        own: dict[str, object] = {}
        if number in alone and alone[number][0] > match.confidence:
            own = {"confidence": alone[number][0], "factors": alone[number][1]}
            own["verdict"] = NOTHING_LOOKED
        if fact := accused.get(number):
            most = max(match.confidence, ACCUSED)
            own = {**own, "confidence": most, "verdict": fact.verdict, "accuser": fact.accuser}
        changed.append(match.replace(**own) if own else match)
    return changed


def _narrow_claims(claims: Mapping[int, Claim], words_alone: Mapping[int, int]) -> dict[int, Claim]:
    """Return the claims of the sentences that an accuser could speak of."""
    return {
        number: claim
        for number, claim in claims.items()
        if decided_by(claim)
        or "verified" in claim.sorts
        or number in words_alone
        or claim.passed
        or not claim.sorts.isdisjoint(("committed", "pushed", "deployed"))
        or "`" in claim.text
        or "installed" in claim.words
        or "tagged" in claim.words
    }


def _unseen_guesses(
    findings: Findings,
    kept: Sequence[Kept],
    causes: set[int],
    settings: Settings,
    evidence: Evidence,
    turn: Timeline,
) -> dict[int, Words]:
    """Return what guesses at ``causes`` weigh by their words, where nothing looked at the subject.

    In a session without any tool call all guesses are weighed so.
    """
    used = evidence.digest is not None and evidence.digest.used
    if not evidence.whole or used:
        return {}
    numbers = {
        one.sentence
        for one in kept
        if one.candidate.marker.kind == _KIND
        and one.candidate.marker.claim in _GUESSES
        and (not turn.calls or one.sentence in causes)
    }
    if turn.calls:
        numbers = {number for number in numbers if not _was_looked_at(findings, number, turn)}
    if not numbers:
        return {}
    from groundwire.verdict.bare_text import weigh  # few guesses are left

    weighed: dict[int, Words] = {}
    for one, said in zip(kept, weigh(findings, kept, settings), strict=True):
        if one.sentence in numbers and said[0] > weighed.get(one.sentence, (0, ()))[0]:
            weighed[one.sentence] = said
    return weighed


def _was_looked_at(findings: Findings, number: int, turn: Timeline) -> bool:
    from groundwire.verdict.related import looked_at, subject_of

    sentence, folded = findings.sentences[number], findings.folded
    text = folded.original[slice(*folded.span(sentence.start, sentence.end))]
    subject = subject_of(folded.text[sentence.start : sentence.end], text)
    return looked_at(subject, turn.calls, turn.prompt, findings.language)
