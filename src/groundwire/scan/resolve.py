"""Which of the overlapping occurrences are kept: leftmost, then longest, blockers first.

Each kind is resolved by itself against the blockers, so different kinds may overlap. Context words
compete within one cue only; blockers do not touch them.
"""

from __future__ import annotations

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


def _precedence(candidate: Candidate) -> tuple[int, int, bool, bool, str]:
    """Leftmost, longest, blockers before markers, faint markers last."""
    marker = candidate.marker
    faint = marker.strength == FAINT
    return candidate.start, -candidate.end, marker.kind != BLOCKER, faint, marker.id


def _resolve_group(
    group: list[Candidate],
    blockers: list[Candidate],
    kept: list[Candidate],
    blocked: list[tuple[Candidate, Marker]],
) -> None:
    taken = 0
    winner: Marker | None = None
    order = sorted(group + blockers, key=_precedence)
    for candidate in order:
        if candidate.start >= taken:
            taken, winner = candidate.end, candidate.marker
            if candidate.marker.kind != BLOCKER:
                kept.append(candidate)
        elif winner and winner.kind == BLOCKER and candidate.marker.kind != BLOCKER:
            blocked.append((candidate, winner))
