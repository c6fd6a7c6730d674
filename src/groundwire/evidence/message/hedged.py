"""A statement that the same turn elsewhere gives as a guess.

The message calls a cause a guess in one sentence and a fact in another one, or an earlier text of
the turn guessed it and no tool call since could have settled it. A guess with an offer to check it,
or with the word that it was not checked, is disclosure.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from groundwire.evidence.message.claims import CAUSE, HEDGED_SORTS
from groundwire.evidence.message.guesses import (
    GUESS,
    REACH,
    Guess,
    admits,
    content_between,
    guesses_in,
)
from groundwire.evidence.message.hedged_words import CHECKED
from groundwire.model import NOT_CHECKABLE, QUALIFIED, UNSUPPORTED, Verdict
from groundwire.scan.find import Findings, Kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Share of the words of the shorter statement that the other one repeats, and the fewest of them.
#: A name in code counts twice.
_SHARE = 0.75
_FEWEST = 2
#: Different guesses of a turn that are compared.
_MOST = 64
_LABEL_WORDS = 4
_SHOWN = 60


class Guesses:
    """The guesses of a message and of the earlier texts of its turn."""

    __slots__ = ("_checked", "_findings", "_found", "_hedged")

    def __init__(self, findings: Findings, earlier: Sequence[Findings] = ()) -> None:
        """Collect them, linear in the texts; ``earlier`` are those that nothing has settled."""
        found: dict[tuple[frozenset[str], bool], Guess] = {}
        for guess in guesses_in(findings):
            found.setdefault((guess.words, guess.causal), guess)
        for text in earlier:
            for guess in guesses_in(text):
                found.setdefault((guess.words, guess.causal), guess.replace(sentence=-1))
        self._findings = findings
        self._found = list(found.values())[:_MOST]
        hedges = (one for one in findings.kept if one.candidate.marker.kind == GUESS)
        self._hedged = {one.sentence for one in hedges}
        self._checked = [
            number
            for number, sentence in enumerate(findings.sentences)
            if not CHECKED.isdisjoint(sentence.text[sentence.start : sentence.end].split())
            and not admits(sentence)
        ]

    def repeated_by(self, one: Kept) -> Guess | None:
        """Return the guess that the claim ``one`` states as a fact; None when there is none."""
        sort = one.candidate.marker.claim
        if not self._found or one.candidate.marker.kind == GUESS or sort not in HEDGED_SORTS:
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
        is_short = text.endswith(":") or len(text[:REACH].split()) <= _LABEL_WORDS
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


def _stated(findings: Findings, one: Kept, last: int) -> tuple[frozenset[str], frozenset[str]]:
    """Return the content words of a stated claim, and those of them that stand in code."""
    candidate = one.candidate
    start = max(findings.sentences[one.sentence].start, candidate.start - REACH)
    end = min(findings.sentences[last].end, candidate.end + REACH)
    before, names = content_between(findings, start, candidate.start)
    behind, more = content_between(findings, candidate.end, end)
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
