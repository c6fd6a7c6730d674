"""Which candidates of a message are kept: overlaps resolved, context patterns of markers asked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from groundwire.base.model import BLOCKER, CUE, FAINT, Candidate, Marker
from groundwire.base.record import Record
from groundwire.base.rules import words_of
from groundwire.language.automaton import Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.base.budget import Watch

#: Share of a turn's time after which no further candidate is looked at.
SHARE = 0.5
#: Candidates between two looks at the clock, less one; all ones in binary.
SELDOM = 3


class Kept(Record):
    """A candidate that no filter dropped; ``milder`` names its milder use, if it has one."""

    candidate: Candidate
    sentence: int  # index into Findings.sentences
    milder: str = ""
    filter: str = ""


class Dropped(Record):
    """A candidate that was dropped, by which filter and why."""

    candidate: Candidate
    filter: str
    reason: str


def resolve(
    candidates: Iterable[Candidate],
) -> tuple[list[Candidate], list[tuple[Candidate, Marker]]]:
    """Return the kept candidates by position, and those that a blocker took, with the blocker."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(_group(candidate.marker), []).append(candidate)
    blockers = groups.pop(BLOCKER, [])
    kept: list[Candidate] = []
    blocked: list[tuple[Candidate, Marker]] = []
    for group in groups.values():
        against = [] if group[0].marker.kind == CUE else blockers
        _resolve_group(group, against, kept, blocked)
    kept.sort(key=lambda c: (c.start, -c.end, c.marker.id))
    blocked.sort(key=lambda pair: (pair[0].start, -pair[0].end, pair[0].marker.id))
    return kept, blocked


def _group(marker: Marker) -> str:
    return marker.id if marker.kind == CUE else marker.kind


def _precedence(candidate: Candidate) -> tuple[bool, int, int, bool, str]:
    """Faint markers last; then leftmost, longest, blockers before markers."""
    marker = candidate.marker
    faint = marker.strength == FAINT
    return faint, candidate.start, -candidate.end, marker.kind != BLOCKER, marker.id


def _resolve_group(
    group: list[Candidate],
    blockers: list[Candidate],
    kept: list[Candidate],
    blocked: list[tuple[Candidate, Marker]],
) -> None:
    starts: list[int] = []
    firm: list[Candidate] = []  # kept or blocking, and not faint
    free = 0
    for candidate in sorted(group + blockers, key=_precedence):
        at = bisect_left(starts, candidate.end)  # the last firm one that begins before its end
        winner = firm[at - 1] if at and firm[at - 1].end > candidate.start else None
        if winner is None and candidate.marker.strength == FAINT:
            if candidate.start >= free:
                free = candidate.end
                kept.append(candidate)
        elif winner is None:
            starts.append(candidate.start)
            firm.append(candidate)
            if candidate.marker.kind != BLOCKER:
                kept.append(candidate)
        elif winner.marker.kind == BLOCKER and candidate.marker.kind != BLOCKER:
            blocked.append((candidate, winner.marker))


def standing(
    candidates: list[Candidate],
    text: str,
    spans: list[tuple[int, int]],
    starts: list[int],
    contexts: dict[str, Context],
    dropped: list[Dropped],
    watch: Watch,
) -> list[Candidate]:
    """Return the candidates whose own context patterns hold; the others go to ``dropped``.

    ``contexts`` holds the patterns of markers that were asked before, by marker id.
    """
    kept = []
    sentence_words: dict[int, list[str]] = {}
    number = 0

    def words() -> list[str]:
        if number not in sentence_words:
            start, end = spans[number]
            sentence_words[number] = words_of(text[start:end])
        return sentence_words[number]

    for place, candidate in enumerate(candidates):
        if not place & SELDOM and watch.is_over("the end of the message", SHARE):
            break
        marker = candidate.marker
        if not (marker.only or marker.unless):
            kept.append(candidate)
            continue
        context = contexts.get(marker.id)
        if context is None:
            context = contexts[marker.id] = Context(marker.only, marker.unless)
        number = bisect_right(starts, candidate.start) - 1
        broken = context.breaks(text, candidate.start, candidate.end, spans[number], words)
        if not broken:
            kept.append(candidate)
        elif marker.kind != CUE:
            dropped.append(Dropped(candidate, "context-pattern", broken))
    return kept
