"""Thresholds by votes: right answers that each would hold back, wrong ones it would let through."""

from __future__ import annotations

from groundwire.base.record import Record
from groundwire_confidence.assessment import Share, reaches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: A proposal needs so many votes.
LEAST_VOTES = 50
STEPS = tuple(round(0.05 * step, 2) for step in range(1, 20))


class Cut(Record):
    """A threshold from 0 to 1: right answers that it holds back, wrong ones that it lets through.

    ``held`` is of all right answers, ``passed`` of all wrong ones.
    """

    threshold: float
    held: Share
    passed: Share


def cuts(
    rated: Sequence[tuple[float, bool]],
    thresholds: Iterable[float] = STEPS,
    *,
    high_is_bad: bool = False,
) -> tuple[Cut, ...]:
    """Return what each threshold does to ``rated`` answers, each a value and whether it was right.

    Values below a threshold are held back; with ``high_is_bad`` those from it on.
    """
    right = [value for value, is_right in rated if is_right]
    wrong = [value for value, is_right in rated if not is_right]

    def held(values: list[float], threshold: float) -> int:
        return sum(reaches(value, threshold) == high_is_bad for value in values)

    return tuple(
        Cut(
            one,
            Share(held(right, one), len(right)),
            Share(len(wrong) - held(wrong, one), len(wrong)),
        )
        for one in sorted(thresholds)
    )


def proposed(found: Sequence[Cut]) -> Cut | None:
    """Return the cut with the fewest errors of both sorts, each as a share of its sort.

    Of equals it is the one that holds back fewer right answers. None with fewer than
    ``LEAST_VOTES`` votes, or without votes of both sorts.
    """
    if not found:
        return None
    first = found[0]
    sorts = (first.held.count, first.passed.count)
    if sum(sorts) < LEAST_VOTES or not all(sorts):
        return None
    return min(found, key=lambda one: (one.held.value + one.passed.value, one.held.value))
