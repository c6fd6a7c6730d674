"""Import path of the composite confidence for existing callers; everything is in groundwire."""

from groundwire.confidence.composite_factors import (
    code_validation_score as calculate_code_validation_score,
)
from groundwire.confidence.composite_factors import (
    knowledge_base_score as calculate_knowledge_base_score,
)
from groundwire.service.composite import (
    ConfidenceCalculator,
    calculate_agent_history_score,
    calculate_response_certainty_score,
)
from groundwire.service.composite_result import AgentType, ConfidenceLevel
from groundwire.service.gates import pre_response_check

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
