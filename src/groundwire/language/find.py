"""The language stage: from a message to the candidates that hold, and why others were dropped.

Each kind is resolved by itself against the blockers, so different kinds may overlap. Faint markers
only get what the others leave. Context words compete within one cue; blockers do not touch them.
"""

from __future__ import annotations

from bisect import bisect_right

from groundwire.base.budget import UNWATCHED
from groundwire.base.model import CUE, Candidate
from groundwire.base.record import Record
from groundwire.language.automaton import Scanner
from groundwire.language.candidates import SELDOM, SHARE, Dropped, Kept, resolve, standing
from groundwire.language.filters import FILTERS, MILDER, Filter, sections_of, signs_of
from groundwire.language.fold import Folded, Sentence, fold, sentence_spans
from groundwire.language.markdown import mask
from groundwire.language.numbers import find_numbers, quantity_candidates
from groundwire.language.references import Reference, find_references, reference_candidates
from groundwire.language.statements import stating_sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from groundwire.base.budget import Watch
    from groundwire.language.translation import Gloss, Words


#: Share of a turn's time after which no further candidate is filtered.
_FILTERED = 0.65
#: Words of English alone, of which it has one in so many characters, or its language is looked for.
_ENGLISH, _DENSITY = (" the ", " and ", " that ", " with "), 120


class Findings(Record):
    """What the language of a message gives, before any look at the evidence.

    ``scanned`` is all that the automaton found, before resolution; ``references`` are what the
    candidates of references refer to. ``language`` is "" for English, else a key of ``NAMES``, and
    ``words`` has the words of it that readers of English know.
    """

    folded: Folded
    sentences: tuple[Sentence, ...]
    kept: tuple[Kept, ...]
    dropped: tuple[Dropped, ...]
    scanned: tuple[Candidate, ...] = ()
    references: Mapping[Candidate, Reference] = {}
    language: str = ""
    words: Words | None = None

    def plain(self, span: slice) -> str:
        """Return a stretch of the masked message in lower case, with English words where known."""
        text = self.folded.masked[span].lower()
        return self.words.english(text) if self.words else text


def find(
    text: str,
    scanner: Scanner,
    filters_off: tuple[str, ...] = (),
    *,
    cited: bool = False,
    watch: Watch = UNWATCHED,
) -> Findings:
    """Run mask, fold, scan, resolution and context filters over ``text``. Linear in its length.

    ``cited``: references are candidates, too. Whether somebody knows them is for the evidence.
    What ``watch`` has no time for is left out, and so is a reader that fails.
    """
    folded = fold(text, mask(text))
    language, size = scanner.language, len(folded.text)
    if not language and _DENSITY * sum(map(folded.text.count, _ENGLISH)) < size:
        from groundwire.language.other_languages import scanner_for, simplified

        language, scanner = scanner_for(folded.text, scanner, watch)
        folded = simplified(folded) if language == "zh" else folded
    spans = sentence_spans(folded)
    starts = [0, *[start for start, _ in spans[1:]]]  # for ``bisect_right``
    scanned = scanner.scan(folded.text)
    attempt = watch.attempt
    words, source, faint = None, folded, []
    if scanner.language:
        from groundwire.language.other_languages import in_english

        unread: tuple[None, Folded, list[Candidate]] = (None, folded, [])
        words, source, faint = attempt("words", in_english, unread, folded, scanner, watch)
    references = attempt("references", _references, {}, source, scanner) if cited else {}
    candidates = [*scanned, *references]
    if not watch.is_over("quantities", SHARE):
        candidates += attempt("quantities", _quantities, (), source, scanner)
    if not watch.is_over("contradictions", SHARE):
        candidates += attempt("contradictions", _contradictions, (), source, scanner, spans)
    if scanner.rules.expressions:  # few have any
        candidates += attempt("expressions", _expressions, (), folded, scanner, watch)
    dropped: list[Dropped] = []
    holding = standing(candidates, folded.text, spans, starts, scanner.contexts, dropped, watch)
    resolved, blocked = resolve([*holding, *faint])
    dropped.extend(Dropped(one, "blocker", by.id) for one, by in blocked)
    sentences = _sentences(folded, spans, starts, resolved)
    kept = _apply_filters(resolved, sentences, starts, filters_off, dropped, watch)
    if scanner.language:
        from groundwire.language.other_languages import not_withdrawn

        kept, sentences = not_withdrawn(kept, sentences, dropped)
    dropped.sort(key=lambda one: (one.candidate.start, one.candidate.end, one.candidate.marker.id))
    parts = (folded, sentences, tuple(kept), tuple(dropped), (*scanned, *faint), references)
    return Findings(*parts, language, words)


def _apply_filters(
    resolved: list[Candidate],
    sentences: tuple[Sentence, ...],
    starts: list[int],
    filters_off: tuple[str, ...],
    dropped: list[Dropped],
    watch: Watch,
) -> list[Kept]:
    """Return the markers that no context filter drops; the others go to ``dropped``."""
    active = [one for one in FILTERS if one.name not in filters_off]
    filters_by_signs: dict[tuple[str, frozenset[str]], tuple[Filter, ...]] = {}
    signs_by_sentence: dict[int, frozenset[str]] = {}
    kept = []
    for place, candidate in enumerate(resolved):
        if not place & SELDOM and watch.is_over("the end of the message", _FILTERED):
            break
        kind = candidate.marker.kind
        if kind == CUE:
            continue
        index = bisect_right(starts, candidate.start) - 1
        sentence = sentences[index]
        signs = signs_by_sentence.get(index)
        if signs is None:
            signs = signs_by_sentence[index] = signs_of(sentence)
        filters = filters_by_signs.get((kind, signs))
        if filters is None:
            filters = filters_by_signs[kind, signs] = tuple(_filters_for(active, kind, signs))
        outcome = _outcome(candidate, sentence, index, filters)
        if isinstance(outcome, Kept):
            kept.append(outcome)
        else:
            dropped.append(outcome)
    return kept


def _filters_for(active: list[Filter], kind: str, signs: frozenset[str]) -> list[Filter]:
    """Return the filters that may hold for a candidate in a sentence with these signs."""
    return [
        one
        for one in active
        if one.applies(kind) and not (one.signs and signs.isdisjoint(one.signs))
    ]


def _quantities(source: Folded | Gloss, scanner: Scanner) -> list[Candidate]:
    spots = quantity_candidates(find_numbers(source.masked), source.masked)
    return _candidates(((*source.stretch(start, end), name) for start, end, name in spots), scanner)


def _contradictions(
    source: Folded | Gloss, scanner: Scanner, spans: list[tuple[int, int]]
) -> list[Candidate]:
    """Return the later one of each pair of statements that exclude each other.

    ``spans`` are the sentences of a message in English.
    """
    folded, span = (source, _same) if isinstance(source, Folded) else (source.english, source.span)
    if folded is not source:
        spans = sentence_spans(folded)
    stating = stating_sentences(folded, spans)
    if not stating:
        return []
    from groundwire.language.contradictions import find_contradictions  # few messages need it

    last = scanner.language in ("ja", "ko", "zh")
    spots = find_contradictions(folded, spans, stating, last=last)
    return _candidates(((*span(start, end), name) for start, end, _, _, name in spots), scanner)


def _same(start: int, end: int) -> tuple[int, int]:
    return start, end


def _expressions(folded: Folded, scanner: Scanner, watch: Watch) -> list[Candidate]:
    from groundwire.language.expressions import find_expressions

    spots = find_expressions(folded.masked, scanner.rules.expressions, watch, SHARE)
    return _candidates(((*folded.stretch(start, end), name) for start, end, name in spots), scanner)


def _references(source: Folded | Gloss, scanner: Scanner) -> dict[Candidate, Reference]:
    references = {}
    last = not isinstance(source, Folded)
    cited = find_references(source.original, source.masked, verbs_last=last)
    for name, reference in reference_candidates(cited):
        spot = (*source.stretch(reference.start, reference.end), name)
        references.update(dict.fromkeys(_candidates([spot], scanner), reference))
    return references


def _candidates(spots: Iterable[tuple[int, int, str]], scanner: Scanner) -> list[Candidate]:
    """Return candidates for ``(start, end, marker id)`` whose marker is in the rule set."""
    candidates = []
    for start, end, name in spots:
        marker = scanner.marker_of(name)
        if marker and start < end:
            candidates.append(Candidate(start, end, marker))
    return candidates


def _sentences(
    folded: Folded, spans: list[tuple[int, int]], starts: list[int], resolved: list[Candidate]
) -> tuple[Sentence, ...]:
    cues: list[list[Candidate]] = [[] for _ in spans]
    for candidate in resolved:
        if candidate.marker.kind == CUE:
            cues[bisect_right(starts, candidate.start) - 1].append(candidate)
    text, quotes, sections = folded.text, _places('"', folded.text), sections_of(folded)
    blocks = iter(folded.blocks)
    role, around = "", (0, 0)
    sentences = []
    for (start, end), inside in zip(spans, cues, strict=True):
        while start >= around[1]:
            block = next(blocks)
            role, around = block.role, (block.start, block.end)
        section = sections.get(around[0], "")
        sentences.append(Sentence(text, start, end, role, around, tuple(inside), quotes, section))
    return tuple(sentences)


def _places(mark: str, text: str) -> list[int]:
    places, at = [], -1
    while (at := text.find(mark, at + 1)) >= 0:
        places.append(at)
    return places


def _outcome(
    candidate: Candidate, sentence: Sentence, index: int, active: tuple[Filter, ...]
) -> Kept | Dropped:
    """Ask the filters in order; the mildest use wins unless one of them drops."""
    milder, name = "", ""
    for one in active:
        if not one.holds(candidate, sentence):
            continue
        if not one.milder:
            return Dropped(candidate, one.name, one.reason)
        if not milder or MILDER.index(one.milder) > MILDER.index(milder):
            milder, name = one.milder, one.name
    return Kept(candidate, index, milder, name)
