"""Which of the overlapping occurrences are kept: leftmost, then longest, blockers first.

Each kind is resolved by itself against the blockers, so different kinds may overlap. Faint markers
only get what the others leave. Context words compete within one cue; blockers do not touch them.
"""

from __future__ import annotations

from bisect import bisect_left

from groundwire.model import BLOCKER, CUE, FAINT, Candidate, Marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


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
