"""What each feature says of a sentence after a turn, and how they add up."""

from typing import Any

import pytest

from groundwire.base.model import FAINT, Marker, Match, Turn, Verdict, logit, percent
from groundwire.base.rules import weights
from groundwire.base.settings import SHIPPED, Settings
from groundwire.inputs.event import Event
from groundwire.turn.records import Fact, Shown
from groundwire.turn.session import Digest
from groundwire.turn.timeline import timeline_of
from groundwire.verdict.assess import STRENGTH, Weighed, weigh
from groundwire.verdict.claims import RUN, STATUS, Claim
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import examine
from groundwire.verdict.features import FEATURES
from groundwire.verdict.session_did import with_turn
from tests.everyday.rows import SCANNER
from tests.support.calls import Calls, calls_of
from tests.support.tables import rows, tables

#: Every feature shows, whatever the labels made it weigh.
ALL = SHIPPED.replace(features=tuple((name, 1.0) for name in FEATURES))
FAILED = ["Bash", "pytest", "1 failed, 3 passed in 0.1s", True]


def matches(
    calls: Calls, message: str, settings: Settings, before: Calls = (), partial: bool = False,
    sent_back: tuple[Any, ...] = (),
) -> tuple[Match, ...]:  # fmt: skip
    """Return what is found in a message after the calls of a turn, and of the one before.

    ``sent_back``: the prompt, the number of calls and the words of what was stopped before.
    """
    earlier = timeline_of(Turn(calls=calls_of(before), cwd="/p"))
    memory = Memory(
        claims=(sent_back,) if sent_back else (),
        digest=with_turn(Digest(), earlier, "", "/p") if before else None,
    )
    turn = Turn(prompt="go on", message=message, calls=calls_of(calls), cwd="/p", partial=partial)
    event = Event("Stop", "s", prompt_id="p", message=message, cwd="/nonexistent")
    found = examine(event, turn, SCANNER, settings, memory)
    assert not [note for note in found.notes if "failed" in note]
    return found.analysis.matches


def values(calls: Calls, message: str, wanted: dict[str, float]) -> bool:
    """Tell whether the last sentence has these values; 0 where a feature says nothing."""
    found = {one.name: round(one.value, 2) for one in matches(calls, message, ALL)[-1].factors}
    return {name: found.get(name, 0) for name in wanted} == wanted


def facts(calls: Calls, message: str, wanted: dict[str, Any], more: Any) -> bool:
    """Tell whether the facts about the last sentence say this, and which call shows it.

    ``verdict`` is what the reader is told, and nothing where the sentence is no match.
    """
    told: dict[str, Any] = {name: "" for name in wanted if name == "verdict"}
    for match in matches(calls, message, ALL, **(more or {}))[-1:]:
        shown = [one for one in match.factors if one.says]
        told |= {one.name: [round(one.value, 2), one.says, one.call_id] for one in shown}
        if "verdict" in told and match.verdict:
            told["verdict"] = match.verdict.why
    return told == wanted


def test_every_feature_has_a_row() -> None:
    found = tables(__file__)
    shown = {name for *_, it in found["value"].values() for name, value in it.items() if value}
    assert {*FEATURES} <= shown.union(*(row[2] for row in found["facts"].values()))


def test_the_last_of_very_many_failures_counts() -> None:
    calls: Calls = [["Bash", f"pytest tests/{n}.py", "1 failed in 0.1s", True] for n in range(300)]
    match, *_ = matches(calls, "All tests pass.", ALL)
    assert "t-300" in {one.call_id for one in match.factors if one.name == "failed_open"}
    assert 1.0 in {one.value for one in match.factors if one.name == "work"}


def test_settings_outweigh_the_model() -> None:
    own = SHIPPED.replace(features=(("failed_open", 0.0), (STRENGTH, 0.25)))
    match, *_ = matches([FAILED], "All tests pass.", own)
    found = {one.name: one.weight for one in match.factors}
    assert "failed_open" not in found
    assert found[STRENGTH] == 0.25


CLAIM = Claim(0, frozenset((STATUS, RUN)), frozenset(), "", "", "")
KNOWN, EVERYDAY, *_ = weights.MARKERS
MARKERS = [
    Marker(KNOWN, "certainty_language", "weak"),
    Marker("x.own", "certainty_language", "strong"),
    Marker(EVERYDAY, "certainty_language", FAINT),  # does not count beside the others
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
    names = {one.name for one in weighed(failed_open=Fact(0.0)).factors}
    assert names.isdisjoint(("strength", "failed_open"))
    assert len(names) == 4  # the base, two groups and a marker


def loudest(facts: dict[str, list[Any]]) -> list[str]:
    """Return the verdict by facts: a value, what it says, and what the call that shows it has."""
    found = {
        name: Fact(value, Shown(*shown) if shown else None, says)
        for name, (value, says, *shown) in facts.items()
    }
    verdict = weighed(**found).verdict
    assert verdict
    return [getattr(verdict, name) for name in Verdict._fields if getattr(verdict, name)]


test_row = rows(__file__, value=values, facts=facts, loudest=loudest)
