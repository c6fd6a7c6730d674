"""All claims of a message against the ledger of its turn."""

from __future__ import annotations

from groundwire.evidence.message.restated import restated_verdict
from groundwire.model import FAINT, NOT_CHECKABLE, QUALIFIED, UNSUPPORTED, Ledger, Verdict
from groundwire.scan.find import Findings, Kept

#: Guesses and contradictions are in the words themselves, whatever the tools returned. What else
#: no rule decides lies beyond them; a reference only gets here when nobody knows it.
_WORDS_ONLY: dict[str, Verdict | None] = {
    "speculation_language": None,
    "internal_contradiction": None,
    "unsupported_reference": Verdict(UNSUPPORTED, "nothing in this turn shows it"),
}
#: The same holds of these claims where no result stands beside them.
_WORDS_SPEAK = ("predicted", "appeal")
#: What was looked up, and is not there.
_NOT_FOUND = {
    "command": Verdict(UNSUPPORTED, "no tool call of this turn ran it"),
    "rerun": Verdict(UNSUPPORTED, "it ran before the edit, and not again after it"),
    "quote": Verdict(UNSUPPORTED, "no result of this turn holds this text"),
}
_LOOKED_UP = ("command", "rerun", "path")
#: Filters of what the reader is asked to see to, and of what the writer offers to check.
_LIMITING = ("instruction", "offered-check")
_GUESSES = ("speculation_language",)
#: First words of an item that tell what code is for.
_DESCRIBING = frozenset("handles degrades recovers properly correctly gracefully safely".split())
#: A guess that comes with the offer to check it hides nothing.
_OFFERED = Verdict(QUALIFIED, "it is given as a guess, with an offer to check it")
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
    from collections.abc import Callable, Sequence

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.message.guesses import Guess
    from groundwire.evidence.past.session import Digest
    from groundwire.evidence.turn.facts import Facts
    from groundwire.scan.filters import Sentence
    from groundwire.text.fold import Folded


def judge(
    findings: Findings,
    kept: Sequence[Kept],
    ledger: Ledger | None,
    restated: tuple[frozenset[str], ...] = (),
    facts: Facts | None = None,
    digest: Digest | None = None,
    said: Callable[[], tuple[Findings, ...]] | None = None,
) -> list[Verdict | None]:
    """Return the verdict of each kept candidate, None where only the words speak.

    Without a ledger only a claim that was sent back before and returns can be judged. ``facts``
    are those of the ledger, if they were read already; ``digest`` is that of the earlier turns.
    ``said`` returns the findings of earlier texts of the turn that nothing has settled.
    """
    verdicts = [_restated(findings, one, restated) for one in kept]
    if ledger is None or not kept:
        return verdicts
    verdicts = [found or _offered(one) for found, one in zip(verdicts, kept, strict=True)]
    guessed = _guessed(findings, kept, said)
    if not ledger.calls and digest is None:
        return [
            found or _held(_of_talk(findings, one, ledger, digest), one, guessed.get(number))
            for number, (found, one) in enumerate(zip(verdicts, kept, strict=True))
        ]
    from groundwire.evidence.message.admitted import admitted_by
    from groundwire.evidence.turn.facts import facts_of
    from groundwire.evidence.verdict import verdict_of

    facts = facts or facts_of(ledger)
    admitted = admitted_by(findings.sentences, findings.folded)
    told = {one.sentence for one in kept if _is_plain(one)}
    for number, one in enumerate(kept):
        marker, guess = one.candidate.marker, guessed.get(number)
        if not ledger.calls and (marker.kind in _TALK or marker.claim in _LOOKED_UP):
            found = verdicts[number] or _of_talk(findings, one, ledger, digest)
            verdicts[number] = _held(found, one, guess)
        elif verdicts[number] is None:
            claim = _claim(findings, one, guess).replace(alone=one.sentence not in told)
            told.add(one.sentence)
            found = _NOT_FOUND.get(claim.sort) or verdict_of(claim, facts, admitted, digest)
            if found is None and ledger.calls:
                if claim.sort not in _WORDS_SPEAK:
                    found = _WORDS_ONLY.get(marker.kind, _BEYOND_TOOLS)
            elif found is None:
                found = _of_talk(findings, one, ledger, digest)
            is_mild = claim.limited or claim.faint
            verdicts[number] = found if is_mild else _held(found, one, guess)
    return verdicts


def _is_plain(one: Kept) -> bool:
    """Tell whether a candidate is a claim in plain words, not in everyday ones."""
    return bool(one.candidate.marker.claim) and one.candidate.marker.strength != FAINT


def _claim(findings: Findings, one: Kept, guess: Guess | None) -> Claim:
    """Return the claim of a candidate.

    What is asked or offered to be checked is limited, and what stands beside open work in a table.
    """
    from groundwire.evidence.message.claims import TESTS, WORDED, claim_of
    from groundwire.evidence.message.wording import wording_of

    sentence = findings.sentences[one.sentence]
    claim = claim_of(one.candidate, sentence, findings.folded)
    is_open = sentence.role == "row" and _is_beside_open_work(sentence, findings.folded)
    is_limited = one.filter in _LIMITING and not _is_left_to_reader(findings, one)
    if is_open or is_limited:
        claim = claim.replace(limited=True)
    if sentence.role == "item" and _is_description(one, sentence):
        claim = claim.replace(faint=True)
    if guess:
        claim = claim.replace(guessed=True)
    if claim.sort not in WORDED:
        return claim
    wording = wording_of(findings, one)
    if claim.sort == TESTS and not claim.passed:
        from groundwire.evidence.passed.named_runs import told_runs

        claim = told_runs(claim, wording)
    return claim.replace(wording=wording)


def _is_beside_open_work(sentence: Sentence, folded: Folded) -> bool:
    from groundwire.evidence.message.table_rows import names_open_work  # few have a table

    return names_open_work(sentence, folded)


def _is_description(one: Kept, sentence: Sentence) -> bool:
    """ "- Handles errors gracefully" in a list of what was written tells what it is for."""
    start, end = one.candidate.start, one.candidate.end
    if one.candidate.marker.claim != "works" or sentence.text[sentence.start : start].strip(" *_"):
        return False
    return sentence.text[start:end].split()[0] in _DESCRIBING


def _is_left_to_reader(findings: Findings, one: Kept) -> bool:
    """ "Restart it, it should work now": the guess is offered as the answer all the same.

    "Open the page, you should see two rows" says what to look for.
    """
    marker, text = one.candidate.marker, findings.folded.text
    is_result = marker.kind in _GUESSES and marker.claim == "works"
    is_told = text[: one.candidate.start].endswith("you ")
    return is_result and one.filter == "instruction" and not is_told


def _guessed(
    findings: Findings, kept: Sequence[Kept], said: Callable[[], tuple[Findings, ...]] | None
) -> dict[int, Guess]:
    """Return the guesses that claims among ``kept`` state as facts, by the number of the claim."""
    hedged = {one.sentence for one in kept if one.candidate.marker.kind in _GUESSES}
    if not hedged and not said:
        return {}
    from groundwire.evidence.message.claims import HEDGED_SORTS

    stated = [
        (number, one)
        for number, one in enumerate(kept)
        if one.sentence not in hedged
        and one.candidate.marker.claim in HEDGED_SORTS
        and one.candidate.marker.strength != FAINT
    ]
    earlier = said() if said and stated else ()
    if not stated or not (hedged or earlier):
        return {}
    from groundwire.evidence.message.hedged import Guesses

    guesses = Guesses(findings, earlier)
    found = ((number, guesses.repeated_by(one)) for number, one in stated)
    return {number: guess for number, guess in found if guess}


def _held(found: Verdict | None, one: Kept, guess: Guess | None) -> Verdict | None:
    """Return the verdict on a claim against the guess that says the same, if there is one."""
    if guess is None:
        return found
    from groundwire.evidence.message.hedged import guessed_verdict

    return guessed_verdict(found, guess, one.candidate.marker.claim)


def _of_talk(
    findings: Findings, one: Kept, ledger: Ledger, digest: Digest | None
) -> Verdict | None:
    """Judge what a turn without tool calls says, and no earlier turn decides."""
    from groundwire.evidence.message.claims import PLAIN_CAUSES

    marker = one.candidate.marker
    if marker.kind in _TALK and marker.claim not in PLAIN_CAUSES:
        return None
    from groundwire.evidence.past.untooled import untooled_verdict

    return untooled_verdict(findings, one, ledger, digest) or _NO_TOOLS


def _offered(one: Kept) -> Verdict | None:
    is_guess = one.candidate.marker.kind in _GUESSES
    return _OFFERED if is_guess and one.filter == "offered-check" else None


def _restated(
    findings: Findings, one: Kept, restated: tuple[frozenset[str], ...]
) -> Verdict | None:
    sentence = findings.sentences[one.sentence]
    return restated_verdict(sentence.text[sentence.start : sentence.end], restated)
