"""The score of bare text: the bands of the design, requirement 003's rows, each factor alone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.analysis import analyse
from groundwire.bare import Circumstances, length_value, score
from groundwire.model import percent
from groundwire.render.band import band
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.settings import SHIPPED, Bare, Settings, Weights
from tests.support.tables import table, tables

TABLES = tables(__file__)
FIVE = TABLES["five"]
NAMES = (*FIVE, "context")
ZERO = Weights(**dict.fromkeys(Weights._fields, 0.0))
SCANNER = Scanner(shipped_rules())


def confidence(strength: str, words: int, **seen: Any) -> int:
    return score(strength, Circumstances(words, **seen), SHIPPED)[0]


def confidence_of(text: str, evidence: str, settings: Settings = SHIPPED) -> int:
    """Return the confidence of the last match of ``evidence`` in ``text``."""
    found = [one for one in analyse(text, SCANNER, settings).matches if one.evidence == evidence]
    return found[-1].confidence


@table
def test_bands(wanted: int, given_: tuple[str, int], seen: dict[str, Any]) -> None:
    assert confidence(*given_, **seen) == wanted


BORDERS = [(100, "VERY_HIGH"), (90, "VERY_HIGH"), (89, "HIGH"), (70, "HIGH"), (69, "MODERATE")]
BORDERS += [(50, "MODERATE"), (49, "SUPPRESSED"), (0, "SUPPRESSED")]


@table
def test_band_borders(value: int, wanted: str) -> None:
    assert band(value) == wanted


@table
def test_density_counts_guesses_about_the_same_thing(text: str, evidence: str, wanted: int) -> None:
    assert confidence_of(text, evidence) == wanted


@table
def test_evidence_counts_before_the_claim_as_after_it(text: str, wanted: int) -> None:
    assert confidence_of(text, "I think") == wanted


@table
def test_what_is_mild_where_nothing_is_known(text: str, evidence: str) -> None:
    assert confidence_of(text, evidence) < 50
    weights = Weights().replace(context=0.0)
    assert confidence_of(text, evidence, Settings(weights=weights)) >= 70


def test_a_milder_use_lends_nothing() -> None:
    """It is no second sign that the statement beside it goes too far."""
    alone = confidence_of("All tests pass.", "All tests pass")
    assert confidence_of("All tests pass. I don't know why.", "All tests pass") == alone
    assert confidence_of("All tests pass. Perhaps it is done.", "All tests pass") > alone


def test_all_weights_zero_leaves_every_match_at_50() -> None:
    seen = Circumstances(3, True, 3, True, -0.9)
    value, factors = score("strong", seen, Settings(weights=ZERO))
    assert value == 50
    assert {factor.name: factor.points for factor in factors} == dict.fromkeys(NAMES, 0)


PLAIN = Circumstances(100)
MOVED = {
    "pattern_strength": ("strong", PLAIN),
    "text_length": ("weak", Circumstances(3)),
    "evidence_proximity": ("weak", Circumstances(100, near_evidence=True)),
    "context_density": ("weak", Circumstances(100, neighbours=2)),
    "category_stacking": ("weak", Circumstances(100, stacked=True)),
    "context": ("weak", Circumstances(100, context=-0.9)),
}


@pytest.mark.parametrize("factor", NAMES)
def test_weight_zero_switches_one_factor_off(factor: str) -> None:
    """With the weight at 0, the factor's input no longer moves the confidence."""
    without = Settings(weights=Weights().replace(**{factor: 0.0}))
    assert score("weak", PLAIN, without)[0] == score(*MOVED[factor], without)[0]
    assert score("weak", PLAIN, SHIPPED)[0] != score(*MOVED[factor], SHIPPED)[0]


def test_bounds_and_nearness_are_settings() -> None:
    seen = Circumstances(60, near_evidence=True)
    shipped = score("weak", seen, SHIPPED)[0]
    assert score("weak", seen, Settings(bare=Bare(short_words=60)))[0] > shipped
    assert score("weak", seen, Settings(bare=Bare(long_words=60)))[0] < shipped
    assert score("weak", seen, Settings(bare=Bare(nearby=0.0)))[0] > shipped
    assert score("weak", seen, Settings(bare=Bare(90, 10)))[0] > shipped  # no bound is below


def test_points_are_the_change_when_a_factor_is_removed() -> None:
    seen = Circumstances(9, True, 1, True, -0.9)
    value, factors = score("weak", seen, SHIPPED)
    assert tuple(factor.name for factor in factors) == NAMES
    for factor in factors:
        weights = Weights().replace(**{factor.name: 0.0})
        assert value - score("weak", seen, Settings(weights=weights))[0] == factor.points


CIRCUMSTANCES = st.builds(
    Circumstances,
    st.integers(0, 2000),
    st.booleans(),
    st.integers(0, 10),
    st.booleans(),
    st.sampled_from([0.0, -0.9, -1.8]),
)


@given(st.sampled_from(["weak", "medium", "strong", "certainty"]), CIRCUMSTANCES)
def test_monotone_and_bounded(strength: str, seen: Circumstances) -> None:
    """Longer, nearer evidence or a milder context never raises it; company never lowers it."""

    def at(**changes: float) -> int:
        return score(strength, seen.replace(**changes), SHIPPED)[0]

    assert 0 <= at() <= 100
    assert at(words=seen.words + 50) <= at()
    assert at(near_evidence=True) <= at(near_evidence=False)
    assert at(neighbours=seen.neighbours + 1) >= at()
    assert at(stacked=True) >= at(stacked=False)
    assert at(context=-1.8) <= at(context=-0.9) <= at(context=0.0)


@given(st.integers(0, 5000))
def test_length_value_is_bounded_and_falls(words: int) -> None:
    assert -0.48 <= length_value(words + 1, Bare()) <= length_value(words, Bare()) <= 0.48


@given(st.floats(-1e6, 1e6))
def test_percent_is_total(logit: float) -> None:
    assert 0 <= percent(logit) <= 100


def test_half_rounds_up() -> None:
    assert percent(0.0) == 50
    assert percent(1e9) == 100
    assert percent(-1e9) == 0
