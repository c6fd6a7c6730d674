"""The guesses of a text: the clauses around its hedges, with the words by which they are known."""

from __future__ import annotations

from groundwire.evidence.message.claims import STATUS
from groundwire.evidence.message.hedged_words import (
    ADDED,
    CAUSES,
    CLAUSE_ENDS,
    CLAUSE_OPENINGS,
    EMPTY,
    FILLERS,
    NO_GUESS,
    STATES,
    TOLD_BACK,
)
from groundwire.evidence.message.restated import content_words
from groundwire.record import Record
from groundwire.scan.find import Findings, Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.scan.filters import Sentence

#: The kind of the markers that guess.
GUESS = "speculation_language"
#: Characters around a hedge or a claim that are read at most.
REACH = 400
_OFFER = "offered-check"
#: Filters after which a hedge gives leave, plans or instructs, and guesses nothing.
_NOT_GUESSING = frozenset(("modal", "instruction", "proposal"))


class Guess(Record):
    """One guess: its sentence as written and the words of its clause.

    ``names`` are those of the words that stand in code. ``causal`` and ``state`` tell what the
    clause is about, ``first`` is its first word behind the hedge. ``sentence`` is its place in the
    message, -1 for an earlier text of the turn. ``open`` says that the guess is disclosed as one.
    """

    text: str
    words: frozenset[str]
    names: frozenset[str]
    causal: bool
    state: bool
    first: frozenset[str]
    sentence: int = -1
    open: bool = False


def guesses_in(findings: Findings) -> Iterator[Guess]:
    """Yield what the hedges of a text give as guesses, in order."""
    for one in _hedges(findings):
        candidate, sentence = one.candidate, findings.sentences[one.sentence]
        start, end = _clause(sentence, candidate.start, candidate.end)
        said = sentence.text[sentence.start : sentence.end][: 2 * REACH].split()
        clause = sentence.text[start:end]
        if (
            not TOLD_BACK.isdisjoint(said)
            or not ADDED.isdisjoint(clause.split())
            or _denied(sentence, start, end)
        ):
            continue
        before, names = content_between(findings, start, candidate.start)
        behind, more = content_between(findings, candidate.end, end)
        words = before | behind
        if words:
            shown = slice(*findings.folded.span(sentence.start, sentence.end))
            plain = {word.strip(".,:;!*()") for word in clause.split()}
            yield Guess(
                findings.folded.original[shown],
                words,
                names | more,
                not CAUSES.isdisjoint(plain),
                not STATES.isdisjoint(plain) or candidate.marker.claim in STATUS,
                _first(findings, candidate.end, end),
                one.sentence,
                _is_open(one, findings),
            )


def _hedges(findings: Findings) -> Iterator[Kept]:
    for one in findings.kept:
        marker = one.candidate.marker
        if marker.kind == GUESS and marker.id not in NO_GUESS and one.filter not in _NOT_GUESSING:
            yield one


def _is_open(one: Kept, findings: Findings) -> bool:
    """Tell whether the guess comes with an offer to check it, or the next sentence admits it."""
    if one.filter == _OFFER:
        return True
    behind = findings.sentences[one.sentence + 1 : one.sentence + 2]
    return any(map(admits, behind))


def admits(sentence: Sentence) -> bool:
    """Tell whether the sentence says that something was not checked."""
    return any(cue.marker.id == "cue.disclosure" for cue in sentence.cues)


def _denied(sentence: Sentence, start: int, end: int) -> bool:
    cues = (cue for cue in sentence.cues if cue.marker.id == "cue.negation")
    return any(start <= cue.start < end for cue in cues)


def _clause(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """Return the folded clause around a hedge; "most likely, X" and "X, I think, is" are one."""
    text = sentence.text
    first, last = max(sentence.start, start - REACH), min(sentence.end, end + REACH)
    before, behind = text[first:start], text[end + 1 : last]
    if text[end : end + 1] == ",":
        before = before.removesuffix(", ")
    opened = max(
        (at + len(mark) for mark in CLAUSE_OPENINGS if (at := before.rfind(mark)) >= 0), default=0
    )
    closed = min(
        (at for mark in CLAUSE_ENDS if (at := behind.find(mark)) >= 0), default=len(behind)
    )
    return first + opened, max(end, min(last, end + 1 + closed))


def content_between(
    findings: Findings, start: int, end: int
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the content words of a folded stretch with its code, and those that stand in code."""
    if start >= end:
        return frozenset(), frozenset()
    original = findings.folded.original[slice(*findings.folded.span(start, end))].lower()
    names = content_words(" ".join(original.split("`")[1::2]))
    return content_words(original) - EMPTY, names - EMPTY


def _first(findings: Findings, start: int, end: int) -> frozenset[str]:
    """Return the first word with content behind a hedge, in a set."""
    if start >= end:
        return frozenset()
    original = findings.folded.original[slice(*findings.folded.span(start, end))].lower()
    for word in original.split()[:8]:
        if word.strip(".,:;!*`()\"'") not in FILLERS:
            return content_words(word)
    return frozenset()
