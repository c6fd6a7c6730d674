"""The score of a match in a turn: each factor alone, bounds, what a verdict guarantees."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.model import FACTORS, VERDICTS, Verdict
from groundwire.scoring import (
    FEW_CALLS,
    MANY_CALLS,
    TURN_VALUE,
    Circumstances,
    score,
    turn_value,
)
from groundwire.settings import SHIPPED, Settings, Weights

ZERO = Weights(**dict.fromkeys(Weights._fields, 0.0))


def confidence(strength: str, words: int, verdict: str = "", **seen: Any) -> int:
    given_verdict = Verdict(verdict) if verdict else None
    circumstances = Circumstances(words, **seen)
    return score(strength, given_verdict, circumstances, SHIPPED)[0]


def test_all_weights_zero_leaves_every_match_at_50() -> None:
    seen = Circumstances(3, True, 3, True, -0.9, 2, 1, 60)
    value, factors = score("strong", Verdict("unsupported"), seen, Settings(weights=ZERO))
    assert value == 50
    assert [factor.points for factor in factors] == [0] * len(FACTORS)


@pytest.mark.parametrize("factor", Weights._fields)
def test_weight_zero_switches_one_factor_off(factor: str) -> None:
    """With the weight at 0, the factor's input no longer moves the confidence."""
    weights = Weights().replace(**{factor: 0.0})
    plain: dict[str, Any] = {
        "words": 100,
        "near_reference": False,
        "neighbours": 0,
        "stacked": False,
    }
    changed = {"words": 3, "near_reference": True, "neighbours": 2, "stacked": True}
    names = {
        "text_length": "words",
        "evidence_proximity": "near_reference",
        "context_density": "neighbours",
        "category_stacking": "stacked",
    }
    if factor in names:
        name = names[factor]
        inputs = [Circumstances(**plain), Circumstances(**{**plain, name: changed[name]})]
    elif factor in ("context", "signals", "position"):
        inputs = [Circumstances(100), Circumstances(100).replace(**{factor: 1})]
    elif factor == "turn_length":
        inputs = [Circumstances(100, calls=calls) for calls in (1, 60)]
    else:
        inputs = [Circumstances(100)] * 2
    verdict = Verdict("qualified") if factor == "turn_length" else None
    strengths = ["weak", "strong"] if factor == "pattern_strength" else ["weak", "weak"]
    without = {
        score(s, verdict, i, Settings(weights=weights))[0]
        for s, i in zip(strengths, inputs, strict=True)
    }
    using = {score(s, verdict, i, SHIPPED)[0] for s, i in zip(strengths, inputs, strict=True)}
    assert len(without) == 1
    assert len(using) == 2


def test_points_are_the_change_when_a_factor_is_removed() -> None:
    seen = Circumstances(9, neighbours=1, stacked=True)
    value, factors = score("weak", None, seen, SHIPPED)
    for factor in factors:
        weights = Weights().replace(**{factor.name: 0.0})
        assert value - score("weak", None, seen, Settings(weights=weights))[0] == factor.points


def test_a_printed_contradiction_is_at_least_95() -> None:
    printed = Verdict("contradicted", printed=True)
    seen = Circumstances(500, context=-1.8)
    assert score("certainty", printed, seen, Settings(weights=ZERO))[0] == 95
    assert score("certainty", printed, seen, SHIPPED)[0] >= 95


@pytest.mark.parametrize("status", ["supported", "earlier"])
def test_supported_and_earlier_stay_below_the_report_threshold(status: str) -> None:
    assert confidence("strong", 3, status, neighbours=3, stacked=True) <= 49


def test_what_a_call_shows_in_part_stays_below_the_report_threshold() -> None:
    seen = Circumstances(500, neighbours=3, stacked=True, signals=3, position=1)
    shown = Verdict("qualified", "pytest passed after the last edit", call_id="toolu_1")
    assert score("strong", shown, seen, SHIPPED)[0] == 49
    assert score("strong", shown.replace(call_id=""), seen, SHIPPED)[0] > 49


CIRCUMSTANCES = st.builds(
    Circumstances,
    st.integers(0, 2000),
    st.booleans(),
    st.integers(0, 10),
    st.booleans(),
    st.sampled_from([0.0, -0.9, -1.8]),
    st.integers(0, 5),
    st.sampled_from([0, 1]),
    st.integers(0, 300),
)


@given(
    st.sampled_from(["weak", "medium", "strong", "certainty"]),
    st.sampled_from([None, *VERDICTS]),
    CIRCUMSTANCES,
)
def test_monotone_and_bounded(strength: str, status: str | None, seen: Circumstances) -> None:
    """Longer, nearer evidence or a milder context never raises it; company never lowers it."""
    verdict = Verdict(status) if status else None

    def at(**changes: float) -> int:
        return score(strength, verdict, seen.replace(**changes), SHIPPED)[0]

    assert 0 <= at() <= 100
    assert at(words=seen.words + 50) <= at()
    assert at(near_reference=True) <= at(near_reference=False)
    assert at(neighbours=seen.neighbours + 1) >= at()
    assert at(stacked=True) >= at(stacked=False)
    assert at(context=-1.8) <= at(context=-0.9) <= at(context=0.0)
    assert at(signals=seen.signals + 1) >= at()
    assert at(position=0) <= at(position=1)
    assert at(calls=seen.calls + 1) >= at(calls=max(seen.calls, 1))


@pytest.mark.parametrize(
    ("status", "few", "many"),
    [
        ("supported", -TURN_VALUE, TURN_VALUE),
        ("earlier", -TURN_VALUE, TURN_VALUE),
        ("qualified", -TURN_VALUE, TURN_VALUE),
        ("not_checkable", -TURN_VALUE, TURN_VALUE),
        ("unsupported", 0.0, TURN_VALUE),
        ("contradicted", 0.0, TURN_VALUE),
    ],
)
def test_turn_value_reaches_from_few_calls_to_many(status: str, few: float, many: float) -> None:
    verdict = Verdict(status)
    assert turn_value(1, verdict) == turn_value(FEW_CALLS, verdict) == few
    assert turn_value(500, verdict) == turn_value(MANY_CALLS, verdict) == many
    middle = turn_value(9, verdict)  # sqrt(2 * 40), rounded
    assert abs(middle) < 0.01


def test_turn_value_is_0_without_a_verdict_or_a_call() -> None:
    assert turn_value(60, None) == 0.0
    assert turn_value(0, Verdict("qualified")) == 0.0
