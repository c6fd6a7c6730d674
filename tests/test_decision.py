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
from groundwire.evidence.message.restated import restated_verdict
from groundwire.model import Marker, Match, Verdict
from groundwire.settings import Settings, Subagents, Thresholds

TEXT = "The crash is probably caused by a race condition. All of it is fixed."
FIRST, SECOND = (0, 49), (50, 69)


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
    decision, _ = decide(TEXT, matches, situation(**f), settings or Settings(), memory or Memory())
    return decision.action


THRESHOLDS = [
    ("words alone at 90", 90, "", "block"),
    ("words alone at 89", 89, "", "report"),
    ("unsupported at 54", 54, "unsupported", "block"),
    ("unsupported at 53", 53, "unsupported", "report"),
    ("contradicted at 54", 54, "contradicted", "block"),
    ("not checkable needs the words threshold", 89, "not_checkable", "report"),
    ("qualified needs the words threshold", 89, "qualified", "report"),
    ("50 is reported", 50, "", "report"),
    ("49 is not", 49, "", "pass"),
]


@pytest.mark.parametrize(
    ("confidence", "status", "wanted"), [r[1:] for r in THRESHOLDS], ids=[r[0] for r in THRESHOLDS]
)
def test_thresholds(confidence: int, status: str, wanted: str) -> None:
    assert action(match(confidence, status)) == wanted


IDLE = [
    ("words alone at 66", 66, "", "block"),
    ("words alone at 65", 65, "", "report"),
    ("qualified needs the words threshold", 89, "qualified", "report"),
    ("not checkable needs it too", 90, "not_checkable", "block"),
]


@pytest.mark.parametrize(
    ("confidence", "status", "wanted"), [r[1:] for r in IDLE], ids=[r[0] for r in IDLE]
)
def test_thresholds_of_a_turn_with_tool_calls(confidence: int, status: str, wanted: str) -> None:
    with_calls = situation().replace(calls=3)
    found, _ = decide(TEXT, (match(confidence, status),), with_calls, Settings(), Memory())
    assert found.action == wanted


def test_nothing_below_a_threshold_blocks() -> None:
    strict = Settings(thresholds=Thresholds(100, 100, 100, 100, 100))
    assert action(match(99, "contradicted"), settings=strict) == "pass"


def test_all_thresholds_zero_give_the_binary_behaviour() -> None:
    binary = Settings(thresholds=Thresholds(0, 0, 0, 0, 0))
    assert action(match(0), settings=binary) == "block"
    assert action(settings=binary) == "pass"


def test_distinct_claims_count_together() -> None:
    three = [
        match(50, "unsupported"),
        match(50, "unsupported", "fixed", sentence=SECOND),
        match(50, "unsupported", "works", sentence=SECOND),
    ]
    assert combined_suspicion(three) == pytest.approx(87.5)
    assert action(*three) == "block"
    assert action(*three[:2]) == "report"
    same_claim = [*three[:2], match(50, "unsupported", sentence=SECOND)]
    assert action(*same_claim) == "report"
    assert blocking(tuple(same_claim), Thresholds(), used_tools=True) == []


RESTRAINTS = [
    ("plan mode", {"permission_mode": "plan"}),
    ("a sub-agent is running", {"background_tasks": [{"type": "subagent", "status": "running"}]}),
    ("a test run is running", {"background_tasks": [{"type": "shell", "command": "npm test"}]}),
    ("internal agent", {"hook_event_name": "SubagentStop", "agent_type": ""}),
    ("sub-agents are reported", {"hook_event_name": "SubagentStop", "agent_type": "Explore"}),
    ("compaction agent", {"agent_type": "compact"}),
    ("compaction prompt", {"prompt": "Your task is to create a detailed summary of the chat"}),
]


@pytest.mark.parametrize(
    "fields", [row[1] for row in RESTRAINTS], ids=[row[0] for row in RESTRAINTS]
)
def test_what_forbids_a_block(fields: dict[str, Any]) -> None:
    assert action(match(95), **fields) == "report"


NO_RESTRAINTS = [
    ("a dev server", {"background_tasks": [{"type": "shell", "command": "npm run dev"}]}),
    ("a watcher", {"background_tasks": [{"type": "shell", "command": "jest --watch"}]}),
    (
        "a finished test run",
        {"background_tasks": [{"type": "shell", "command": "make test", "status": "completed"}]},
    ),
    ("agent type on Stop", {"agent_type": ""}),
    ("accept edits", {"permission_mode": "acceptEdits"}),
    ("stop hook active with something new", {"stop_hook_active": True}),
]


@pytest.mark.parametrize(
    "fields", [row[1] for row in NO_RESTRAINTS], ids=[row[0] for row in NO_RESTRAINTS]
)
def test_what_does_not(fields: dict[str, Any]) -> None:
    assert action(match(95), **fields) == "block"


@pytest.mark.parametrize("mode", ["report", "off"])
def test_modes_that_never_block(mode: str) -> None:
    assert action(match(95), settings=Settings(mode=mode)) == "report"


def test_sub_agents_can_be_enforced_by_type() -> None:
    settings = Settings(subagents=Subagents(enforce=("coder",)))
    fields: dict[str, Any] = {"hook_event_name": "SubagentStop", "agent_type": "coder"}
    assert action(match(95), settings=settings, **fields) == "block"
    everyone = Settings(subagents=Subagents("enforce"))
    assert action(match(95), settings=everyone, **{**fields, "agent_type": "x"}) == "block"
    assert action(match(95), settings=everyone.replace(mode="report"), **fields) == "report"


def test_guesses_that_were_asked_for_are_only_reported() -> None:
    guess = match(95, kind="speculation_language")
    assert action(guess, asks_opinion=True) == "report"
    assert action(match(95), asks_opinion=True) == "block"


def test_the_same_finding_is_sent_once() -> None:
    _, memory = decide(TEXT, (match(95),), situation(), Settings(), Memory())
    assert action(match(95), memory=memory) == "report"
    assert action(match(95), memory=memory, prompt_id="later") == "report"
    assert action(match(95, "contradicted"), memory=memory) == "block"
    assert action(match(95, sentence=SECOND), memory=memory) == "block"


def test_two_blocks_a_prompt() -> None:
    memory = Memory(blocks=(("p/", 2),))
    assert action(match(95), memory=memory) == "report"
    assert action(match(95), memory=memory, prompt_id="q") == "block"
    assert action(match(95), memory=memory, agent_id="a") == "block"
    assert action(match(95), memory=memory, settings=Settings(blocks_per_prompt=3)) == "block"


def test_a_blocked_claim_is_remembered_until_a_tool_is_called() -> None:
    one = situation()
    _, memory = decide(TEXT, (match(95),), one, Settings(), Memory())
    claims = restated_claims(memory, one.event, calls=0)
    assert restated_claims(memory, one.event, calls=1) == ()
    assert restated_claims(memory, read_event({"prompt_id": "q"}), calls=0) == ()
    again = restated_verdict("the crash is caused by a race condition.", claims)
    assert again is not None
    assert again.status == "unsupported"
    assert restated_verdict("the parser test passes.", claims) is None
