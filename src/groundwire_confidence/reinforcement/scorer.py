"""``ConfidenceScorer``: confidence that compounds with evidence (requirement group 004)."""

from __future__ import annotations

from groundwire_confidence.assessment import Assessment, AssessmentFactor, rounded, unit
from groundwire_confidence.reinforcement.formulas import (
    ALPHA,
    C_MAX,
    C_MIN,
    DELTA,
    INIT,
    NO_MODIFIERS,
    Modifiers,
    checked_base,
    checked_modifiers,
    clamped,
    enhanced,
    full,
    modifiers_of,
    primary_step,
    transition,
)
from groundwire_confidence.reinforcement.milestones import Contributions, milestone, milestone_boost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class ConfidenceScorer:
    """Gathers evidence, modifiers, states and milestones for one thing that is scored.

    Evidence compounds in a core of its own; modifiers are added to it at the end, each once. So the
    result does not depend on what was noted first, and noting a modifier twice changes nothing.
    """

    C_MIN = C_MIN
    C_MAX = C_MAX

    def __init__(self, base: float | None = None, *, apply_milestone_boost: bool = False) -> None:
        """Begin at ``base`` (C_MIN to C_MAX; None: C_MIN); raises ConfidenceError, a ValueError."""
        self.base = checked_base(base)
        self.core = self.base
        self.modifiers = NO_MODIFIERS
        self.state = INIT
        self.apply_milestone_boost = apply_milestone_boost
        self._milestones: tuple[str, ...] = ()

    @property
    def confidence(self) -> float:
        """Core plus modifiers, plus the milestone boost when it is applied; clamped to 0..1."""
        boost = self.milestone_boost if self.apply_milestone_boost else 0.0
        return clamped(self.core + self.modifiers.total() + boost)

    @confidence.setter
    def confidence(self, value: float) -> None:
        """Go on from ``value``: what was noted so far is part of it. Raises ConfidenceError."""
        self.core = unit("confidence", value)
        self.modifiers = NO_MODIFIERS
        self._milestones = ()

    @property
    def milestone_boost(self) -> float:
        """The boost of the highest milestone reached; part of the score only when asked for."""
        return milestone_boost(self._milestones)

    def add_evidence(
        self, evidence: float, observation: float, alpha: float = ALPHA, delta: float = DELTA
    ) -> float:
        """Take one step of the primary formula; return the confidence after it."""
        self.core = primary_step(self.core, evidence, observation, alpha, delta)
        return self.confidence

    def apply_modifiers(
        self,
        validation: bool = False,
        aho_corasick: bool = False,
        code_refactor: float = 0.0,
        vv_integration: bool = False,
        non_md_penalty: float = 0.0,
        data_decay: float = 0.0,
    ) -> float:
        """Note modifiers; return the confidence with them.

        A flag counts once; amounts are totals of at least 0, and the largest one given holds.
        """
        modifiers = Modifiers(
            validation, aho_corasick, code_refactor, vv_integration, non_md_penalty, data_decay
        )
        self.modifiers = self.modifiers.joined(checked_modifiers(modifiers))
        return self.confidence

    def qfa_transition(self, state: str, symbol: str) -> tuple[str, float]:
        """Return next state and modifier for any pair, without moving the scorer."""
        return transition(state, symbol)

    def advance(self, symbol: str) -> tuple[str, float]:
        """Move to the next state; what entering it adds counts once. Return both."""
        state, added = transition(self.state, symbol)
        if state != self.state:
            self.modifiers = self.modifiers.joined(modifiers_of([state]))
        self.state = state
        return state, added

    def reach(self, name: str) -> float:
        """Note a milestone by any of its names; return the boost of the highest one so far."""
        self._milestones = (*self._milestones, milestone(name).key)
        return self.milestone_boost

    def full(self, pairs: Iterable[tuple[float, float]] = ()) -> float:
        """Return the full formula: base, the sum of evidence times observation, modifiers."""
        return full(self.base, pairs, self.modifiers)

    def enhanced(self, parts: Contributions) -> float:
        """Return the milestone-enhanced formula for the patterns found in a file.

        The modifier ``aho_corasick`` has no part in it: patterns never count twice (A004-7).
        """
        return enhanced(self.base, parts.boost, parts.bonus + parts.category_bonus)

    def assessment(self) -> Assessment:
        """Return the confidence with its parts; the level is the state."""
        parts = {"core": self.core, **self.modifiers.parts()}
        if self.apply_milestone_boost:
            parts["milestone_boost"] = self.milestone_boost
        factors = tuple(
            AssessmentFactor(name, rounded(value), 1.0, rounded(value))
            for name, value in parts.items()
            if value or name == "core"
        )
        why = f"state {self.state}, base {self.base:.3f}, evidence brought it to {self.core:.3f}"
        value = rounded(self.confidence)
        return Assessment("reinforcement", value, self.state, factors=factors, why=why)
