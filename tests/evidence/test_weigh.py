"""How facts, groups and markers add up, and which fact gives a claim its label."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims import RUN, STATUS, Claim
from groundwire.evidence.records import Fact, Shown
from groundwire.evidence.weigh import Weighed, weigh
from groundwire.model import Marker, Verdict, logit, percent
from groundwire.rules import weights
from groundwire.settings import SHIPPED

CLAIM = Claim(0, frozenset((STATUS, RUN)), frozenset(), "", "", "")
KNOWN = next(iter(weights.MARKERS))
MARKERS = [
    Marker(KNOWN, "certainty_language", "weak"),
    Marker("x.own", "certainty_language", "strong"),
]
CALL = Shown("t-7", "pytest -q", "1 failed")
#: Round numbers, so that a row tells its sums; all others weigh nothing.
WEIGHTS = {"failed_open": 3.0, "failed_other": 2.0, "todo_open": 1.0, "company": 9.0}
SETTINGS = SHIPPED.replace(
    features=tuple({**dict.fromkeys(weights.FEATURES, 0), **WEIGHTS}.items())
)


def weighed(**facts: Fact) -> Weighed:
    return weigh(CLAIM, MARKERS, facts, SETTINGS)


def test_what_adds_up() -> None:
    fact = Fact(0.5, CALL, "failed last")
    found = weigh(CLAIM, MARKERS, {"failed_open": fact}, SHIPPED)
    strength = logit(SHIPPED.strengths.strong)
    groups = [name for name in weights.GROUPS if name in (RUN, STATUS)]
    told = [(one.name, one.weight, one.value, one.says, one.call_id) for one in found.factors]
    assert told == [
        ("base", weights.BASE, 1.0, "", ""),
        *((f"group {name}", weights.GROUPS[name], 1.0, "", "") for name in groups),
        ("strength", weights.FEATURES["strength"][0], pytest.approx(strength), "", ""),
        (f"marker {KNOWN}", weights.MARKERS[KNOWN], 1.0, "", ""),
        ("failed_open", weights.FEATURES["failed_open"][0], 0.5, "failed last", "t-7"),
    ]
    assert found.logit == pytest.approx(sum(one.weight * one.value for one in found.factors))
    assert found.confidence == percent(found.logit)
    for one in found.factors:
        rest = percent(found.logit - one.weight * one.value)
        assert one.points == found.confidence - rest


def test_what_weighs_nothing_is_no_factor() -> None:
    names = {one.name for one in weighed(told_open=Fact(1.0), failed_open=Fact(0.0)).factors}
    assert names.isdisjoint(("strength", "told_open", "failed_open"))
    assert len(names) == 4  # the base, two groups and a marker


NOTHING = Verdict("qualified", "only the words speak")


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        ({}, NOTHING),
        ({"company": Fact(1.0, CALL, "has no label")}, NOTHING),
        ({"told_open": Fact(1.0, CALL, "weighs nothing")}, NOTHING),
        ({"todo_open": Fact(1.0, None, "is open")}, Verdict("unsupported", "is open")),
        (
            {"failed_open": Fact(1.0, CALL, "failed")},
            Verdict("contradicted", 'pytest -q failed: "1 failed"', "t-7", "pytest -q", "1 failed"),
        ),
        (
            {"failed_open": Fact(1.0, Shown("t-7", "pytest"), "failed")},
            Verdict("contradicted", "pytest failed", "t-7", "pytest", ""),
        ),
        (
            {"failed_open": Fact(1.0, Shown("t-7"), "failed")},
            Verdict("contradicted", "failed", "t-7"),
        ),
        # the loudest: by weight and value together, whatever the label
        (
            {"todo_open": Fact(1.0, None, "is open"), "failed_open": Fact(0.5, None, "failed")},
            Verdict("contradicted", "failed"),
        ),
        (
            {"todo_open": Fact(1.0, None, "is open"), "failed_other": Fact(0.25, None, "failed")},
            Verdict("unsupported", "is open"),
        ),
        (
            {"todo_open": Fact(1.0, None, "is open"), "failed_open": Fact(0.25, None, "failed")},
            Verdict("unsupported", "is open"),
        ),
        (
            {"todo_open": Fact(1.0, None, "is open"), "failed_open": Fact(-0.5, None, "is well")},
            Verdict("contradicted", "is well"),
        ),
    ],
)
def test_the_loudest_fact_gives_the_label(facts: dict[str, Fact], verdict: Verdict) -> None:
    assert weighed(**facts).verdict == verdict
