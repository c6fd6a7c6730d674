"""Formula, judge and hybrid with every fall-back, against official clients and a stub."""

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from groundwire.settings.choices import METHODS
from groundwire_judge import calculate as service
from groundwire_judge.judges import Judges
from groundwire_judge.methods import Calculation
from tests.support.judge_stub import Stub, judge_stub, text
from tests.support.tables import rows, tables

TABLES = tables(__file__)

KEYS = {"confidence_score", "confidence_method", "confidence_breakdown"}


def state_of(similarities: list[float], characters: int) -> dict[str, Any]:
    found = [{"similarity": value} for value in similarities]
    return {**TABLES["state"], "context_docs": found, "response": "x" * characters}


V02 = state_of([0.90, 0.85], 150)


def config_of(method: str, **judge: Any) -> dict[str, Any]:
    return {"method": method, "llm_settings": {"timeout_ms": 5000, **judge}}


def calculated(stub: Stub, state: Any, config: Any) -> Calculation:
    async def run() -> Calculation:
        async with Judges(stub.env) as judges:
            return await service.calculate(state, config, judges)

    return asyncio.run(run())


def invalid(config: Any, *, caplog: pytest.LogCaptureFixture) -> list[str]:
    """An invalid configuration, or none, is the formula, and it is told."""
    result = service.calculate_confidence_now(V02, config, {})
    assert (result["confidence_score"], result["confidence_method"]) == (0.818, "formula")
    assert any(record.levelname in ("ERROR", "WARNING") for record in caplog.records)
    warnings: list[str] = result["warnings"]
    return warnings


def incalculable(change: dict[str, Any] | None, error: str) -> bool:
    """What cannot be calculated is zero with all keys."""
    state: Any = None if change is None else V02 | change
    for method in METHODS:
        found = service.calculate_confidence_now(state, config_of(method), {})
        assert found.pop("confidence_method") == method
        assert found == {"confidence_score": 0.0, "confidence_breakdown": {}, "error": error}
    return True


test_row = rows(__file__, invalid=invalid, incalculable=incalculable)


def test_a_bug_is_zero_with_all_keys_and_stands_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(service, "calculate_formula", lambda *_: 1 / 0)
    result = service.calculate_confidence_now(V02, {}, {})
    assert set(result) == KEYS | {"error"}
    assert result["confidence_score"] == 0.0
    assert result["error"] == "ZeroDivisionError: the calculation failed"
    assert any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("method", ["llm", "hybrid"])
def test_the_breakdown_holds_what_the_judge_said_and_took(method: str) -> None:
    state = {**V02, "context_text": "c" * 1001}
    with judge_stub("openai", text("I would say 7/10")) as stub:
        breakdown = calculated(stub, state, config_of(method)).breakdown
    assert breakdown.pop("milliseconds") > 0
    expected = TABLES["the_breakdown_holds_what_the_judge_said_and_took"]
    assert expected.items() <= breakdown.items()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*V02, "method", "similarity", "formula_weights"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@hypothesis_settings(suppress_health_check=[HealthCheck.too_slow])
@given(ANYTHING, ANYTHING)
def test_any_state_and_any_configuration_give_a_whole_result(state: Any, config: Any) -> None:
    result = service.calculate_confidence_now(state, config, {})
    assert set(result) >= KEYS
    assert 0 <= result["confidence_score"] <= 1
    assert result["confidence_method"] in METHODS
