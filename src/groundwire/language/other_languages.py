"""Messages in other languages: their scanners, and what takes a claim back in them.

Their sentences are not parsed: a word that withdraws, anywhere in the clause of a claim, is enough,
and so is a failure that the message tells anywhere. What is missed so is not stopped.
"""

from __future__ import annotations

from groundwire.base.budget import UNWATCHED
from groundwire.base.model import FAINT, TOLD, Candidate
from groundwire.base.rules import language_rules, language_vocabulary, shipped_rules
from groundwire.language.automaton import Scanner, is_bounded
from groundwire.language.candidates import Dropped, standing
from groundwire.language.detect import LANGUAGES, SIMPLIFIED, language_of, unchecked
from groundwire.language.fold import sentence_spans
from groundwire.language.translation import gloss, words_of_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.base.budget import Watch
    from groundwire.base.model import Marker
    from groundwire.base.rules import RuleSet
    from groundwire.language.candidates import Kept
    from groundwire.language.fold import Folded, Sentence
    from groundwire.language.translation import Gloss, Words

#: Languages whose words stand together, or take endings that are no part of a form.
UNSPACED = ("ja", "ko", "zh")
#: An apostrophe or a hyphen parts words here: "l'erreur", "Unit-Tests".
_INSIDE_WORDS = frozenset("./")
#: Words of negations, conditions, plans and doubts; endings that make another form of a word;
#: words that begin a clause; and words of a failure that stands.
_WITHDRAWS, _TAIL, _CLAUSE, _FAILURE = "cue.withdrawn", "cue.tail", "cue.clause", "cue.failure"
_GUESSES = "speculation_language"
_STATUS = ("completeness_claim", "ungrounded_behavioral_assertion", "certainty_language")
_MARKS = frozenset(",;:()\u2013\u2014\x1d\u2026")
_QUESTION = "\uff1f"


class ForeignScanner(Scanner):
    """Finds the forms of a language in which words may have no blanks between them.

    ``base`` is the scanner for English; what its rules have beside the shipped ones is found, too.
    """

    def __init__(self, rules: RuleSet, language: str, base: Scanner | None = None) -> None:
        self.language = language
        self._shipped = shipped_rules()
        own = base is not None and base.rules.markers != self._shipped.markers
        self._base = base if own else None
        # the words of a text without blanks tell nothing, so all forms are looked for
        once = base is not None and base.once and language not in UNSPACED
        expressions = base.rules.expressions if base else rules.expressions
        super().__init__(rules.replace(expressions=expressions), once=once)
        self.english = base
        self.words: Words | None = None

    def scan(self, text: str) -> list[Candidate]:
        """Return every occurrence of a form, between word boundaries where words have any."""
        occurrences = self._occurrences(text)
        free = self.language in UNSPACED
        candidates = [
            Candidate(start, end, marker)
            for start, end, rows in occurrences
            if free or is_bounded(text, start, end, _INSIDE_WORDS)
            for marker in self._markers_of(rows)
        ]
        if self._base:
            known = self._shipped.row_of
            candidates += [one for one in self._base.scan(text) if known(one.marker.id) is None]
        return candidates

    def marker_of(self, marker_id: str) -> Marker | None:
        """Return the marker with this id; those of numbers and references are the English ones."""
        return super().marker_of(marker_id) or (
            self.english.marker_of(marker_id) if self.english else None
        )


def in_english(
    folded: Folded, scanner: ForeignScanner, watch: Watch
) -> tuple[Words, Gloss, list[Candidate]]:
    """Return the words of a language, a message with them in English, and its faint statements.

    These are the everyday words of English that are markers, where the gloss has their context.
    """
    if scanner.words is None:
        scanner.words = words_of_language(scanner.language, free=scanner.language in UNSPACED)
    read = gloss(folded, scanner.words)
    if not scanner.english:
        return scanner.words, read, []
    text, spans = read.english.text, sentence_spans(read.english)
    everyday = [one for one in scanner.english.scan(text) if one.marker.strength == FAINT]
    starts, contexts = [0, *[start for start, _ in spans[1:]]], scanner.english.contexts
    faint = standing(everyday, text, spans, starts, contexts, [], watch)
    spots = [Candidate(*read.span(one.start, one.end), one.marker) for one in faint]
    return scanner.words, read, spots


def scanner_for(text: str, scanner: Scanner, watch: Watch) -> tuple[str, Scanner]:
    """Return the language of folded ``text`` and the scanner for it.

    ``scanner``, that for English, keeps the others, and is used where there is none; ``watch`` then
    notes that nothing is checked.
    """
    language = language_of(text, language_vocabulary)
    if language not in LANGUAGES:
        if (name := unchecked(language)) and watch is not UNWATCHED:  # which all share
            watch.notes[f"not checked: the message is in {name}, which has no markers"] = None
        return language, scanner
    if language not in scanner.others:
        rules = language_rules(language)
        scanner.others[language] = ForeignScanner(rules, language, scanner)
    return language, scanner.others[language]


def simplified(folded: Folded) -> Folded:
    """Return a Chinese message with simplified characters in place of traditional ones."""
    return folded.replace(text=folded.text.translate(SIMPLIFIED))


def not_withdrawn(
    kept: Sequence[Kept], sentences: Sequence[Sentence], dropped: list[Dropped]
) -> tuple[list[Kept], tuple[Sentence, ...]]:
    """Return the candidates that nothing takes back, and the sentences; the others are dropped.

    A failure inside a candidate ("no test fails") is none, and no cue of the sentence.
    """
    by_sentence: dict[int, list[Candidate]] = {}
    for one in kept:
        by_sentence.setdefault(one.sentence, []).append(one.candidate)
    sentences = tuple(
        _without_failures(sentence, by_sentence.get(number, ()))
        for number, sentence in enumerate(sentences)
    )
    admits = any(cue.marker.id == _FAILURE for one in sentences for cue in one.cues)
    standing_ones = []
    for one in kept:
        reason = _reason(one.candidate, sentences[one.sentence], admits)
        if reason:
            dropped.append(Dropped(one.candidate, *reason))
        else:
            standing_ones.append(one)
    return standing_ones, sentences


def _without_failures(sentence: Sentence, inside: Sequence[Candidate]) -> Sentence:
    if not inside:
        return sentence
    cues = tuple(
        cue
        for cue in sentence.cues
        if cue.marker.id != _FAILURE
        or not any(one.start <= cue.start < cue.end <= one.end for one in inside)
    )
    return sentence if len(cues) == len(sentence.cues) else sentence.replace(cues=cues)


def _reason(candidate: Candidate, sentence: Sentence, admits: bool) -> tuple[str, str] | None:
    """Return filter and reason for which a candidate falls, None when it stands."""
    if sentence.text[sentence.start : sentence.end].endswith(_QUESTION):
        return "question", "it is asked, not stated"
    if any(cue.marker.id == _TAIL and cue.start == candidate.end for cue in sentence.cues):
        return "condition", "its ending makes it a condition or a question"
    if candidate.marker.kind == _GUESSES:
        return None
    is_word = candidate.marker.strength == FAINT and candidate.marker.claim != TOLD
    start, end = (sentence.start, sentence.end) if is_word else _clause(candidate, sentence)
    if any(
        cue.marker.id == _WITHDRAWS
        and start <= cue.start < end
        and not (candidate.start <= cue.start < candidate.end)
        for cue in sentence.cues
    ):
        return "negation", "a word of its clause takes it back"
    if admits and candidate.marker.kind in _STATUS:
        return "disclosure", "the message tells a failure itself"
    return None


def _clause(candidate: Candidate, sentence: Sentence) -> tuple[int, int]:
    """Return the stretch between punctuation or conjunctions around a candidate."""
    text, start, end = sentence.text, candidate.start, candidate.end
    while start > sentence.start and text[start - 1] not in _MARKS:
        start -= 1
    while end < sentence.end and text[end] not in _MARKS:
        end += 1
    for cue in sentence.cues:
        if cue.marker.id == _CLAUSE:
            if cue.end <= candidate.start:
                start = max(start, cue.end)
            elif cue.start >= candidate.end:
                end = min(end, cue.start)
    return start, end
