"""The unit tests of requirement R002-34, with the module paths that they name."""

import asyncio
from typing import Any

from app.agents.nodes import (  # type: ignore[import-not-found]
    _calculate_formula_confidence,
    _calculate_hybrid_confidence,
    _calculate_llm_confidence,
    calculate_confidence_node,
)
from app.agents.state import AgentState  # type: ignore[import-not-found]
from app.models.config import ConfidenceCalculationConfig  # type: ignore[import-not-found]


def state(similarities: list[float], characters: int) -> Any:
    docs = [{"similarity": value} for value in similarities]
    return AgentState(query="q", context_text="c", context_docs=docs, response="x" * characters)


async def formula() -> None:
    config = ConfidenceCalculationConfig(method="formula")
    found = await _calculate_formula_confidence(state([0.95, 0.92, 0.88], 250), config)
    assert found["confidence_score"] > 0.90
    assert found["confidence_method"] == "formula"


async def llm() -> None:
    config = {"method": "llm", "llm_settings": {"max_tokens": 50, "timeout_ms": 5000}}
    found = await _calculate_llm_confidence(state([0.9], 150), config)
    assert 0 <= found["confidence_score"] <= 1
    assert found["confidence_method"] == "llm"


async def hybrid() -> None:
    weights = {"formula_weight": 0.6, "llm_weight": 0.4}
    config = {"hybrid_settings": weights, "llm_settings": {"timeout_ms": 5000}}
    found = await _calculate_hybrid_confidence(state([0.90, 0.85], 150), config)
    parts = found["confidence_breakdown"]
    assert found["confidence_method"] == "hybrid"
    assert parts["llm_score"] is not None
    expected = 0.6 * parts["formula_score"] + 0.4 * parts["llm_score"]
    assert abs(found["confidence_score"] - expected) < 0.001


async def node() -> None:
    found = await calculate_confidence_node(state([0.9, 0.85], 150))
    assert (found["confidence_score"], found["configuration"]["environment"]) == (0.818, "all")


for test in (formula, llm, hybrid, node):
    asyncio.run(test())
