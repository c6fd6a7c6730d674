"""All claims of a message against the ledger of its turn."""

from __future__ import annotations

from groundwire.evidence.restated import restated_verdict
from groundwire.model import Ledger, Verdict
from groundwire.scan.find import Findings, Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def judge(
    findings: Findings,
    kept: Sequence[Kept],
    ledger: Ledger | None,
    restated: tuple[frozenset[str], ...] = (),
) -> list[Verdict | None]:
    """Return the verdict of each kept candidate, None where only the words speak.

    Without a ledger only a claim that was sent back before and returns can be judged.
    """
    verdicts = [_restated(findings, one, restated) for one in kept]
    if ledger is None or not any(one.candidate.marker.claim for one in kept):
        return verdicts
    from groundwire.evidence.claims import claim_of, tells_failure
    from groundwire.evidence.facts import facts_of
    from groundwire.evidence.verdict import verdict_of

    facts = facts_of(ledger)
    admitted = any(tells_failure(sentence) for sentence in findings.sentences)
    for number, one in enumerate(kept):
        if verdicts[number] is None and one.candidate.marker.claim:
            sentence = findings.sentences[one.sentence]
            claim = claim_of(one.candidate.marker, sentence, findings.folded)
            verdicts[number] = verdict_of(claim, facts, admitted)
    return verdicts


def _restated(
    findings: Findings, one: Kept, restated: tuple[frozenset[str], ...]
) -> Verdict | None:
    sentence = findings.sentences[one.sentence]
    return restated_verdict(sentence.text[sentence.start : sentence.end], restated)
