"""A statement that the same turn elsewhere gives as a guess.

The message calls a cause a guess in one sentence and a fact in another one, or an earlier text of
the turn guessed it and no tool call since could have settled it. A guess with an offer to check it,
or with the word that it was not checked, is disclosure.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from groundwire.evidence.message.claims import CAUSE, HEDGED_SORTS, STATUS
from groundwire.evidence.message.hedged_words import (
    ADDED,
    CAUSES,
    CHECKED,
    CLAUSE_ENDS,
    CLAUSE_OPENINGS,
    EMPTY,
    FILLERS,
    NO_GUESS,
    STATES,
    TOLD_BACK,
)
from groundwire.evidence.message.restated import content_words
from groundwire.model import NOT_CHECKABLE, QUALIFIED, UNSUPPORTED, Verdict
from groundwire.record import Record
from groundwire.scan.find import Findings, Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.scan.filters import Sentence

_GUESS = "speculation_language"
_OFFER = "offered-check"
#: Filters after which a hedge gives leave, plans or instructs, and guesses nothing.
_NOT_GUESSING = frozenset(("modal", "instruction", "proposal"))
#: Share of the words of the shorter statement that the other one repeats, and the fewest of them.
#: A name in code counts twice.
_SHARE = 0.75
_FEWEST = 2
#: Characters around a hedge or a claim that are read at most, and different guesses of a turn.
_REACH = 400
_MOST = 64
_LABEL_WORDS = 4
_SHOWN = 60


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


class Guesses:
    """The guesses of a message and of the earlier texts of its turn."""

    __slots__ = ("_checked", "_findings", "_found", "_hedged")

    def __init__(self, findings: Findings, earlier: Sequence[Findings] = ()) -> None:
        """Collect them, linear in the texts; ``earlier`` are those that nothing has settled."""
        found: dict[tuple[frozenset[str], bool], Guess] = {}
        for guess in _guesses(findings):
            found.setdefault((guess.words, guess.causal), guess)
        for text in earlier:
            for guess in _guesses(text):
                found.setdefault((guess.words, guess.causal), guess.replace(sentence=-1))
        self._findings = findings
        self._found = list(found.values())[:_MOST]
        hedges = (one for one in findings.kept if one.candidate.marker.kind == _GUESS)
        self._hedged = {one.sentence for one in hedges}
        self._checked = [
            number
            for number, sentence in enumerate(findings.sentences)
            if not CHECKED.isdisjoint(sentence.text[sentence.start : sentence.end].split())
            and not _admits(sentence)
        ]

    def repeated_by(self, one: Kept) -> Guess | None:
        """Return the guess that the claim ``one`` states as a fact; None when there is none."""
        sort = one.candidate.marker.claim
        if not self._found or one.candidate.marker.kind == _GUESS or sort not in HEDGED_SORTS:
            return None
        last = one.sentence + (sort == CAUSE and self._is_label(one.sentence))
        if not self._hedged.isdisjoint(range(one.sentence, last + 1)):
            return None
        words, names = _stated(self._findings, one, last)
        for guess in self._found:
            about = guess.causal if sort == CAUSE else guess.state
            if about or (sort == CAUSE and not guess.first.isdisjoint(words)):
                least = words if about and sort == CAUSE else guess.words
                if _same(guess, words, names, least) and not self._settled(guess, one.sentence):
                    return guess
        return None

    def _is_label(self, number: int) -> bool:
        """A label or a heading says nothing by itself; the next sentence is read with it."""
        sentence = self._findings.sentences[number]
        text = sentence.text[sentence.start : sentence.end]
        is_short = text.endswith(":") or len(text[:_REACH].split()) <= _LABEL_WORDS
        return is_short and number + 1 < len(self._findings.sentences)

    def _settled(self, guess: Guess, number: int) -> bool:
        """Tell whether a sentence from the guess to the fact behind it tells of a check."""
        first = number if guess.sentence < 0 else min(guess.sentence, number)
        return bisect_left(self._checked, first) < bisect_right(self._checked, number)


def guessed_verdict(found: Verdict | None, guess: Guess, sort: str) -> Verdict | None:
    """Return the verdict on a claim of this ``sort`` that is a guess elsewhere in the turn.

    ``found`` is what the ledger says; what it shows to hold, or not to, stands.
    """
    if found and found.status not in (QUALIFIED, NOT_CHECKABLE, UNSUPPORTED):
        return found
    if guess.open and sort != CAUSE:
        return found
    if found and found.status == UNSUPPORTED and sort != CAUSE:
        return found
    text = " ".join(guess.text.split())
    shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
    if guess.open:
        return Verdict(QUALIFIED, f'the message also gives it as a guess to check ("{shown}")')
    if guess.sentence < 0:
        why = f'earlier in the turn it was a guess, and no tool was asked since ("{shown}")'
        return Verdict(UNSUPPORTED, why)
    return Verdict(UNSUPPORTED, f'the message also gives it as a guess ("{shown}")')


def _guesses(findings: Findings) -> Iterator[Guess]:
    """Yield what the hedges of a text give as guesses."""
    for one in _hedges(findings):
        candidate, sentence = one.candidate, findings.sentences[one.sentence]
        start, end = _clause(sentence, candidate.start, candidate.end)
        said = sentence.text[sentence.start : sentence.end][: 2 * _REACH].split()
        clause = sentence.text[start:end]
        if (
            not TOLD_BACK.isdisjoint(said)
            or not ADDED.isdisjoint(clause.split())
            or _denied(sentence, start, end)
        ):
            continue
        before, names = _content(findings, start, candidate.start)
        behind, more = _content(findings, candidate.end, end)
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
        if marker.kind == _GUESS and marker.id not in NO_GUESS and one.filter not in _NOT_GUESSING:
            yield one


def _is_open(one: Kept, findings: Findings) -> bool:
    """Tell whether the guess comes with an offer to check it, or the next sentence admits it."""
    if one.filter == _OFFER:
        return True
    behind = findings.sentences[one.sentence + 1 : one.sentence + 2]
    return any(map(_admits, behind))


def _admits(sentence: Sentence) -> bool:
    """Tell whether the sentence says that something was not checked."""
    return any(cue.marker.id == "cue.disclosure" for cue in sentence.cues)


def _denied(sentence: Sentence, start: int, end: int) -> bool:
    cues = (cue for cue in sentence.cues if cue.marker.id == "cue.negation")
    return any(start <= cue.start < end for cue in cues)


def _clause(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """Return the folded clause around a hedge; "most likely, X" and "X, I think, is" are one."""
    text = sentence.text
    first, last = max(sentence.start, start - _REACH), min(sentence.end, end + _REACH)
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


def _content(findings: Findings, start: int, end: int) -> tuple[frozenset[str], frozenset[str]]:
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


def _stated(findings: Findings, one: Kept, last: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return the content words of a stated claim, and those of them that stand in code."""
    candidate = one.candidate
    start = max(findings.sentences[one.sentence].start, candidate.start - _REACH)
    end = min(findings.sentences[last].end, candidate.end + _REACH)
    before, names = _content(findings, start, candidate.start)
    behind, more = _content(findings, candidate.end, end)
    return before | behind, names | more


def _same(
    guess: Guess, words: frozenset[str], names: frozenset[str], least: frozenset[str]
) -> bool:
    """Tell whether guess and fact share most words of the shorter one of guess and ``least``."""
    named = guess.names & names
    common = guess.words & words
    weight = len(common) + len(common & named)
    shorter = min(guess.words, least, key=len)
    whole = len(shorter) + len(shorter & named)
    is_all = common == guess.words == words
    return (weight >= _FEWEST or (is_all and guess.causal)) and weight >= _SHARE * whole
