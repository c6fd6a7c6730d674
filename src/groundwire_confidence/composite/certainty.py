"""Which words of a response say that it is certain or uncertain of itself.

They are forms of the one rule set, found by its automaton: whole words, whatever their case, with
curly or straight apostrophes, and not in code.
"""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire.language.automaton import is_bounded
from groundwire.language.fold import Folded, fold, fold_phrase
from groundwire.language.markdown import mask
from groundwire_confidence.assessment import shown
from groundwire_confidence.composite.factors import response_certainty_score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.base.model import Candidate
    from groundwire.language.automaton import Scanner

#: R000-06 and R000-07, as folding writes them.
UNCERTAINTY_MARKERS = (
    "i think",
    "maybe",
    "possibly",
    "perhaps",
    "might",
    "i'm not sure",
    "uncertain",
    "unclear",
    "i don't know",
    "unsure",
    "probably",
    "likely",
)
CERTAINTY_MARKERS = (
    "definitely",
    "certainly",
    "absolutely",
    "confirmed",
    "verified",
    "tested",
    "proven",
    "documented",
)
_MOST_SHOWN = 5


class CertaintyHit(Record):
    """One marker: the exact evidence, its offset in code points, and what it says."""

    evidence: str
    offset: int
    certain: bool


class Certainty(Record):
    """The certainty of a text, 0-1, with its markers in the order of the text."""

    score: float
    hits: tuple[CertaintyHit, ...] = ()

    def why(self) -> str:
        """Return the markers in a few words."""
        lowering = _listing(hit.evidence for hit in self.hits if not hit.certain)
        raising = _listing(hit.evidence for hit in self.hits if hit.certain)
        parts = [f"lowered by {lowering}"] if lowering else []
        parts += [f"raised by {raising}"] if raising else []
        return ", ".join(parts) or "no markers"


def certainty_of(text: str, scanner: Scanner, negators: tuple[str, ...] = ()) -> Certainty:
    """Return the certainty of ``text``; raises ConfidenceError when it is no text."""
    if not isinstance(text, str):
        raise ConfidenceError(f"response text: value {shown(text)}: allowed: a text")
    folded = fold(text, mask(text))
    return certainty(folded, scanner.scan(folded.text), negators)


def certainty(
    folded: Folded, candidates: Iterable[Candidate], negators: tuple[str, ...] = ()
) -> Certainty:
    """Return the certainty of a folded text from the occurrences that its scan found.

    A certainty marker right behind one of the ``negators`` ("not tested") does not count.
    """
    spots = {(one.start, one.end) for one in candidates}
    negating = tuple(filter(None, map(fold_phrase, negators)))
    hits = []
    for start, end in sorted(spots):
        form = folded.text[start:end]
        certain = form in CERTAINTY_MARKERS
        if not certain and form not in UNCERTAINTY_MARKERS:
            continue
        if certain and _is_negated(folded.text, start, negating):
            continue
        offset, stop = folded.span(start, end)
        hits.append(CertaintyHit(folded.original[offset:stop], offset, certain))
    positive = sum(hit.certain for hit in hits)
    return Certainty(response_certainty_score(len(hits) - positive, positive), tuple(hits))


def _is_negated(text: str, start: int, negators: tuple[str, ...]) -> bool:
    stop = start - 1 if text[start - 1 : start] == " " else start
    return any(
        text.endswith(word, 0, stop) and is_bounded(text, stop - len(word), stop)
        for word in negators
    )


def _listing(words: Iterable[str]) -> str:
    phrases = [" ".join(word.split()) for word in words]
    more = len(phrases) - _MOST_SHOWN
    listed = ", ".join(f'"{word}"' for word in phrases[:_MOST_SHOWN])
    return f"{listed} and {more} more" if more > 0 else listed
