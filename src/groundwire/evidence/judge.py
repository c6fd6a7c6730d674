"""All claims of a message against the ledger of its turn."""

from __future__ import annotations

from groundwire.evidence.restated import restated_verdict
from groundwire.model import NOT_CHECKABLE, UNSUPPORTED, Ledger, Verdict
from groundwire.scan.find import Findings, Kept

#: Guesses and contradictions are in the words themselves, whatever the tools returned. What else
#: no rule decides lies beyond them; a reference only gets here when nobody knows it.
_WORDS_ONLY: dict[str, Verdict | None] = {
    "speculation_language": None,
    "internal_contradiction": None,
    "unsupported_reference": Verdict(UNSUPPORTED, "nothing in this turn shows it"),
}
#: What was looked up, and is not there.
_NOT_FOUND = {
    "command": Verdict(UNSUPPORTED, "no tool call of this turn ran it"),
    "quote": Verdict(UNSUPPORTED, "no result of this turn holds this text"),
}
_LOOKED_UP = ("command", "path")
_BEYOND_TOOLS = Verdict(NOT_CHECKABLE, "no tool result of this turn bears on it")
#: In a turn without tool calls the model talks: a guess, its cause and its certainty still stand
#: for themselves, while what is told of the work rests on earlier turns.
_TALK = (
    "speculation_language",
    "causality_language",
    "certainty_language",
    "internal_contradiction",
)
_NO_TOOLS = Verdict(NOT_CHECKABLE, "no tool was called in this turn")
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.evidence.facts import Facts
    from groundwire.evidence.session import Digest


def judge(
    findings: Findings,
    kept: Sequence[Kept],
    ledger: Ledger | None,
    restated: tuple[frozenset[str], ...] = (),
    facts: Facts | None = None,
    digest: Digest | None = None,
) -> list[Verdict | None]:
    """Return the verdict of each kept candidate, None where only the words speak.

    Without a ledger only a claim that was sent back before and returns can be judged. ``facts``
    are those of the ledger, if they were read already; ``digest`` is that of the earlier turns.
    """
    verdicts = [_restated(findings, one, restated) for one in kept]
    if ledger is None or not kept:
        return verdicts
    if not ledger.calls and digest is None:
        return [
            found or _of_talk(findings, one, ledger, digest)
            for found, one in zip(verdicts, kept, strict=True)
        ]
    from groundwire.evidence.admitted import admitted_by
    from groundwire.evidence.claims import LOOKED_UP, claim_of
    from groundwire.evidence.facts import facts_of
    from groundwire.evidence.verdict import verdict_of
    from groundwire.evidence.wording import wording_of

    facts = facts or facts_of(ledger)
    admitted = admitted_by(findings.sentences, findings.folded)
    for number, one in enumerate(kept):
        marker = one.candidate.marker
        if not ledger.calls and (marker.kind in _TALK or marker.claim in _LOOKED_UP):
            verdicts[number] = verdicts[number] or _of_talk(findings, one, ledger, digest)
        elif verdicts[number] is None:
            claim = claim_of(one.candidate, findings.sentences[one.sentence], findings.folded)
            if one.filter == "instruction":  # what the reader is asked to see to is not claimed
                claim = claim.replace(limited=True)
            if claim.sort in LOOKED_UP:
                claim = claim.replace(wording=wording_of(findings, one))
            found = _NOT_FOUND.get(claim.sort) or verdict_of(claim, facts, admitted, digest)
            if ledger.calls:
                verdicts[number] = found or _WORDS_ONLY.get(marker.kind, _BEYOND_TOOLS)
            else:
                verdicts[number] = found or _of_talk(findings, one, ledger, digest)
    return verdicts


def _of_talk(
    findings: Findings, one: Kept, ledger: Ledger, digest: Digest | None
) -> Verdict | None:
    """Judge what a turn without tool calls says, and no earlier turn decides."""
    if one.candidate.marker.kind in _TALK:
        return None
    from groundwire.evidence.untooled import untooled_verdict

    return untooled_verdict(findings, one, ledger, digest) or _NO_TOOLS


def _restated(
    findings: Findings, one: Kept, restated: tuple[frozenset[str], ...]
) -> Verdict | None:
    sentence = findings.sentences[one.sentence]
    return restated_verdict(sentence.text[sentence.start : sentence.end], restated)
