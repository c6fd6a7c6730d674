"""What the composite's callers see: agent types, levels, and the result of one calculation."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from groundwire.base.record import Record
from groundwire_confidence.assessment import Assessment
from groundwire_confidence.composite.formula import TITLES, names, percent, weakest
from groundwire_confidence.history_read import history_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class AgentType(StrEnum):
    """The agent types that have a threshold from the start; settings can add more."""

    PLANNER = "planner"
    PATCHER = "patcher"
    VALIDATOR = "validator"
    DGTS_ENFORCER = "dgts_enforcer"
    CLERK = "clerk"


class ConfidenceLevel(StrEnum):
    """The four levels, highest first."""

    HIGH = "HIGH"
    MODERATE = "MODERATE"
    LOW = "LOW"
    VERY_LOW = "VERY_LOW"


class Keyed(Record):
    """A record whose fields can also be read as keys, as in a decoded JSON object."""

    def __getitem__(self, key: str) -> Any:
        if key not in type(self)._fields:
            raise KeyError(key)
        return getattr(self, key)


class FactorScores(Keyed):
    """The four factors, 0-1."""

    knowledge_base_score: float
    code_validation_score: float
    response_certainty_score: float
    agent_history_score: float


class CompositeResult(Keyed):
    """One calculation. ``row`` is its line of the history, ``warnings`` what went wrong there."""

    composite_confidence: float
    confidence_level: ConfidenceLevel
    agent_threshold: float
    threshold_met: bool
    should_block: bool
    block_reason: str | None
    factors: FactorScores
    assessment: Assessment
    row: dict[str, Any]
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the line of the history with the weakest factor and where the factors are from."""
        factor = weakest(self.assessment.factors)
        return {
            **self.row,
            "weakest_factor": factor.name if factor else None,
            "factor_sources": {one.name: one.why for one in self.assessment.factors if one.why},
            "warnings": list(self.warnings),
        }


def composite_result(
    assessment: Assessment,
    agent_name: str,
    agent_type: str,
    task_id: str | None,
    now: float,
    project: str = "",
) -> CompositeResult:
    """Return the result of an ``assessment`` in which no factor is missing."""
    row = history_row(assessment, agent_name, agent_type, task_id, now, project)
    return CompositeResult(
        assessment.value,
        ConfidenceLevel(assessment.level),
        row["agent_threshold"],
        row["threshold_met"],
        row["should_block"],
        row["block_reason"],
        FactorScores(*(row["factors"][name] for name in names())),
        assessment,
        row,
    )


def composite_text(row: Mapping[str, Any]) -> str:
    """Return the printed form of one row of the history; its lines and decimals are fixed."""
    factors = "\n".join(
        f"  {title}: {percent(row['factors'][name])}" for name, title in TITLES.items()
    )
    return (
        f"Composite Confidence: {percent(row['composite_confidence'])}\n"
        f"Confidence Level: {row['confidence_level']}\n"
        f"Threshold: {percent(row['agent_threshold'])}\n"
        f"Threshold Met: {row['threshold_met']}\n"
        f"Should Block: {row['should_block']}\n"
        f"\nFactor Scores:\n{factors}"
    )
