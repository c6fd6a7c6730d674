"""Requirement group 004: formulas, limit, modifiers once each, the scorer."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.base.errors import ConfidenceError
from groundwire.base.model import Marker, Match, Turn, Verdict
from groundwire.base.rules.file_patterns import WORD, FilePattern, shipped_file_patterns
from groundwire.turn.timeline import Timeline, timeline_of
from groundwire_confidence.reinforcement import ageing, formulas, milestones, session
from groundwire_confidence.reinforcement.evidence import Circumstances, Counted, turn_events
from groundwire_confidence.reinforcement.formulas import (
    C_MAX,
    C_MIN,
    SYMBOLS,
    Modifiers,
    primary_step,
)
from groundwire_confidence.reinforcement.milestones import contributions, milestone
from groundwire_confidence.reinforcement.scorer import ConfidenceScorer
from groundwire_confidence.reinforcement.session import Event, assess_session
from tests.confidence.acts import acts
from tests.evidence.turns import timeline
from tests.support.tables import rows


def scored(begin: dict[str, Any], steps: list[list[Any]]) -> tuple[object, ...]:
    """Return what the last step returns, and the confidence after all of them."""
    scorer = ConfidenceScorer(**begin)
    for name, *values in steps:
        fields = values.pop() if isinstance(values[-1], dict) else {}
        found = getattr(scorer, name)(*values, **fields)
    return found, scorer.confidence


def limited(alpha: float, delta: float) -> float:
    confidence = C_MIN
    for _ in range(200):
        confidence = primary_step(confidence, 1, 1, alpha, delta)
    assert confidence == pytest.approx(formulas.limit(alpha, delta), abs=5e-7)
    return confidence


def aged(today: Any) -> tuple[object, ...]:
    age = ageing.data_age((2026, 3, 20), ageing.read_date("today", today))
    assert age.confidence == ageing.data_confidence(age.months)
    return age.months, age.action


def later(day: list[int], months: int) -> ageing.Date:
    year, month, day_of_month = day
    found = ageing.add_months((year, month, day_of_month), months)
    assert ageing.whole_months((year, month, day_of_month), found) == months
    return found


def some(**counts: int) -> list[FilePattern]:
    """Return so many shipped patterns of each milestone."""
    found: list[FilePattern] = []
    for name, count in counts.items():
        found += [one for one in SHIPPED if one.milestone == milestone(name).key][:count]
    return found


def contributed(counts: dict[str, int], weight: float) -> tuple[object, ...]:
    found = contributions(some(**counts), pattern_weight=weight)
    whole = min(1, 0.5 + found.boost + found.bonus)
    assert ConfidenceScorer().enhanced(found) == pytest.approx(whole)
    return found.boost, found.bonus, found.highest


def titled(number: int) -> tuple[object, ...]:
    one = milestones.MILESTONES[number]
    return one.name, one.title, one.state, one.boost


SHIPPED = shipped_file_patterns()
test_row = rows(
    __file__,
    ConfidenceError,
    scored=scored,
    base=ConfidenceScorer,
    evidence=lambda *pair: ConfidenceScorer().add_evidence(*pair),
    rates=lambda rates: ConfidenceScorer().add_evidence(1, 1, **rates),
    modifiers=lambda given: ConfidenceScorer().apply_modifiers(**given),
    transition=lambda state, symbol: ConfidenceScorer().qfa_transition(state, symbol),
    limit=limited,
    step=primary_step,
    full=lambda base, pairs, modifiers: formulas.full(base, pairs, Modifiers(**modifiers)),
    enhanced=lambda given: formulas.enhanced(*given),
    source=formulas.per_source_evidence,
    milestone=lambda name: milestone(name).key,
    milestones=titled,
    contributed=contributed,
    confidence=ageing.data_confidence,
    age=aged,
    months_on=later,
    date=lambda text: ageing.read_date("validated", text),
    event=lambda fields: session.advance(session.Session(), Event(**fields)),
)


def test_what_a_row_cannot_say() -> None:
    middle = (C_MIN + C_MAX) / 2
    assert formulas.simplified_as_published(0.5) == pytest.approx(0.520711, abs=5e-7)
    assert formulas.simplified_as_published(middle) == pytest.approx(primary_step(middle, 1, 1))
    # A004-4: V, A, R, I, N and D are inputs of the step that they belong to
    modifiers = Modifiers(True, True, 0.003, True, 0.01, 0.002)
    stepped = primary_step(0.5, 1, 1, modifiers=modifiers)
    assert stepped == pytest.approx(0.541421 + 0.095, abs=5e-7)
    # a confidence can be assigned as in the source
    assert (ConfidenceScorer.C_MIN, ConfidenceScorer.C_MAX) == (C_MIN, C_MAX)
    scorer = ConfidenceScorer(0.6, apply_milestone_boost=True)
    scorer.apply_modifiers(validation=True)
    scorer.reach("M2")
    scorer.confidence = 0.55
    assert scorer.confidence == 0.55
    assert scorer.add_evidence(1, 1) == pytest.approx(primary_step(0.55, 1, 1))
    with pytest.raises(ConfidenceError, match=r"confidence: value 1\.5"):
        scorer.confidence = 1.5


def test_the_assessment() -> None:
    scorer = ConfidenceScorer(0.6, apply_milestone_boost=True)
    scorer.advance("visit")
    scorer.reach("M2")
    assessed = scorer.assessment()
    assert (assessed.model, assessed.level, assessed.met) == ("reinforcement", "OBSERVE", None)
    assert assessed.value == pytest.approx(0.8)
    parts = {factor.name: factor.contribution for factor in assessed.factors}
    assert parts == {"core": 0.6, "observed": 0.05, "milestone_boost": 0.15}


MADE = [Event(one) for one in ("visit", "confirm", "test", "merge", "decay_warning")]
events = st.builds(
    Event,
    symbol=st.sampled_from(["", *SYMBOLS, "unknown"]),
    refactored=st.integers(0, 3),
    created=st.integers(0, 3),
    decay_months=st.integers(0, 30),
    matched=st.booleans(),
)
steps = st.builds(Event, evidence=st.floats(0, 1), observation=st.floats(0, 1))


def after(happened: list[Event]) -> session.Session:
    return session.advance_all(session.new_session(), happened)


@given(st.lists(events | steps, max_size=12))
def test_a_session_survives_its_state_file(happened: list[Event]) -> None:
    found = after(happened)
    stored = json.loads(json.dumps(session.session_fields(found)))
    assert session.read_session({**stored, "later": 1}) == found
    assert 0 <= assess_session(found).value <= 1


GOOD = session.session_fields(after(MADE[:3]))


def no_session(key: str, value: object) -> bool:
    """A state file with a wrong value, without a key, or without sense."""
    missing = {name: one for name, one in GOOD.items() if name != key}
    return not any(map(session.read_session, ({**GOOD, key: value}, missing, None, [], {})))


def test_the_milestone_of_a_session() -> None:
    reached = [session.session_milestone(after(MADE[:n])) for n in range(6)]
    assert reached == ["M1", "M1", "M2", "M3", "M4", "M4"]
    plain = assess_session(after(MADE[:2]))
    boosted = assess_session(after(MADE[:2]), apply_milestone_boost=True)
    assert boosted.value == pytest.approx(plain.value + 0.15)


def test_a_bound_that_float_error_would_miss() -> None:
    """004-V15 (in the list of the requirement): ten times 0.01 is less than 0.10 as a float."""
    total = 0.0
    for _ in range(10):  # sum() makes up for lost digits since Python 3.12
        total += 0.01
    assert total < 0.10
    assert milestones.milestone_bonus({"M2_VERIFY": total}) == 0.05
    assert milestones.milestone_bonus({"M2_VERIFY": 0.10 - 1e-6, "M4_VV": 0.0499}) == 0.0


def test_weights() -> None:
    several = contributions(some(M1=7) * 2, category_bonus=0.01)
    assert several.categories == ("format", "metadata", "structure")
    assert (several.boost, several.category_bonus) == pytest.approx((0.14, 0.02))
    own = FilePattern("own", "tracking", "M4_VV", "x", WORD, 0.05)
    assert contributions([own]).by_milestone["M4_VV"] == 0.05


days = st.dates(date(1900, 1, 1), date(2900, 1, 1)).map(lambda d: (d.year, d.month, d.day))


@given(days, st.integers(0, 2000))
def test_whole_months_undo_added_ones(day: ageing.Date, months: int) -> None:
    later = ageing.add_months(day, months)
    assert ageing.whole_months(day, later) == months
    assert 1 <= later[2] <= ageing.days_of(later[0], later[1])
    assert ageing.read_date("day", ageing.show_date(day)) == day
    assert ageing.next_review(day) == ageing.add_months(day, 6)


def read(folder: Path, names: list[str]) -> Timeline:
    """Return the timeline of a turn; of one without tool calls, too."""
    return timeline(folder, acts(names)) or timeline_of(Turn())


SEEN = Circumstances("1", (2026, 11, 21), (".md",), lambda text: "milestone" in text)


def supported(call_id: str) -> Match:
    marker, verdict = Marker("m", "completeness_claim"), Verdict("supported", "", call_id)
    return Match(marker.kind, "", 0, 40, marker, (0, 0), (), verdict)


def happened(names: list[str], events: list[Any], *, tmp_path: Path) -> bool:
    """An event is its symbol, evidence and observation, or what else it has."""
    wanted = [Event(*one) if isinstance(one, list) else Event(**one) for one in events]
    return [*turn_events(read(tmp_path, names), (), Counted(), SEEN)[0]] == wanted


test_session = rows(__file__, events=happened, no_session=no_session)


def test_a_confirmed_claim_stands_before_the_call_that_supports_it(tmp_path: Path) -> None:
    found = read(tmp_path, ["read", "pytest", "commit"])
    claims = [supported(found.calls[1].id), supported(found.calls[1].id)]
    events, counted = turn_events(found, claims, Counted(), SEEN)
    assert [event.symbol for event in events] == ["visit", "confirm", "test", "merge"]
    assert turn_events(found, claims, counted, SEEN)[0] == ()
    # the next message of the turn claims more: what supports it was counted, the claim was not
    claims.append(supported(found.calls[2].id))
    assert turn_events(found, claims, counted, SEEN)[0] == (Event("confirm"),)
    claims.append(supported(""))  # no single call decides it
    again = turn_events(found, claims, Counted(), SEEN)[0]
    symbols = ["visit", "confirm", "test", "confirm", "merge", "confirm"]
    assert [event.symbol for event in again] == symbols
