"""The confidence of an answer as lines to read."""

from __future__ import annotations

from groundwire.confidence.advisory.formula import shown_decimals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.confidence.assessment import Assessment


def confidence_text(assessment: Assessment, method: str) -> str:
    """Return value, method and level, then a line for each component with its weight."""
    shown = shown_decimals(assessment.value, 3)
    lines = [f"confidence {shown} by {method}, {assessment.level}: {assessment.why}"]
    for factor in assessment.factors:
        value = "none " if factor.value is None else f"{factor.value:.3f}"
        lines.append(
            f"  {factor.name:16}  {value} x {factor.weight:.2f}  {factor.contribution:.3f}"
        )
    return "\n".join(lines)
