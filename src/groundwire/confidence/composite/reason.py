"""Why a response is below its threshold: the weakest factor, and what would lift it."""

from __future__ import annotations

from groundwire.confidence.assessment import AssessmentFactor, rounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

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
