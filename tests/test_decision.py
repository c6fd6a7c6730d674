"""When a turn is stopped: thresholds, the memory of the session, and what forbids a block."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.decision import (
    Memory,
    Situation,
    blocking,
    combined_suspicion,
    decide,
    restated_claims,
)
from groundwire.event import read_event
from groundwire.evidence.admitted import returns
from groundwire.model import FAINT, Marker, Match, Verdict
from groundwire.settings import Settings, Subagents, Thresholds
from tests.support.tables import table

#: The shipped thresholds are measured; these stay.
GATES = Thresholds(report=50, block=60, words_block=90, doubt=20, message_block=65)
SETTINGS = Settings(thresholds=GATES)
TEXT = "The crash is probably caused by a race condition. All of it is fixed."
FIRST, SECOND = (0, 49), (50, 69)
TESTING = {"type": "shell", "command": "npm test", "status": "running"}


def match(
    confidence: int,
    status: str = "",
    claim: str = "cause",
    kind: str = "causality_language",
    sentence: tuple[int, int] = FIRST,
) -> Match:
    verdict = Verdict(status) if status else None
    marker = Marker(f"x.{claim}", kind, "strong", claim)
    evidence = TEXT[sentence[0] : sentence[0] + 5]
    return Match(kind, evidence, sentence[0], confidence, marker, sentence, (), verdict)


def situation(**fields: Any) -> Situation:
    prompt = fields.pop("prompt", "")
    asks = fields.pop("asks_opinion", False)
    raw = {"hook_event_name": "Stop", "session_id": "s", "prompt_id": "p", **fields}
    return Situation(read_event(raw), prompt, asks)


def action(
    *matches: Match, memory: Memory | None = None, settings: Settings | None = None, **f: Any
) -> str:
    decision, _ = decide(TEXT, matches, situation(**f), settings or SETTINGS, memory or Memory())
    return decision.action


@table
def test_thresholds(confidence: int, status: str, wanted: str) -> None:
    assert action(match(confidence, status)) == wanted


def test_nothing_below_a_threshold_blocks() -> None:
    strict = Settings(thresholds=Thresholds(100, 100, 100, 100, 100))
    assert action(match(99, "contradicted"), settings=strict) == "pass"


def test_all_thresholds_zero_give_the_binary_behaviour() -> None:
    binary = Settings(thresholds=Thresholds(0, 0, 0, 0, 0))
    assert action(match(0), settings=binary) == "block"
    assert action(settings=binary) == "pass"


def test_doubtful_statements_count_together() -> None:
    two = [match(45, "unsupported"), match(45, "qualified", "fixed", sentence=SECOND)]
    assert combined_suspicion(two) == pytest.approx(69.75)
    assert blocking(tuple(two), GATES) == two
    assert action(*two) == "block"
    assert action(two[0], match(30, "unsupported", sentence=SECOND)) == "pass"  # 61.5


UNCOUNTED = [
    ("a sentence counts once", match(45, "unsupported", "fixed")),
    ("too little doubt", match(19, "unsupported", sentence=SECOND)),
    ("bare text", match(89, sentence=SECOND)),
]


@pytest.mark.parametrize("other", [r[1] for r in UNCOUNTED], ids=[r[0] for r in UNCOUNTED])
def test_what_does_not_count_together(other: Match) -> None:
    assert blocking((match(57, "unsupported"), other), GATES) == []


@table
def test_what_forbids_a_block(fields: dict[str, Any]) -> None:
    assert action(match(95), **fields) == "report"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"permission_mode": "plan"}, "plan mode"),
        ({"background_tasks": [TESTING]}, "background work is still running"),
        ({"agent_type": "compact"}, "a compaction summary"),
        ({"hook_event_name": "SubagentStop", "agent_type": "x"}, "mode is report"),
    ],
)
def test_a_decision_tells_what_forbade_a_block(fields: dict[str, Any], why: str) -> None:
    decision, _ = decide(TEXT, (match(95),), situation(**fields), SETTINGS, Memory())
    assert decision.why == why


def test_everyday_words_count_only_where_no_others_stand() -> None:
    strong, other = match(95), match(95, claim="told", sentence=SECOND)
    marker = other.marker.replace(strength=FAINT)
    beside, alone = (one.replace(marker=marker) for one in (match(95, claim="told"), other))
    decision, _ = decide(TEXT, (strong, beside, alone), situation(), SETTINGS, Memory())
    assert decision.matches == (strong, alone)


@table
def test_what_does_not(fields: dict[str, Any]) -> None:
    assert action(match(95), **fields) == "block"


@pytest.mark.parametrize("mode", ["report", "off"])
def test_modes_that_never_block(mode: str) -> None:
    assert action(match(95), settings=SETTINGS.replace(mode=mode)) == "report"


def test_sub_agents_can_be_enforced_by_type() -> None:
    settings = SETTINGS.replace(subagents=Subagents(enforce=("coder",)))
    fields: dict[str, Any] = {"hook_event_name": "SubagentStop", "agent_type": "coder"}
    assert action(match(95), settings=settings, **fields) == "block"
    everyone = SETTINGS.replace(subagents=Subagents("enforce"))
    assert action(match(95), settings=everyone, **{**fields, "agent_type": "x"}) == "block"
    assert action(match(95), settings=everyone.replace(mode="report"), **fields) == "report"


def test_guesses_that_were_asked_for_are_only_reported() -> None:
    guess = match(95, kind="speculation_language")
    assert action(guess, asks_opinion=True) == "report"
    assert action(match(95), asks_opinion=True) == "block"


def test_the_same_finding_is_sent_once() -> None:
    _, memory = decide(TEXT, (match(95),), situation(), SETTINGS, Memory())
    assert action(match(95), memory=memory) == "report"
    assert action(match(95), memory=memory, prompt_id="later") == "report"
    assert action(match(95, "contradicted"), memory=memory) == "block"
    assert action(match(95, sentence=SECOND), memory=memory) == "block"


def test_two_blocks_a_prompt() -> None:
    memory = Memory(blocks=(("p/", 2),))
    assert action(match(95), memory=memory) == "report"
    assert action(match(95), memory=memory, prompt_id="q") == "block"
    assert action(match(95), memory=memory, agent_id="a") == "block"
    assert (
        action(match(95), memory=memory, settings=SETTINGS.replace(blocks_per_prompt=3)) == "block"
    )


def test_a_blocked_claim_is_remembered_until_a_tool_is_called() -> None:
    one = situation()
    _, memory = decide(TEXT, (match(95),), one, SETTINGS, Memory())
    claims = restated_claims(memory, one.event, calls=0)
    assert restated_claims(memory, one.event, calls=1) == ()
    assert restated_claims(memory, read_event({"prompt_id": "q"}), calls=0) == ()
    assert returns("the crash is caused by a race condition.", claims)
    assert not returns("the parser test passes.", claims)
