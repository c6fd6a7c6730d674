"""How a claim is worded in the message itself: its sentence with code, numbers and place."""

from __future__ import annotations

from groundwire.record import Record
from groundwire.scan.find import Findings, Kept
from groundwire.text.mask import FILLER

_LONGEST_CODE = 200
#: Longest label, in words.
LABEL_WORDS = 4
#: Characters behind a label that are read with it.
_BEHIND_LABEL = 400


class Wording(Record):
    """A sentence as written and as masked (same length), and ``start:end`` of the claim in it.

    ``block`` is the masked paragraph, item or row around it, ``message`` the whole as written.
    """

    original: str
    masked: str
    start: int
    end: int
    block: str = ""
    message: str = ""

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
    if text.endswith(":") or len(text.split()) <= LABEL_WORDS:
        last += _BEHIND_LABEL  # a label says nothing by itself
    return Wording(
        folded.original[first:last],
        folded.masked[first:last],
        start - first,
        end - first,
        folded.masked[slice(*block)].replace(FILLER, " "),
        folded.original,
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start + 1 and text[end - 1] == "\n":
        end -= 1
    return start, end
