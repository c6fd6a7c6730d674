"""Milestones: names, boosts, and what found patterns add (R004-10 to R004-14, R004-21)."""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire.base.rules.file_patterns import MILESTONE_KEYS
from groundwire_confidence.assessment import number, unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundwire.base.rules.file_patterns import FilePattern

#: Contribution of one pattern when its entry names none (A004-8). At 0.01 neither bonus could be
#: reached; at 0.02 five patterns of M2 or three of M4 do it.
PATTERN_WEIGHT = 0.02
#: Added for each further category when several are found; the requirement gives no number.
CATEGORY_BONUS = 0.0
#: Sums of weights are compared with this tolerance: ten times 0.01 is less than 0.1 as a float.
TOLERANCE = 1e-9


class Milestone(Record):
    """One milestone: ``key`` as in pattern files, ``name`` as in headers, boost when reached."""

    key: str
    name: str
    title: str
    state: str
    boost: float
    description: str


MILESTONES = (
    Milestone(
        "M1_INIT", "M1", "Project Init", "INIT", 0.10, "project initialization and structure"
    ),
    Milestone(
        "M2_VERIFY",
        "M2",
        "Source Verification",
        "VALIDATE",
        0.15,
        "source verification and content validation",
    ),
    Milestone(
        "M3_COVERAGE",
        "M3",
        "Code Coverage",
        "INTEGRATE",
        0.18,
        "code coverage and testing infrastructure",
    ),
    Milestone("M4_VV", "M4", "V&V Testing", "REFRESH", 0.20, "full V&V and deployment"),
)
#: R004-13: contribution of a milestone's patterns from which it earns a bonus, and the bonus.
BONUSES = {"M2_VERIFY": (0.10, 0.05), "M4_VV": (0.05, 0.04)}


def milestone(name: object) -> Milestone:
    """Return the milestone that a name stands for: M2, M2_VERIFY, "M2: Source Verification".

    Case does not count. Raises ConfidenceError for any other name.
    """
    folded_name = name.strip().casefold() if isinstance(name, str) else ""
    for entry in MILESTONES:
        names = (entry.name, entry.key, entry.title, f"{entry.name}: {entry.title}")
        if folded_name in (alias.casefold() for alias in names):
            return entry
    allowed = ", ".join(f"{entry.name} ({entry.title})" for entry in MILESTONES)
    raise ConfidenceError(f"milestone: value {name!r:.60}: allowed: {allowed}")


def milestone_boost(reached: Iterable[object]) -> float:
    """Return the boost of the highest milestone among the names; boosts do not add up (A004-12)."""
    return max((milestone(name).boost for name in reached), default=0.0)


class Contributions(Record):
    """What the patterns found in one file add.

    ``by_milestone`` has a sum for every milestone, by key; ``boost`` is their total;
    ``bonus`` is what milestones that reach their bound earn, ``category_bonus`` what several
    categories do; ``highest`` is the key of the highest milestone with a pattern, or "".
    """

    by_milestone: dict[str, float]
    boost: float
    bonus: float
    category_bonus: float
    categories: tuple[str, ...]
    highest: str


def contributions(
    patterns: Sequence[FilePattern],
    pattern_weight: float = PATTERN_WEIGHT,
    category_bonus: float = CATEGORY_BONUS,
) -> Contributions:
    """Sum up the unique patterns of one file; a pattern's own weight goes before the common one."""
    common = unit("pattern_weight", pattern_weight)
    extra = unit("category_bonus", category_bonus)
    sums = dict.fromkeys(MILESTONE_KEYS, 0.0)
    for pattern in {one.id: one for one in patterns}.values():
        sums[milestone(pattern.milestone).key] += (
            common if pattern.weight is None else unit("weight", pattern.weight)
        )
    categories = tuple(sorted({pattern.category for pattern in patterns}))
    milestones = {pattern.milestone for pattern in patterns}
    return Contributions(
        by_milestone=sums,
        boost=sum(sums.values()),
        bonus=milestone_bonus(sums),
        category_bonus=extra * max(0, len(categories) - 1),
        categories=categories,
        highest=max((key for key in MILESTONE_KEYS if key in milestones), default=""),
    )


def milestone_bonus(by_milestone: dict[str, float]) -> float:
    """Return the sum of the bonuses whose bound is reached (A004-9: from the bound on)."""
    return sum(
        bonus
        for key, (bound, bonus) in BONUSES.items()
        if number(key, by_milestone.get(key, 0.0)) >= bound - TOLERANCE
    )
