"""How a claim is worded in the message itself: its sentence with code, numbers and place."""

from __future__ import annotations

from groundwire.evidence.restated import content_words
from groundwire.record import Record
from groundwire.scan.find import Findings, Kept
from groundwire.text.mask import FILLER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_GUESS = "speculation_language"
#: A guess told of the past, and words of the check that followed it.
_TOLD_BACK = frozenset("suspected thought assumed guessed believed".split())
_CHECKED = frozenset(
    "confirmed confirms confirming verified verifies indeed turned checked shows showed proved "
    "proves reproduced traced".split()
)
_FEWEST_WORDS = 2
_SHARE = 0.75
_LONGEST_CODE = 200
_LABEL_WORDS = 4
#: Characters behind a label that are read with it.
_BEHIND_LABEL = 400


class Wording(Record):
    """A sentence as written and as masked (same length), and ``start:end`` of the claim in it.

    ``block`` is the masked paragraph, item or row around it. ``guess`` is an earlier sentence of
    the message that gives as a guess what this one says as a fact; "" when there is none.
    """

    original: str
    masked: str
    start: int
    end: int
    block: str = ""
    guess: str = ""

    @property
    def code(self) -> list[str]:
        """The stretches of inline code, without their backticks."""
        return [
            part.strip()
            for part in self.original.split("`")[1::2]
            if part.strip() and len(part) <= _LONGEST_CODE
        ]


def wording_of(findings: Findings, one: Kept) -> Wording:
    """Return the wording of a kept candidate."""
    folded, sentence = findings.folded, findings.sentences[one.sentence]
    first, last = folded.span(sentence.start, sentence.end)
    start, end = folded.span(one.candidate.start, one.candidate.end)
    block = folded.span(*_trimmed(folded.text, *sentence.block))
    text = folded.text[sentence.start : sentence.end]
    if text.endswith(":") or len(text.split()) <= _LABEL_WORDS:
        last += _BEHIND_LABEL  # a label says nothing by itself
    return Wording(
        folded.original[first:last],
        folded.masked[first:last],
        start - first,
        end - first,
        folded.masked[slice(*block)].replace(FILLER, " "),
        _earlier_guess(findings, one),
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start + 1 and text[end - 1] == "\n":
        end -= 1
    return start, end


def _earlier_guess(findings: Findings, one: Kept) -> str:
    """Return the sentence before that of ``one`` which says the same, but as a guess."""
    here = findings.sentences[one.sentence]
    text = here.text[here.start : here.end]
    if one.candidate.marker.kind == _GUESS or not _CHECKED.isdisjoint(text.split()):
        return ""
    hedged = _hedged(findings.kept)
    if one.sentence in hedged or min(hedged, default=one.sentence) >= one.sentence:
        return ""
    words = content_words(text)
    for number in sorted(hedged):
        if number >= one.sentence:
            break
        guess = findings.sentences[number]
        stated = guess.text[guess.start : guess.end]
        if not _TOLD_BACK.isdisjoint(stated.split()) or _checked_between(findings, number, one):
            continue
        claim = content_words(stated)
        if len(claim) >= _FEWEST_WORDS and len(claim & words) >= _SHARE * len(claim):
            start, end = findings.folded.span(guess.start, guess.end)
            return findings.folded.original[start:end]
    return ""


def _hedged(kept: Sequence[Kept]) -> set[int]:
    return {one.sentence for one in kept if one.candidate.marker.kind == _GUESS}


def _checked_between(findings: Findings, number: int, one: Kept) -> bool:
    """Tell whether a sentence from the guess to the fact tells of a check."""
    return any(
        not _CHECKED.isdisjoint(sentence.text[sentence.start : sentence.end].split())
        for sentence in findings.sentences[number : one.sentence + 1]
    )
