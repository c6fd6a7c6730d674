"""Checks around an answer: what is said in place of a blocked one, and the quality gate."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from groundwire_confidence.composite.formula import (
    I_DO_NOT_KNOW,
    CompositeScores,
    known_type,
    percent,
)
from groundwire_confidence.composite.result import CompositeResult, Keyed
from groundwire_confidence.composite.service import ConfidenceCalculator
from groundwire_confidence.history_read import stamp

CONFIDENCE_REQUIREMENTS = "CONFIDENCE_REQUIREMENTS"


class Status(StrEnum):
    """How a check ended."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"


class Check(Keyed):
    """One rule of a gate; ``row`` is the calculation that it looked at, as in the history."""

    rule: str
    status: Status
    message: str
    row: dict[str, Any] | None = None


class GateResult(Keyed):
    """All checks of a gate; ``confidence`` is the calculation behind them, if there was one."""

    checks: tuple[Check, ...]
    confidence: CompositeResult | None = None

    @property
    def passed(self) -> bool:
        """Tell whether no check failed."""
        return all(check.status is not Status.FAILED for check in self.checks)


def pre_response_check(confidence: CompositeResult, actual_response: str) -> dict[str, Any]:
    """Return what to answer: the response, or "I don't know" with the reason (R000-24)."""
    if confidence.should_block:
        return {
            "response": I_DO_NOT_KNOW,
            "reason": confidence.block_reason,
            "confidence": confidence.composite_confidence,
        }
    return {"response": actual_response, "confidence": confidence.composite_confidence}


class QualityGatesExecutor:
    """Runs quality gates with one calculator."""

    def __init__(self, calculator: ConfidenceCalculator | None = None) -> None:
        self.calculator = calculator or ConfidenceCalculator()

    def execute_post_implementation_gate(  # noqa: PLR0913
        self,
        agent_name: str,
        agent_type: str,
        *,
        knowledge_base_score: float | None = None,
        code_validation_score: float | None = None,
        response_certainty_score: float | None = None,
        agent_history_score: float | None = None,
        response: str | None = None,
        task_id: str | None = None,
        **others: object,
    ) -> GateResult:
        """Check whether an implementation may proceed.

        With at least one score or a ``response`` the confidence is calculated: nothing known about
        retrieval or code counts as 0, and certainty comes from the response. Without any, the last
        calculation of this agent (and task) in the look-back time decides; when there is none, the
        check is skipped, as it is for whatever else is passed. Raises ConfidenceError.
        """
        unknown = "there is no rule for it"
        skipped = [Check(name.upper(), Status.SKIPPED, unknown) for name in sorted(others)]
        scores = (
            *(knowledge_base_score, code_validation_score),
            *(response_certainty_score, agent_history_score),
        )
        if response is None and scores == (None,) * len(scores):
            return GateResult((self._last(agent_name, agent_type, task_id), *skipped))
        why: tuple[tuple[str, str], ...] = ()
        if response_certainty_score is None:
            certainty = self.calculator.response_certainty(response or "")
            response_certainty_score = certainty.score
            why = (("response_certainty_score", certainty.why()),)
        weighed = CompositeScores(
            0.0 if knowledge_base_score is None else knowledge_base_score,
            0.0 if code_validation_score is None else code_validation_score,
            response_certainty_score,
            agent_history_score,
            why,
        )
        confidence = self.calculator.weigh(agent_type, agent_name, weighed, task_id)
        return GateResult((_check(confidence.row), *skipped), confidence)

    def _last(self, agent_name: str, agent_type: str, task_id: str | None) -> Check:
        """Return the check on what was calculated before."""
        kind = known_type(agent_type, self.calculator.settings)
        hours = self.calculator.settings.lookback_hours
        rows = [
            row
            for row in self.calculator.history_rows(agent_name, hours).rows
            if row.get("agent_type") == kind and task_id in (None, row.get("task_id"))
        ]
        if rows:
            return _check(sorted(rows, key=stamp)[-1])
        what = f"{kind} {agent_name}" + (f", task {task_id}" if task_id else "")
        why = f"no scores were given, and none of {what} were calculated in the last {hours} hours"
        return Check(CONFIDENCE_REQUIREMENTS, Status.SKIPPED, why)


def _check(row: dict[str, Any]) -> Check:
    """Return the check on one row of the history, also of another writer."""
    status = Status.PASSED if row["threshold_met"] else Status.FAILED
    reason = f"confidence {percent(row['composite_confidence'])}"
    if row.get("agent_threshold") is not None:
        reason += f", threshold {percent(row['agent_threshold'])}"
    return Check(CONFIDENCE_REQUIREMENTS, status, str(row.get("block_reason") or reason), row)
