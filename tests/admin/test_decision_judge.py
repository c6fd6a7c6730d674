"""One decision in words, with what a judge said of it and the digest that it saw."""

from pathlib import Path
from typing import Any

import pytest

from groundwire.model import Factor, Marker, Match
from groundwire.settings import SHIPPED
from groundwire_admin.service import Admin
from groundwire_admin.service.decisions import DecisionDetail
from groundwire_admin.service.points import added_up
from tests.admin.judged import MARKED, MESSAGE, SECRET, UNMARKED, WHY, judged_turn
from tests.admin.logs import a_match, a_record, write
from tests.conftest import Hook
from tests.support.tables import table

LIMITS, STOP = SHIPPED.thresholds, SHIPPED.judge.stop


def only(admin: Admin) -> DecisionDetail:
    admin.decisions.take_in()
    [row] = admin.decisions.page().decisions
    return admin.decisions.detail(row.id)


def test_what_the_judge_said_with_statements_calls_and_the_digest(
    admin: Admin, hook: Hook, tmp_path: Path
) -> None:
    path, sent = judged_turn(hook, tmp_path, "decide")
    detail = only(admin)
    judge = detail.judge
    assert judge is not None
    assert (judge.may, judge.provider, judge.prompt_version > 0) == ("decide", "openai", True)
    first, second = judge.statements
    assert (first.n, first.text, first.probability, first.why) == (2, UNMARKED, 96, WHY)
    assert (second.text, second.call) == (MARKED, 2)
    assert "shop.load" in first.call_title
    assert {first.call_id, second.call_id} == {call.id for call in detail.calls}
    assert (detail.digest, detail.digest_kept) == (sent, True)
    assert f"[2] {UNMARKED}" in detail.digest
    assert "1 failed, 11 passed" in detail.digest
    assert SECRET not in detail.digest
    number = max(one.confidence for one in detail.decision.matches)
    assert detail.verdict.startswith(f"{number} is above {STOP}: {WHY} (#1 Bash")
    path.unlink()
    gone = only(admin)
    assert (gone.digest, gone.digest_kept) == (sent, True)
    assert gone.judge
    assert (gone.judge.statements[0].text, gone.judge.statements[0].why) == ("", WHY)
    assert gone.verdict == f"{number} is above {STOP}: {WHY} (call 1)"


def test_a_digest_that_is_not_to_be_kept_is_built_again(
    admin: Admin, hook: Hook, tmp_path: Path
) -> None:
    path, sent = judged_turn(hook, tmp_path, "advise", keep=0)
    detail = only(admin)
    assert (detail.digest_kept, detail.digest in sent, MARKED in detail.digest) == (
        False,
        True,
        True,
    )
    path.unlink()
    assert only(admin).digest == ""


@pytest.mark.parametrize("may", ["decide", "clear", "advise"])
def test_base_and_points_add_up_to_the_number_in_the_log(
    admin: Admin, hook: Hook, tmp_path: Path, may: str
) -> None:
    judged_turn(hook, tmp_path, may)
    detail = only(admin)
    logged = [one for one in detail.read_matches if one.logged_confidence is not None]
    for one in detail.read_matches:
        assert one.base + sum(factor.points for factor in one.factors) == one.confidence
    for one in logged:
        assert one.confidence == one.logged_confidence
        assert ("judge" in {factor.name for factor in one.factors}) == (may != "advise")
    assert bool(logged) == (may != "clear")  # there its 4 % is no report any more


def match_of(confidence: int, *logits: float) -> Match:
    factors = tuple(Factor(f"f{at}", 1.0, value) for at, value in enumerate(logits))
    return Match("k", "e", 0, confidence, Marker("m", "k"), (0, 1), factors)


@table
def test_points_keep_sign_and_proportion(
    confidence: int, logits: tuple[float, ...], points: list[int]
) -> None:
    assert added_up(match_of(confidence, *logits)) == (50, points)


ABOVE, BELOW = LIMITS.block + 5, LIMITS.block - 2
UNCHECKED = "Not checked; see the reason below."
NO_CALL, OTHERWISE = "no tool call of the turn supports it", "a tool's output says otherwise"
SPENT = "blocks of this prompt are used up"
LINES: list[tuple[dict[str, Any], str]] = [
    ({"matches": []}, f"Nothing reached {LIMITS.report}, the report threshold."),
    ({"matches": [], "error": "no space"}, UNCHECKED),
    ({"decision": "pass", "matches": [], "notes": ["not checked: a: mode"]}, UNCHECKED),
    (
        {"decision": "block", "matches": [a_match(confidence=ABOVE, verdict="unsupported")]},
        f"{ABOVE} is above {LIMITS.block}: {NO_CALL}",
    ),
    (
        {"decision": "block", "matches": [a_match(confidence=LIMITS.words_block)]},
        f"{LIMITS.words_block} reaches {LIMITS.words_block}: judged by its words alone",
    ),
    (
        {"decision": "block", "matches": [a_match(confidence=BELOW, verdict="unsupported")]},
        f"{BELOW} stopped the turn at the time; the threshold is {LIMITS.block} today: {NO_CALL}",
    ),
    (
        {"matches": [a_match(confidence=BELOW, verdict="unsupported")]},
        f"{BELOW} is below {LIMITS.block}, the block threshold: {NO_CALL}",
    ),
    (
        {
            "matches": [a_match(confidence=ABOVE, verdict="contradicted")],
            "why": SPENT,
        },
        f"{ABOVE} is above {LIMITS.block}, but the turn was not stopped ({SPENT}): {OTHERWISE}",
    ),
]


def test_the_verdict_in_words(admin: Admin, hook: Hook) -> None:
    write(hook.state, *(a_record(at, **fields) for at, (fields, _) in enumerate(LINES)))
    admin.decisions.take_in()
    rows = reversed(admin.decisions.page().decisions)
    said = [admin.decisions.detail(row.id).verdict for row in rows]
    assert said == [line for _, line in LINES]


HOSTILE = [
    7,
    [],
    {"statements": 3, "cost": "x", "cached": 1},
    {"statements": [None, {"n": True, "why": "a\0b", "call": 10**30, "kind": 5}], "cost": None},
]


def test_whatever_the_log_says_of_a_judge_can_be_shown(admin: Admin, hook: Hook) -> None:
    write(hook.state, *(a_record(at, judge=entry) for at, entry in enumerate(HOSTILE)))
    admin.decisions.take_in()
    found = [admin.decisions.detail(row.id).judge for row in admin.decisions.page().decisions]
    last, third, *none = found
    assert none == [None, None]
    assert third
    assert (third.cost, third.cached, third.statements) == (0.0, False, [])
    assert last
    [said] = last.statements
    assert (said.n, said.why, said.kind, said.text) == (0, "a\ufffdb", "", "")
    assert MESSAGE not in said.why
