"""When a turn is stopped: thresholds, the memory of the session, and what forbids a block."""

from typing import Any

import pytest

from groundwire.decision import (
    MOST_REMEMBERED,
    Memory,
    Situation,
    blocking,
    combined_suspicion,
    decide,
    was_sent_back,
)
from groundwire.event import read_event
from groundwire.model import BLOCK, FAINT, REPORT, Decision, Marker, Match, Verdict
from groundwire.settings import Settings, Subagents, Thresholds
from tests.support.tables import rows

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
    asks, partial = fields.pop("asks_opinion", False), fields.pop("partial", False)
    raw = {"hook_event_name": "Stop", "session_id": "s", "prompt_id": "p", **fields}
    return Situation(read_event(raw), prompt, asks, partial=partial)


def action(
    *matches: Match, memory: Memory | None = None, settings: Settings | None = None, **f: Any
) -> str:
    decision, _ = decide(TEXT, matches, situation(**f), settings or SETTINGS, memory or Memory())
    return decision.action


def test_nothing_below_a_threshold_blocks() -> None:
    strict = Settings(thresholds=Thresholds(100, 100, 100, 100, 100))
    assert action(match(99, "contradicted"), settings=strict) == "pass"


def test_doubtful_statements_count_together() -> None:
    two = [match(46, "unsupported", sentence=SECOND), match(44, "qualified", "fixed")]
    assert combined_suspicion([*two, match(30, "unsupported")]) == pytest.approx(69.76)
    assert blocking((two[1], two[0]), GATES) == two
    assert action(*two) == "block"


def test_what_does_not_count_together() -> None:
    """A sentence counts once, and bare text does not."""
    others = match(45, "unsupported", "fixed"), match(89, sentence=SECOND)
    for other in others:
        assert blocking((match(57, "unsupported"), other), GATES) == []


def doubt(first: int, second: int) -> str:
    two = match(first, "unsupported"), match(second, "unsupported", sentence=SECOND)
    return action(*two)


def forbidden(fields: dict[str, Any], why: str) -> bool:
    """Tell whether this forbids a block; nothing does where no reason is given."""
    settings = SETTINGS.replace(subagents=Subagents("report", enforce=("coder", "")))
    decision, _ = decide(TEXT, (match(95),), situation(**fields), settings, Memory())
    return (decision.action, decision.why) == ("report" if why else "block", why)


test_row = rows(
    __file__,
    thresholds=lambda confidence, status: action(match(confidence, status)),
    doubt_that_is_just_enough=doubt,
    what_forbids_a_block=forbidden,
)


def test_everyday_words_count_only_where_no_others_stand() -> None:
    strong, other = match(95), match(95, claim="told", sentence=SECOND)
    marker = other.marker.replace(strength=FAINT)
    beside, alone = (one.replace(marker=marker) for one in (match(95, claim="told"), other))
    decision, _ = decide(TEXT, (strong, beside, alone), situation(), SETTINGS, Memory())
    assert decision.matches == (strong, alone)


def test_guesses_that_were_asked_for_are_only_reported() -> None:
    guess = match(95, kind="speculation_language")
    assert action(guess) == "block"
    assert action(guess, asks_opinion=True) == "report"
    assert action(guess.replace(context="offered-check")) == "report"
    assert action(match(95), asks_opinion=True) == "block"


def test_the_same_finding_is_sent_once() -> None:
    one = match(95)
    faint = match(40, sentence=SECOND)
    stopped, memory = decide(TEXT, (one, faint), situation(), SETTINGS, Memory())
    assert (stopped, memory.blocks) == (Decision(BLOCK, (one,), (one,)), (("p/", 1),))
    known = "every finding was sent before"
    assert decide(TEXT, (one,), situation(), SETTINGS, memory) == (
        Decision(REPORT, (one,), (), known),
        memory,
    )
    again, _ = decide(TEXT, (one,), situation(stop_hook_active=True), SETTINGS, memory)
    assert again == Decision(REPORT, (one,), (), known, "p/")
    later: dict[str, Any] = {"prompt_id": "later", "stop_hook_active": True}
    assert action(match(95, "unsupported"), memory=memory, **later) == "report"
    assert action(match(95, "contradicted"), memory=memory) == "block"
    assert action(match(95, sentence=SECOND), memory=memory) == "block"
    assert was_sent_back(TEXT, 0, memory)
    assert not was_sent_back(TEXT, 1, memory)
    assert not was_sent_back("another", 0, memory)
    odd = situation(prompt_id="\ud800" * 300)  # no fault of the hook
    stopped, memory = decide("\ud800" * 60, (one,), odd, SETTINGS, Memory())
    assert stopped.action == "block"
    assert len(memory.blocks[0][0]) < 100


def test_what_is_remembered_has_an_end() -> None:
    memory = Memory(
        blocks=tuple((f"{number}/", 1) for number in range(MOST_REMEMBERED)),
        claims=(("0/", 0, ("a",)), ("p/", 0, ("b",))),
    )
    _, after = decide(TEXT, (match(95),), situation(), SETTINGS, memory)
    assert after.blocks == (*memory.blocks[1:], ("p/", 1))
    assert [claim[0] for claim in after.claims] == ["p/", "p/"]  # of this prompt alone


def test_what_is_not_reported_or_never_stopped_gives_no_reason() -> None:
    one = match(55, "unsupported")
    for fields in ({}, {"permission_mode": "plan"}):
        found, _ = decide(TEXT, (one,), situation(**fields), SETTINGS, Memory())
        assert found == Decision(REPORT, (one,))
