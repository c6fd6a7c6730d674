"""Requirement group 004: formulas, limit, modifiers once each, the scorer."""

import json
import math
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.confidence.reinforcement.ageing import (
    Date,
    add_months,
    data_age,
    data_confidence,
    days_of,
    next_review,
    read_date,
    show_date,
    whole_months,
)
from groundwire.confidence.reinforcement.counted import Counted
from groundwire.confidence.reinforcement.evidence import Circumstances, turn_events
from groundwire.confidence.reinforcement.formulas import (
    C_MAX,
    C_MIN,
    Modifiers,
    enhanced,
    full,
    limit,
    per_source_evidence,
    primary_step,
    simplified_as_published,
)
from groundwire.confidence.reinforcement.milestones import (
    MILESTONES,
    contributions,
    milestone,
    milestone_bonus,
)
from groundwire.confidence.reinforcement.scorer import ConfidenceScorer
from groundwire.confidence.reinforcement.session import (
    Event,
    advance_all,
    assess_session,
    new_session,
    read_session,
    session_fields,
    session_milestone,
)
from groundwire.confidence.reinforcement.states import SYMBOLS, transition
from groundwire.errors import ConfidenceError
from groundwire.evidence.timeline import Timeline, timeline_of
from groundwire.model import Marker, Match, Turn, Verdict
from groundwire.rules.file_patterns import WORD, FilePattern, shipped_file_patterns
from tests.confidence.acts import acts
from tests.evidence.turns import Act, timeline
from tests.support.tables import table


def near(value: float) -> Any:
    return pytest.approx(value, abs=5e-7)


def test_five_steps_from_the_start() -> None:
    """004-V02."""
    scorer = ConfidenceScorer()
    steps = [scorer.confidence, *(scorer.add_evidence(1, 1) for _ in range(5))]
    assert steps == [near(v) for v in (0.5, 0.541421, 0.570416, 0.590713, 0.604920, 0.614866)]


@table
def test_limit(alpha: float, delta: float, value: float) -> None:
    assert limit(alpha, delta) == near(value)
    confidence = C_MIN
    for _ in range(200):
        confidence = primary_step(confidence, 1, 1, alpha, delta)
    assert confidence == near(value)


def test_steps_and_the_simplification_which_is_another_formula() -> None:
    """004-V04 to V11; above the limit evidence lowers the confidence, so modifiers come last."""
    steps = [primary_step(*pair, 1) for pair in ((0.5, 1), (C_MAX, 1), (0.6, 0), (0.9, 1))]
    assert steps == [near(value) for value in (0.541421, 0.686396, 0.59, 0.821421)]
    assert simplified_as_published(0.5) == near(0.520711)
    middle = (C_MIN + C_MAX) / 2
    assert middle == near(0.603553)
    assert simplified_as_published(middle) == primary_step(middle, 1, 1) == near(0.61390873)


def test_the_header_of_the_requirement() -> None:
    """004-V12 and V13: the full formula with products, and no other reading, gives its 0.82."""
    modifiers = Modifiers(validation=True, aho_corasick=True, vv_integration=True)
    assert full(0.707, [(0.08, 0.05)], modifiers) == near(0.815)
    assert full(C_MAX, [(0.08, 0.05)], modifiers) == near(0.815107)
    scorer = ConfidenceScorer(0.707)
    scorer.apply_modifiers(validation=True, aho_corasick=True, vv_integration=True)
    assert scorer.full([(0.08, 0.05)]) == near(0.815)
    # 004-V17: modifiers exceed C_max by design; only 1 bounds the result
    assert full(C_MAX, [], Modifiers(True, True, 0.003, True)) == near(0.814107)
    assert full(C_MAX, [(1, 1)], Modifiers(True, True)) == 1.0
    assert (enhanced(0.5, 0.16, 0.09), enhanced(0.5, 0.58, 0.09)) == (near(0.75), 1.0)
    # A004-4: V, A, R, I, N and D are inputs of the step that they belong to
    modifiers = Modifiers(True, True, 0.003, True, 0.01, 0.002)
    assert primary_step(0.5, 1, 1, modifiers=modifiers) == near(0.541421 + 0.095)
    assert [per_source_evidence(e, o) for e, o in ((0, 0), (0.1, 0.2))] == [near(0.01), near(0.02)]


def test_modifiers_count_once_each() -> None:
    scorer = ConfidenceScorer(C_MAX)
    for _ in range(3):
        scorer.apply_modifiers(True, True, 0.003, True)
    assert scorer.confidence == near(0.814107)
    assert scorer.apply_modifiers(code_refactor=0.006) == near(0.817107)  # the larger total
    assert scorer.apply_modifiers(non_md_penalty=0.02, data_decay=0.003) == near(0.794107)


def test_confidence_can_be_assigned_as_in_the_source() -> None:
    assert (ConfidenceScorer.C_MIN, ConfidenceScorer.C_MAX) == (C_MIN, C_MAX)
    scorer = ConfidenceScorer(0.6, apply_milestone_boost=True)
    scorer.apply_modifiers(validation=True)
    scorer.reach("M2")
    scorer.confidence = 0.55
    assert scorer.confidence == 0.55
    assert scorer.add_evidence(1, 1) == near(primary_step(0.55, 1, 1))
    with pytest.raises(ConfidenceError, match=r"confidence: value 1\.5"):
        scorer.confidence = 1.5


def test_the_assessment() -> None:
    scorer = ConfidenceScorer(0.6, apply_milestone_boost=True)
    scorer.advance("visit")
    scorer.reach("M2")
    assessed = scorer.assessment()
    assert (assessed.model, assessed.level, assessed.met) == ("reinforcement", "OBSERVE", None)
    assert assessed.value == near(0.8)
    parts = {factor.name: factor.contribution for factor in assessed.factors}
    assert parts == {"core": 0.6, "observed": 0.05, "milestone_boost": 0.15}


LOOP = ["visit", "confirm", "test", "merge", "decay_warning"]


@table
def test_transition(state: str, symbol: str, following: str, added: float) -> None:
    assert transition(state, symbol) == (following, added)
    assert ConfidenceScorer().qfa_transition(state, symbol) == (following, added)
    with pytest.raises(ConfidenceError, match="allowed: INIT, OBSERVE"):
        transition(state.lower(), symbol)


def test_a_full_loop() -> None:
    """004-V18: 0.114 after the table; a second loop adds nothing, for each modifier counts once."""
    scorer = ConfidenceScorer()
    assert sum(scorer.advance(symbol)[1] for symbol in LOOP) == pytest.approx(0.114)
    assert scorer.confidence == pytest.approx(0.614)
    for symbol in LOOP:
        scorer.advance(symbol)
    assert scorer.state == "INIT"
    assert scorer.confidence == pytest.approx(0.614)


MADE = [Event(symbol) for symbol in LOOP]
events = st.builds(
    Event,
    symbol=st.sampled_from(["", *SYMBOLS, "unknown"]),
    refactored=st.integers(0, 3),
    created=st.integers(0, 3),
    decay_months=st.integers(0, 30),
    matched=st.booleans(),
)
steps = st.builds(Event, evidence=st.floats(0, 1), observation=st.floats(0, 1))


@given(st.lists(st.one_of(events, steps), max_size=12))
def test_a_session_survives_its_state_file(happened: list[Event]) -> None:
    session = advance_all(new_session(), happened)
    stored = json.loads(json.dumps(session_fields(session)))
    assert read_session({**stored, "later": 1}) == session
    assert 0 <= assess_session(session).value <= 1


GOOD = session_fields(advance_all(new_session(), MADE[:3]))
WRONG: dict[str, list[Any]] = {
    "schema": [2],
    "core": [-1, 2, math.nan, "0.5", None, True],
    "state": ["X", None, [], {}],
    "entered": [None, ["X"], [[]], "INIT"],
    "steps": [-1, 1.5, True, 10**9],
    "created": ["1"],
    "matched": [1],
}


@pytest.mark.parametrize("key", WRONG)
def test_what_is_no_session(key: str) -> None:
    """A state file with a wrong value, without a key, or without sense."""
    changed: list[Any] = [{**GOOD, key: value} for value in WRONG[key]]
    missing = {name: value for name, value in GOOD.items() if name != key}
    for fields in (*changed, missing, None, [], {}):
        assert read_session(fields) is None, fields


@table
def test_names_of_a_milestone(name: str) -> None:
    assert milestone(name).key == "M2_VERIFY"
    with pytest.raises(ConfidenceError, match="allowed: M1"):
        milestone(f"{name}x")


def test_milestones_of_the_requirement() -> None:
    rows = [(one.name, one.title, one.state, one.boost) for one in MILESTONES]
    assert rows == [
        ("M1", "Project Init", "INIT", 0.10),
        ("M2", "Source Verification", "VALIDATE", 0.15),
        ("M3", "Code Coverage", "INTEGRATE", 0.18),
        ("M4", "V&V Testing", "REFRESH", 0.20),
    ]


@table
def test_boost(name: str, low: float, high: float) -> None:
    for base, value in ((None, low), (0.707, high)):
        scorer = ConfidenceScorer(base, apply_milestone_boost=True)
        for one in ("M1", name, "M1"):
            scorer.reach(one)
        assert scorer.confidence == pytest.approx(value)
        plain = ConfidenceScorer(base)
        plain.reach(name)
        assert plain.confidence == plain.base  # never part of the score unasked


def test_the_milestone_of_a_session() -> None:
    reached = [session_milestone(advance_all(new_session(), MADE[:n])) for n in range(6)]
    assert reached == ["M1", "M1", "M2", "M3", "M4", "M4"]
    session = advance_all(new_session(), MADE[:2])
    plain, boosted = assess_session(session), assess_session(session, apply_milestone_boost=True)
    assert boosted.value == pytest.approx(plain.value + 0.15)


SHIPPED = shipped_file_patterns()


def some(**counts: int) -> list[FilePattern]:
    """Return so many shipped patterns of each milestone."""
    keys = {one.name: one.key for one in MILESTONES}
    return [
        pattern
        for name, count in counts.items()
        for pattern in [one for one in SHIPPED if one.milestone == keys[name]][:count]
    ]


#: 004-V28, the weight 0.02: five of M2 and three of M4 reach their bonus, fewer do not.
CONTRIBUTED = [
    (some(M2=5, M4=3), 0.16, 0.09, "M4_VV"),  # V004-12: 0.5 + 0.16 + 0.09 = 0.75
    (some(M2=4, M4=2), 0.12, 0.0, "M4_VV"),
    (some(M2=5), 0.10, 0.05, "M2_VERIFY"),
    (some(M1=7, M3=9), 0.32, 0.0, "M3_COVERAGE"),
    (list(SHIPPED), 0.58, 0.09, "M4_VV"),
    ([], 0.0, 0.0, ""),
]


@pytest.mark.parametrize(("patterns", "boost", "bonus", "highest"), CONTRIBUTED, ids=str)
def test_contributions(
    patterns: list[FilePattern], boost: float, bonus: float, highest: str
) -> None:
    found = contributions(patterns)
    assert found.boost == pytest.approx(boost)
    assert found.bonus == pytest.approx(bonus)
    assert found.highest == highest
    assert ConfidenceScorer().enhanced(found) == pytest.approx(min(1, 0.5 + boost + bonus))


def test_a_bound_that_float_error_would_miss() -> None:
    """004-V15 (in the list of the requirement): ten times 0.01 is less than 0.10 as a float."""
    total = 0.0
    for _ in range(10):  # sum() makes up for lost digits since Python 3.12
        total += 0.01
    assert total < 0.10
    assert milestone_bonus({"M2_VERIFY": total}) == 0.05
    assert milestone_bonus({"M2_VERIFY": 0.10 - 1e-6, "M4_VV": 0.0499}) == 0.0


def test_weights() -> None:
    """004-V28: at 0.01 no number of patterns reaches a bonus."""
    assert contributions(SHIPPED, pattern_weight=0.01).bonus == 0.0
    assert contributions(some(M2=9), pattern_weight=0.0112).bonus == 0.05
    assert contributions(some(M4=4), pattern_weight=0.0125).bonus == 0.04
    several = contributions(some(M1=7) * 2, category_bonus=0.01)
    assert several.categories == ("format", "metadata", "structure")
    assert (several.boost, several.category_bonus) == pytest.approx((0.14, 0.02))
    own = FilePattern("own", "tracking", "M4_VV", "x", WORD, 0.05)
    assert contributions([own]).by_milestone["M4_VV"] == 0.05


DAY: Date = (2026, 3, 20)


@table
def test_confidence(months: int, confidence: float) -> None:
    assert data_confidence(months) == confidence


@table
def test_age(today: str, months: int, wanted: str) -> None:
    age = data_age(DAY, read_date("today", today))
    assert (age.months, age.action) == (months, wanted)
    assert age.confidence == data_confidence(months)


@table
def test_months_on(day: Any, months: int, later: Any) -> None:
    assert add_months(day, months) == tuple(later)
    assert whole_months(*map(tuple, (day, later))) == months


days = st.dates(date(1900, 1, 1), date(2900, 1, 1)).map(lambda d: (d.year, d.month, d.day))


@given(days, st.integers(0, 2000))
def test_whole_months_undo_added_ones(day: Date, months: int) -> None:
    later = add_months(day, months)
    assert whole_months(day, later) == months
    assert 1 <= later[2] <= days_of(later[0], later[1])
    assert read_date("day", show_date(day)) == day
    assert next_review(day) == add_months(day, 6)


TODAY = (2026, 11, 21)


def read(folder: Path, acts: list[Act]) -> Timeline:
    """Return the timeline of a turn; of one without tool calls, too."""
    return timeline(folder, acts) or timeline_of(Turn())


def seen(prompt: str = "1") -> Circumstances:
    return Circumstances(prompt, TODAY, (".md",), lambda text: "milestone" in text)


def supported(call_id: str) -> Match:
    marker = Marker("m", "completeness_claim")
    return Match(
        "completeness_claim", "", 0, 40, marker, (0, 0), (), Verdict("supported", "", call_id)
    )


@table
def test_events(names: list[str], events: list[Any], tmp_path: Path) -> None:
    """An event is its symbol, evidence and observation, or what else it has."""
    wanted = [Event(*one) if isinstance(one, list) else Event(**one) for one in events]
    found = turn_events(read(tmp_path, acts(names)), (), Counted(), seen())[0]
    assert list(found) == wanted


def test_a_confirmed_claim_stands_before_the_call_that_supports_it(tmp_path: Path) -> None:
    found = read(tmp_path, acts(["read", "pytest", "commit"]))
    claims = [supported(found.calls[1].id), supported(found.calls[1].id)]
    events, counted = turn_events(found, claims, Counted(), seen())
    assert [event.symbol for event in events] == ["visit", "confirm", "test", "merge"]
    assert turn_events(found, claims, counted, seen())[0] == ()
    # the next message of the turn claims more: what supports it was counted, the claim was not
    claims.append(supported(found.calls[2].id))
    assert turn_events(found, claims, counted, seen())[0] == (Event("confirm"),)
    claims.append(supported(""))  # no single call decides it
    again = turn_events(found, claims, Counted(), seen())[0]
    symbols = ["visit", "confirm", "test", "confirm", "merge", "confirm"]
    assert [event.symbol for event in again] == symbols
