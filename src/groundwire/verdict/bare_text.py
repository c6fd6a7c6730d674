"""The score of bare text: a message of which only its words are known (DESIGN section 5).

    confidence = round_half_up(100 * sigmoid(sum of weight * value))

Five factors and ``context``, the value of a milder use; the values are logits. The number is meant
as the probability that a fair reviewer would challenge the statement.
"""

from __future__ import annotations

from bisect import bisect_left
from math import log

from groundwire.base.model import FAINT, Factor, logit, percent
from groundwire.base.record import Record
from groundwire.language.paths import find_paths
from groundwire.language.references import is_output, split_lines
from groundwire.verdict.disclosures import tells_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundwire.base.settings import Bare, Settings
    from groundwire.language.candidates import Kept
    from groundwire.language.find import Findings

#: ``text_length``: the value for short messages, its negative for long ones.
LENGTH_VALUE = 0.48
#: ``context_density``: for each other match in the paragraph, up to three.
DENSITY_VALUE = 0.25
DENSITY_MATCHES = 3
#: ``category_stacking``: with another kind in the sentence.
STACKING_VALUE = 1.1
_GUESSES = "speculation_language"
#: Claims that are mild where nothing is known of the turn: ignorance that is told as such, and a
#: document that is named. Whether it was opened, only the turn can say.
_TOLD = frozenset(("doubt", "source"))
#: Kinds that are mild in a sentence that tells of a failure.
_REPORTS = ("completeness_claim", "ungrounded_behavioral_assertion", "pseudo_quantification")


class Circumstances(Record):
    """What stands around one match; ``neighbours`` are the other matches of its paragraph."""

    words: int
    near_evidence: bool = False
    neighbours: int = 0
    stacked: bool = False
    context: float = 0.0


def weigh(
    findings: Findings, kept: Sequence[Kept], settings: Settings
) -> list[tuple[int, tuple[Factor, ...]]]:
    """Return the confidence and the factors of each kept candidate. Linear in the message."""
    scores: dict[tuple[object, ...], tuple[int, tuple[Factor, ...]]] = {}
    weighed = []
    for match, seen in zip(kept, circumstances(findings, kept, settings), strict=True):
        strength = match.candidate.marker.strength
        near, others, context = seen.near_evidence, seen.neighbours, seen.context
        key = (strength, near, others, seen.stacked, context)
        known = scores.get(key)  # all of a message have its length; most have one like them
        if known is None:
            known = scores[key] = score(strength, seen, settings)
        weighed.append(known)
    return weighed


def score(strength: str, seen: Circumstances, settings: Settings) -> tuple[int, tuple[Factor, ...]]:
    """Return the confidence of one match and its factors with their points.

    The points of a factor are the change in confidence when that factor is removed.
    """
    values = {
        "pattern_strength": logit(getattr(settings.strengths, strength)),
        "text_length": length_value(seen.words, settings.bare),
        "evidence_proximity": settings.bare.nearby if seen.near_evidence else 0.0,
        "context_density": DENSITY_VALUE * min(seen.neighbours, DENSITY_MATCHES),
        "category_stacking": STACKING_VALUE if seen.stacked else 0.0,
        "context": seen.context,
    }
    weights = {name: getattr(settings.weights, name) for name in values}
    total = sum(weights[name] * value for name, value in values.items())
    confidence = percent(total)
    factors = tuple(
        [
            Factor(name, weights[name], value, confidence - percent(total - weights[name] * value))
            for name, value in values.items()
        ]
    )
    return confidence, factors


def circumstances(
    findings: Findings, kept: Sequence[Kept], settings: Settings
) -> list[Circumstances]:
    """Return what stands around each kept candidate.

    Everyday words ("all", "now") neither gain from other matches nor lend them anything; milder
    uses lend nothing.
    """
    most = settings.bare.long_words  # more make no difference
    words = len(findings.folded.text.split(maxsplit=most))
    near = near_evidence(findings, kept)
    failing = _failing_sentences(findings, kept)
    contexts = [_context(match, match.sentence in failing, settings) for match in kept]
    paragraphs: dict[int, set[int]] = {}
    sentences: dict[int, dict[str, set[int]]] = {}
    groups = _group_numbers(findings, kept)
    for match, group, context in zip(kept, groups, contexts, strict=True):
        if match.candidate.marker.strength != FAINT and not context:
            paragraphs.setdefault(_paragraph(findings, match), set()).add(group)
            kinds = sentences.setdefault(match.sentence, {})
            kinds.setdefault(match.candidate.marker.kind, set()).add(group)
    surroundings = []
    for match, group, context in zip(kept, groups, contexts, strict=True):
        gains = match.candidate.marker.strength != FAINT
        neighbours = paragraphs.get(_paragraph(findings, match), set()) if gains else set()
        others = len(neighbours) - (group in neighbours)
        stacked = gains and _is_stacked(sentences.get(match.sentence, {}), match, group)
        surroundings.append(Circumstances(words, match.sentence in near, others, stacked, context))
    return surroundings


def near_evidence(findings: Findings, kept: Sequence[Kept]) -> frozenset[int]:
    """Return which sentences of matches have a file reference or command output near.

    That is, in them, in a neighbouring sentence, or in a block directly before or after.
    """
    folded, sentences = findings.folded, findings.sentences
    spans = {}
    for number in dict.fromkeys(match.sentence for match in kept):
        begin = folded.origin(sentences[number - 1].start) if number else 0
        behind = sentences[number + 2].start if number + 2 < len(sentences) else None
        limit = len(folded.original) if behind is None else folded.origin(behind)
        spans[number] = begin, limit
    spots = locations(folded.original, folded.masked, spans.values()) if spans else []
    return frozenset(
        number
        for number, (begin, limit) in spans.items()
        if (at := bisect_left(spots, begin)) < len(spots) and spots[at] < limit
    )


def locations(original: str, masked: str, spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return where a reader is told to look, ascending: files with extension or line, and output.

    Prose is read only in lines that touch one of the ``spans``, ascending stretches of the message.
    """
    lines, fences = split_lines(original, masked)
    places = [fence[0] for fence in fences if is_output(original, *fence)]
    for line in _touching_lines(lines, spans):
        spots = find_paths(original, *line)
        places.extend(spot.start for spot in spots if spot.line or spot.has_extension)
    return sorted(places)


def _touching_lines(
    lines: list[tuple[int, int]], spans: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    at = 0
    for start, end in spans:
        while at < len(lines) and lines[at][1] < start:
            at += 1
        while at < len(lines) and lines[at][0] < end:
            kept.append(lines[at])
            at += 1
    return kept


def length_value(words: int, bare: Bare) -> float:
    """Return the value of ``text_length``: linear in log(words) between the two bounds."""
    short, long = bare.short_words, max(bare.long_words, bare.short_words + 1)
    part = log(min(max(words, short), long) / short)
    return LENGTH_VALUE * (1 - 2 * part / log(long / short))


def _failing_sentences(findings: Findings, kept: Sequence[Kept]) -> frozenset[int]:
    """Return which sentences of reports tell of a failure."""
    numbers = {one.sentence for one in kept if one.candidate.marker.kind in _REPORTS}
    folded, sentences = findings.folded, findings.sentences
    return frozenset(one for one in numbers if tells_failure(sentences[one], folded))


def _context(match: Kept, failing: bool, settings: Settings) -> float:
    value: float = getattr(settings.context, match.milder) if match.milder else 0.0
    marker = match.candidate.marker
    mild = marker.claim in _TOLD or (failing and marker.kind in _REPORTS)
    return min(value, settings.context.plan) if mild else value


def _paragraph(findings: Findings, match: Kept) -> int:
    return findings.sentences[match.sentence].block[0]


def _is_stacked(kinds: dict[str, set[int]], match: Kept, group: int) -> bool:
    own = match.candidate.marker.kind
    return any(kind != own and others != {group} for kind, others in kinds.items())


def _group_numbers(findings: Findings, kept: Sequence[Kept]) -> list[int]:
    """Number the matches; overlapping ones share a number, and one claim told twice in a paragraph.

    A guess that comes twice is more of a guess, so guesses do not.
    """
    groups: list[int] = []
    by_claim: dict[tuple[int, str], int] = {}
    reach = current = -1
    for number, match in enumerate(kept):
        candidate = match.candidate
        if candidate.start >= reach:
            current = number
        reach = max(reach, candidate.end)
        if candidate.marker.claim and candidate.marker.kind != _GUESSES:
            claim = (_paragraph(findings, match), candidate.marker.claim)
            current = by_claim.setdefault(claim, current)
        groups.append(current)
    return groups
