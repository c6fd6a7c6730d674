"""What each feature says of a sentence after a turn, and how they add up."""

from __future__ import annotations

import pytest

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.evidence.features import FEATURES
from groundwire.evidence.weigh import BASE, STRENGTH
from groundwire.model import Match, Turn, Verdict, logit, percent
from groundwire.rules import shipped_rules, weights
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import examine
from groundwire.settings import SHIPPED, Settings
from tests.support.calls import Calls, calls_of
from tests.support.tables import table, tables

SCANNER = Scanner(shipped_rules())
#: Every feature shows, whatever the labels made it weigh.
ALL = SHIPPED.replace(features=tuple((name, 1.0) for name in FEATURES))
FAILED = ["Bash", "pytest", "1 failed, 3 passed in 0.1s", True]


def matches(calls: Calls, message: str, settings: Settings) -> tuple[Match, ...]:
    """Return what is found in a message after the calls of a turn."""
    turn = Turn(prompt="go on", message=message, calls=calls_of(calls), cwd="/p")
    event = Event("Stop", "s", message=message, cwd="/nonexistent")
    return examine(event, turn, SCANNER, settings, Memory()).analysis.matches


@table
def test_value(calls: Calls, message: str, wanted: dict[str, float]) -> None:
    """The last sentence has these values; 0 where a feature says nothing."""
    values = {one.name: one.value for one in matches(calls, message, ALL)[-1].factors}
    assert {name: round(values.get(name, 0), 2) for name in wanted} == wanted


def test_every_feature_has_a_row() -> None:
    rows = tables(__file__)["value"].values()
    shown = {name for *_, wanted in rows for name, value in wanted.items() if value}
    assert {*FEATURES} - shown == {"repeated"}  # of a session, whose tests it is part of


def test_a_confidence_is_what_its_factors_add_up_to() -> None:
    match, *_ = matches([FAILED], "All tests pass.", SHIPPED)
    factors = {one.name: one for one in match.factors}
    total = sum(one.weight * one.value for one in match.factors)
    assert match.confidence == percent(total)
    for one in match.factors:
        rest = percent(total - one.weight * one.value)
        assert one.points == match.confidence - rest
    assert factors[BASE].weight == weights.BASE
    assert factors["failed_open"].weight == weights.FEATURES["failed_open"][0]
    assert factors[f"marker {match.marker.id}"].weight == weights.MARKERS[match.marker.id]
    groups = {name for name in factors if name.startswith("group ")}
    assert {name.removeprefix("group "): factors[name].weight for name in groups} == {
        name: it for name, it in weights.GROUPS.items() if f"group {name}" in groups
    }
    assert {one.value for one in match.factors if one.name == BASE or " " in one.name} == {1.0}
    strength = logit(getattr(SHIPPED.strengths, match.marker.strength))
    assert factors[STRENGTH].value == pytest.approx(strength)


def test_settings_outweigh_the_model() -> None:
    own = SHIPPED.replace(features=(("failed_open", 0.0), (STRENGTH, 0.25)))
    match, *_ = matches([FAILED], "All tests pass.", own)
    found = {one.name: one.weight for one in match.factors}
    assert "failed_open" not in found
    assert found[STRENGTH] == 0.25
    assert match.verdict is not None
    assert match.verdict.status != "contradicted"


def test_the_loudest_fact_gives_the_label() -> None:
    match, *_ = matches([FAILED], "All tests pass.", SHIPPED)
    line = "1 failed, 3 passed in 0.1s"
    why = f'pytest failed last: "{line}"'
    assert match.verdict == Verdict("contradicted", why, "t-1", "pytest", line)
    two = SHIPPED.replace(features=(("passed_fresh", -1.0), ("todo_open", 3.0)))
    todos = {"todos": [{"content": "write docs", "status": "pending"}]}
    calls: Calls = [["TodoWrite", todos], ["Bash", "pytest", "4 passed in 0.1s"]]
    other, *_ = matches(calls, "Everything is done.", two)
    assert other.verdict is not None
    assert other.verdict.status == "unsupported"
    assert other.verdict.why == 'still open in the to-do list: "write docs"'
