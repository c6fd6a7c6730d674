"""The score of bare text: the bands of the design, requirement 003's rows, each factor alone."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.settings import SHIPPED, Bare, Settings, Weights
from groundwire.report.text import band
from groundwire.verdict.analysis import analyse
from groundwire.verdict.bare_text import Circumstances, score
from tests.everyday.rows import SCANNER
from tests.support.tables import rows

ZERO = Weights(**dict.fromkeys(Weights._fields, 0.0))


def confidence(strength: str, words: int, **seen: Any) -> int:
    return score(strength, Circumstances(words, **seen), SHIPPED)[0]


def confidence_of(text: str, evidence: str, settings: Settings = SHIPPED) -> int:
    """Return the confidence of the last match of ``evidence`` in ``text``."""
    found = [one for one in analyse(text, SCANNER, settings).matches if one.evidence == evidence]
    return found[-1].confidence


FILLER = "The parser reads the header first. Then it reads each row of the table below it.\n\n"


def behind(words: int, text: str, evidence: str) -> tuple[object, ...]:
    """Behind neutral prose of so many words, in paragraphs of its own."""
    found = confidence_of(FILLER * (words // len(FILLER.split())) + text, evidence)
    return found, band(found)


def mild(text: str, evidence: str) -> tuple[int, int]:
    without = Settings(weights=Weights().replace(context=0.0))
    return confidence_of(text, evidence), confidence_of(text, evidence, without)


def bounds(bare: dict[str, Any]) -> int:
    return score("weak", Circumstances(60, True), Settings(bare=Bare(**bare)))[0]


test_row = rows(
    __file__,
    bands=lambda wanted, given_, seen: confidence(*given_, **seen or {}) == wanted,
    band_borders=band,
    requirement_003=behind,
    density_counts_guesses_about_the_same_thing=confidence_of,
    evidence_counts_before_the_claim_as_after_it=lambda text: confidence_of(text, "I think"),
    what_is_mild=mild,
    bounds_and_nearness=bounds,
)


def test_points_are_the_change_when_a_factor_is_removed() -> None:
    seen = Circumstances(9, True, 1, True, -0.9)
    value, factors = score("weak", seen, SHIPPED)
    assert tuple(factor.name for factor in factors) == Weights._fields
    for factor in factors:
        weights = Weights().replace(**{factor.name: 0.0})
        assert value - score("weak", seen, Settings(weights=weights))[0] == factor.points
    assert score("strong", seen, Settings(weights=ZERO))[0] == 50


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
