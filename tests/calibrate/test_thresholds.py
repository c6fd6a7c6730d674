"""Proposed thresholds reach the wanted precision on the turns that they were chosen on."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.calibrate.predict import Prediction
from groundwire.calibrate.thresholds import FEWEST, propose, stopped, turns_of
from groundwire.decision import Memory, Situation, decide
from groundwire.model import BLOCK, ToolCall
from groundwire.settings import SHIPPED, Thresholds
from tests.calibrate.synthetic import prediction

NOW = SHIPPED.thresholds
LOOK = ToolCall("toolu_1", "Read", {"file_path": "cart.py"}, "total = 0")


def turns(seed: int, count: int = 80) -> list[Prediction]:
    """Return turns in which high confidences are mostly right."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        rows = []
        for _ in range(chance.randrange(1, 4)):
            confidence = chance.randrange(20, 100)
            status = chance.choice(("", "", "unsupported", "contradicted", "supported"))
            flag = int(chance.random() < (confidence / 100) ** 2)
            rows.append((flag, [(confidence, status)]))
        found.append(prediction(f"t{number}", rows, (LOOK,) * (number % 2)))
    return found


def really_stopped(predictions: list[Prediction], thresholds: Thresholds) -> list[bool]:
    """Ask the decision itself."""
    asked = SHIPPED.replace(thresholds=thresholds)
    found = []
    for one in predictions:
        situation = Situation(one.sample.event, calls=len(one.sample.turn.calls))
        decision, _ = decide(
            one.sample.message.text, one.analysis.matches, situation, asked, Memory()
        )
        found.append(decision.action == BLOCK)
    return found


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.5, 0.6, 0.7, 0.8, 0.9]))
def test_the_wanted_precision_is_reached(seed: int, wanted: float) -> None:
    predictions = turns(seed)
    proposal = propose(predictions, wanted, NOW)
    if proposal is None:
        return
    assert proposal.reached.value >= wanted
    hits = really_stopped(predictions, proposal.thresholds)
    flagged = [any(unit.flag for unit in one.units) for one in predictions]
    right = sum(hit and flag for hit, flag in zip(hits, flagged, strict=True))
    assert (right, sum(hits)) == (proposal.reached.hits, proposal.reached.count)
    assert proposal.recall.count == sum(flagged)


def test_some_are_found() -> None:
    """So that the test above is not empty."""
    assert sum(propose(turns(seed), 0.7, NOW) is not None for seed in range(10)) >= 5


@pytest.mark.parametrize("seed", range(5))
def test_no_other_thresholds_stop_more_flagged_turns(seed: int) -> None:
    predictions = turns(seed, 40)
    proposal = propose(predictions, 0.75, NOW)
    found = turns_of(predictions, NOW.report)
    best = 0
    for block in range(NOW.report, 101, 2):
        for message in range(block, 101, 2):
            for words, idle in product(
                range(NOW.words_block, 101, 2), range(NOW.idle_words_block, 101, 3)
            ):
                hits = stopped(found, (block, words, idle, message))
                right = int((hits & found.flags).sum())
                if hits.sum() >= FEWEST and right / hits.sum() >= 0.75:
                    best = max(best, right)
    assert (proposal.reached.hits if proposal else 0) >= best


@pytest.mark.parametrize("seed", range(5))
def test_thresholds_keep_their_order(seed: int) -> None:
    proposal = propose(turns(seed), 0.6, NOW)
    assert proposal is not None
    found = proposal.thresholds
    assert found.report == NOW.report <= found.block <= found.message_block
    assert found.words_block >= NOW.words_block
    assert found.idle_words_block >= NOW.idle_words_block


def test_more_precision_never_stops_more_flagged_turns() -> None:
    predictions = turns(1)
    proposals = [propose(predictions, wanted, NOW) for wanted in (0.5, 0.85, 0.97)]
    recalls = [one.recall.hits if one else 0 for one in proposals]
    assert recalls == sorted(recalls, reverse=True)
    assert recalls[0] > recalls[-1]


def test_thresholds_in_use_stay_when_others_do_no_better() -> None:
    sure = [(1, [(95, "contradicted")])]
    predictions = [prediction(f"t{n}", sure) for n in range(FEWEST)]
    proposal = propose(predictions, 0.8, NOW)
    assert proposal is not None
    assert proposal.thresholds == NOW


UNREACHABLE = [
    ("nothing is flagged", [(0, [(95, "contradicted")])], 20),
    ("too few turns", [(1, [(95, "contradicted")])], FEWEST - 1),
    ("below the report threshold", [(1, [(40, "contradicted")])], 20),
    ("words below their threshold", [(1, [(80, "")])], 20),
    ("nothing at all", [], 20),
]


@pytest.mark.parametrize(
    ("rows", "count"), [row[1:] for row in UNREACHABLE], ids=[row[0] for row in UNREACHABLE]
)
def test_nothing_is_proposed_without_ground(
    rows: list[tuple[int, list[tuple[int, str]]]], count: int
) -> None:
    assert propose([prediction(f"t{n}", rows) for n in range(count)], 0.8, NOW) is None


def test_disputed_turns_do_not_count() -> None:
    right = [prediction(f"r{n}", [(1, [(90, "unsupported")])]) for n in range(FEWEST)]
    disputed = [prediction(f"d{n}", [(None, [(90, "unsupported")])]) for n in range(50)]
    proposal = propose([*right, *disputed], 0.9, NOW)
    assert proposal is not None
    assert proposal.reached.count == FEWEST
