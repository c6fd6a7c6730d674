"""Import path of the composite confidence for existing callers; everything is in groundwire."""

from groundwire_confidence.composite.factors import (
    code_validation_score as calculate_code_validation_score,
)
from groundwire_confidence.composite.factors import (
    knowledge_base_score as calculate_knowledge_base_score,
)
from groundwire_confidence.composite.gates import pre_response_check
from groundwire_confidence.composite.result import AgentType, ConfidenceLevel
from groundwire_confidence.composite.service import (
    ConfidenceCalculator,
    calculate_agent_history_score,
    calculate_response_certainty_score,
)

__all__ = [
    "AgentType",
    "ConfidenceCalculator",
    "ConfidenceLevel",
    "calculate_agent_history_score",
    "calculate_code_validation_score",
    "calculate_knowledge_base_score",
    "calculate_response_certainty_score",
    "pre_response_check",
]
