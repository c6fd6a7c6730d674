"""The composite confidence of a response: four factors, a threshold, and the weakest factor.

composite = 0.30 knowledge base + 0.30 code validation + 0.20 response certainty
                + 0.20 agent history

Below its threshold a response is to be replaced by "I don't know" (requirement group 000).
"""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire.base.settings import Composite
from groundwire_confidence.assessment import (
    Assessment,
    AssessmentFactor,
    Bands,
    reaches,
    rounded,
    shown,
    unit,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


#: What a person calls each factor, and what raises it.
TITLES = {
    "knowledge_base_score": "Knowledge Base",
    "code_validation_score": "Code Validation",
    "response_certainty_score": "Response Certainty",
    "agent_history_score": "Agent History",
}
LIFTS = {
    "knowledge_base_score": "retrieve sources that fit the question better, or more that fit",
    "code_validation_score": "show that the code exists, parses and type-checks, and that its "
    "tests exist and pass",
    "response_certainty_score": "check what the response leaves open, and say what was checked",
    "agent_history_score": "runs of this agent that meet its threshold, within the look-back time",
}


def weakest(factors: Sequence[AssessmentFactor]) -> AssessmentFactor | None:
    """Return the factor that costs the composite most, the first of equals.

    That is the largest ``weight * (1 - value)``: to raise it gains most. None without a factor.
    """
    present = [factor for factor in factors if factor.value is not None]
    return max(present, key=_loss, default=None)


def block_reason(
    agent_type: str, value: float, threshold: float, factors: Sequence[AssessmentFactor]
) -> str:
    """Return in a few sentences what is missing to the threshold and what would lift it."""
    text = f"Confidence {percent(value)} is below the {percent(threshold)} that {agent_type} needs."
    factor = weakest(factors)
    if factor is None or factor.value is None:
        return text
    detail = f" ({factor.why})" if factor.why else ""
    text += f" Weakest factor: {TITLES[factor.name]} {percent(factor.value)}{detail}."
    needed = rounded(factor.value + (threshold - value) / factor.weight)
    if needed > 1:
        best = value + _loss(factor)
        enough = f"It alone is not enough: at 100% the composite is {percent(best)}."
    else:
        enough = f"{percent(needed)} there would be enough."
    return f"{text} {enough} What lifts it: {LIFTS[factor.name]}."


def percent(value: float) -> str:
    """Return a value from 0 to 1 as a percentage with two decimals."""
    return f"{100 * value:.2f}%"


def _loss(factor: AssessmentFactor) -> float:
    return rounded(factor.weight * (1 - (factor.value or 0.0)))


MODEL = "composite"
#: Factor and weight, in the order of reports (R000-10).
WEIGHTS = (
    ("knowledge_base_score", 0.30),
    ("code_validation_score", 0.30),
    ("response_certainty_score", 0.20),
    ("agent_history_score", 0.20),
)
#: R000-13: HIGH begins above 0.90, the others at their bound.
BANDS = Bands((("HIGH", 0.90), ("MODERATE", 0.75), ("LOW", 0.50), ("VERY_LOW", 0.0)), ("HIGH",))
#: What each level says of a response.
ADVICE = {
    "HIGH": "very confident, proceed",
    "MODERATE": "confident, proceed with caution",
    "LOW": 'low confidence, consider "I don\'t know"',
    "VERY_LOW": 'must use "I don\'t know"',
}
#: The answer in place of a blocked response (R000-24).
I_DO_NOT_KNOW = "I don't know - my confidence is too low to answer this accurately."
#: What a missing factor counts as; None leaves it out, and the other weights make up the whole.
_MISSING = {"renormalise": None, "zero": 0.0, "neutral": 0.5}
_STOP = "default"
_SEPARATORS = str.maketrans(" -", "__")


def factor_value(row: Mapping[str, Any], name: str) -> float | None:
    """Return a factor of a row of the history, 0-1; None where it is missing or none."""
    factors = row.get("factors")
    value = factors.get(name) if isinstance(factors, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None


class CompositeScores(Record):
    """The four factors, each from 0 to 1; None when it is missing. ``why`` tells where from."""

    knowledge_base_score: float | None = None
    code_validation_score: float | None = None
    response_certainty_score: float | None = None
    agent_history_score: float | None = None
    why: tuple[tuple[str, str], ...] = ()

    @property
    def any_given(self) -> bool:
        """Whether at least one factor is not missing."""
        return any(getattr(self, name) is not None for name in names())


def assess(
    agent_type: str, scores: CompositeScores, settings: Composite, missing: str = "renormalise"
) -> Assessment:
    """Return the composite confidence of a response of an agent of this type.

    An agent type without a threshold of its own has ``settings.default_threshold``. ``missing``
    (renormalise, zero or neutral) says what a factor counts as that is not given. ``why`` of the
    result is the reason to block, or what its level says. Raises ConfidenceError for a score that
    is no number from 0 to 1, and when every factor is missing.
    """
    terms = [(name, weight, _score(scores, name, missing)) for name, weight in WEIGHTS]
    total_weight = sum(weight for _, weight, value in terms if value is not None)
    if not total_weight:
        raise ConfidenceError(f"composite: no factor is given; allowed: {', '.join(names())}")
    reasons = dict(scores.why)
    factors = tuple(
        AssessmentFactor(name, None, 0.0, 0.0, reasons.get(name, ""))
        if value is None
        else AssessmentFactor(
            name, value, weight / total_weight, value * weight / total_weight, reasons.get(name, "")
        )
        for name, weight, value in terms
    )
    value = rounded(sum(factor.contribution for factor in factors))
    threshold = threshold_of(agent_type, settings)
    met = reaches(value, threshold)
    level = BANDS.level(value)
    why = ADVICE[level] if met else block_reason(slug(agent_type), value, threshold, factors)
    return Assessment(MODEL, value, level, threshold, met, factors, why)


def names() -> tuple[str, ...]:
    """Return the names of the four factors."""
    return tuple(name for name, _ in WEIGHTS)


def slug(agent_type: str) -> str:
    """Return the one spelling of an agent type: ``DGTS Enforcer`` is ``dgts_enforcer``."""
    return agent_type.strip().lower().translate(_SEPARATORS)


def threshold_of(agent_type: str, settings: Composite) -> float:
    """Return the threshold of an agent type, the default one for a type that has none."""
    return dict(settings.thresholds).get(slug(agent_type), settings.default_threshold)


def known_type(agent_type: object, settings: Composite) -> str:
    """Return the spelling of an agent type that has a threshold.

    Raises ConfidenceError for any other, naming those that have one.
    """
    types = [name for name, _ in settings.thresholds]
    if isinstance(agent_type, str) and slug(agent_type) in types:
        return slug(agent_type)
    raise ConfidenceError(
        f"agent_type: value {shown(agent_type)}: allowed: {', '.join(types)}; "
        "more with composite.thresholds in the settings"
    )


def type_of_event(event_type: str, settings: Composite) -> str:
    """Return the agent type for the ``agent_type`` of a hook event; never raises.

    The settings map names to types; a name that is not mapped is its own type. The main agent,
    which has no name, is looked up as ``default``.
    """
    name = event_type or _STOP
    return slug(dict(settings.agents).get(name, name))


def _score(scores: CompositeScores, name: str, missing: str) -> float | None:
    value = getattr(scores, name)
    if value is not None:
        return unit(name, value)
    return _MISSING[missing]
