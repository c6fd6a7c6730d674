"""The vector of the fit is the formula of ``groundwire.scoring``, for every match."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.analysis import analyse
from groundwire.calibrate.parameters import (
    NAMES,
    START,
    changes,
    named,
    reading,
    row_of_match,
    settings_of,
    vector_of,
)
from groundwire.calibrate.samples import turns_of
from groundwire.decision import Memory
from groundwire.model import Match
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import examine
from groundwire.settings import SHIPPED, Context, Settings, Strengths, Verdicts, Weights

SCANNER = Scanner(shipped_rules())
TRANSCRIPTS = sorted((Path(__file__).parents[2] / "fixtures" / "transcripts").glob("*.jsonl"))
ODD = Settings(
    weights=Weights(1.3, 0.7, 1.6, 0.4, 1.9, 0.5),
    strengths=Strengths(0.2, 0.5, 0.6, 0.9, 0.3),
    verdicts=Verdicts(2.5, 1.0, -0.2, -0.9, -2.0, -3.0),
    context=Context(-0.4, -2.2),
)


#: Bare text for what the transcripts do not have: evidence nearby, a milder use, a heading.
BARE = """# Known issues, all fixed

I think it is caused by cache.py:12. The file may contain a guess. You could move it all.

I think it is the parser, since it probably failed in the first row of the table.
"""


def matches(settings: Settings) -> list[Match]:
    return [
        *analyse(BARE, SCANNER, settings).matches,
        *in_transcripts(settings),
    ]


def in_transcripts(settings: Settings) -> list[Match]:
    return [
        match
        for path in TRANSCRIPTS
        for _, event, turn in turns_of(path)
        for match in examine(event, turn, SCANNER, settings, Memory()).analysis.matches
    ]


@pytest.mark.parametrize("settings", [SHIPPED, START, ODD], ids=["shipped", "start", "odd"])
def test_rows_times_vector_is_the_sum_of_the_contributions(settings: Settings) -> None:
    vector = vector_of(settings)
    read, used = matches(reading(settings)), matches(settings)
    assert len(read) == len(used) > 40
    for one, other in zip(read, used, strict=True):
        total = sum(factor.weight * factor.value for factor in other.factors)
        assert float(row_of_match(one) @ vector) == pytest.approx(total, abs=1e-9)


def test_the_fixtures_hold_every_sort_of_parameter() -> None:
    """Otherwise the test above says less than it seems to."""
    rows = [row_of_match(match) for match in matches(reading())]
    seen = {name for row in rows for name, value in zip(NAMES, row, strict=True) if value}
    assert {name.partition(".")[0] for name in seen} == {
        "strengths",
        "weights",
        "verdicts",
        "context",
    }
    assert {"context.legitimate", "context.plan"} <= seen
    assert {name for name in NAMES if name.startswith("weights.")} <= seen


def test_the_vector_of_any_settings_gives_the_same_confidences() -> None:
    """Only products of weight and value count, so the settings that come back may differ."""
    back = settings_of(vector_of(ODD))
    assert (back.weights.pattern_strength, back.weights.context) == (1.0, 1.0)
    assert vector_of(back) == pytest.approx(vector_of(ODD))
    before, after = matches(ODD), matches(back)
    assert [m.confidence for m in before] == [m.confidence for m in after]


def test_weights_of_1_come_back_as_they_were() -> None:
    assert settings_of(vector_of(START), START, digits=2) == START


@given(st.integers(0, len(NAMES) - 1), st.floats(-3, 3))
def test_each_parameter_moves_only_its_own_contribution(number: int, step: float) -> None:
    vector = vector_of(SHIPPED)
    vector[number] += abs(step) if NAMES[number].startswith("weights") else step
    moved = vector_of(settings_of(vector)) - vector_of(SHIPPED)
    others = [change for at, change in enumerate(moved) if at != number]
    assert others == pytest.approx([0.0] * len(others), abs=1e-9)


def test_every_number_of_the_model_can_be_fitted() -> None:
    keys = {change.key for change in changes(SHIPPED, ODD)}
    assert keys >= set(NAMES)
    assert keys - set(NAMES) == {"weights.pattern_strength", "weights.context"}


def test_a_reading_changes_no_match() -> None:
    used, read = matches(SHIPPED), matches(reading())
    assert [(m.offset, m.marker.id) for m in used] == [(m.offset, m.marker.id) for m in read]
    plain = [(one, other) for one, other in zip(used, read, strict=True) if not factor_value(one)]
    assert plain
    assert all(one.confidence == other.confidence for one, other in plain)


def factor_value(match: Match) -> float:
    return next(factor.value for factor in match.factors if factor.name == "context")


def test_keys_and_tables_are_named() -> None:
    assert named(["context", "weights.signals"]) == (
        "weights.signals",
        "context.legitimate",
        "context.plan",
    )
    with pytest.raises(
        ValueError, match=r"weights\.signal: no fitted key or table; allowed are str"
    ):
        named(["weights.signal"])
