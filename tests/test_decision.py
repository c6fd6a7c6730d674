"""When a turn is stopped: thresholds, the memory of the session, and what forbids a block."""

from typing import Any

from groundwire.base.model import Decision, Marker, Match, Verdict
from groundwire.base.settings import Settings, Subagents, Thresholds
from groundwire.inputs.event import read_event
from groundwire.verdict.decision import (
    MOST_REMEMBERED,
    Memory,
    Situation,
    combined_suspicion,
    decide,
    was_sent_back,
)
from tests.support.tables import rows

#: The shipped thresholds are measured; these stay.
GATES = Thresholds(report=50, stop_from=60, words_block=90, doubt=20, message_block=65)
SETTINGS = Settings(thresholds=GATES, subagents=Subagents("report", enforce=("coder", "")))
TEXT = "The crash is probably caused by a race condition. All of it is fixed."
FIRST, SECOND = (0, 49), (50, 69)


def match(confidence: int, status: str = "", more: dict[str, Any] | None = None) -> Match:
    """Return a match of the first sentence; ``more``: its kind, claim, ... or ``second``."""
    known = {"kind": "causality_language", "strength": "strong", "claim": "cause", "context": ""}
    given = known | (more or {})
    sentence = SECOND if "second" in given else FIRST
    marker = Marker("x", given["kind"], given["strength"], given["claim"])
    found = Match(given["kind"], "", sentence[0], confidence, marker, sentence)
    verdict = Verdict(status) if status else None
    return found.replace(verdict=verdict, context=given["context"])


def decided_with(
    given: list[list[Any]], fields: dict[str, Any], memory: Memory
) -> tuple[tuple[Match, ...], Decision, Memory]:
    event = {"hook_event_name": "Stop", "session_id": "s", "prompt_id": "p", **fields}
    own = {name: event.pop(name) for name in ("prompt", "asks_opinion", "partial") if name in event}
    matches = tuple(match(*one) for one in given)
    return matches, *decide(TEXT, matches, Situation(read_event(event), **own), SETTINGS, memory)


def alone(given: list[list[Any]], fields: dict[str, Any] | None) -> list[str]:
    """Return what becomes of a message and why, as the first one of a session."""
    _, decision, _ = decided_with(given, fields or {}, Memory())
    return [decision.action, decision.why]


def session(messages: list[list[Any]]) -> list[list[object]]:
    """Return of each message the decision, with the numbers of the matches that it is about."""
    memory, told = Memory(), list[list[object]]()
    for given, *fields in messages:
        matches, decision, memory = decided_with(given, dict(*fields), memory)
        numbers = [[*map(matches.index, it)] for it in (decision.matches, decision.blocking)]
        told.append([decision.action, *numbers, decision.why, decision.let_through])
    return told


test_row = rows(
    __file__,
    alone=alone,
    session=session,
    suspicion=lambda given: combined_suspicion([match(*one) for one in given]),
)


def test_what_is_remembered_has_an_end() -> None:
    memory = Memory(
        blocks=tuple((f"{number}/", 1) for number in range(MOST_REMEMBERED)),
        claims=(("0/", 0, ("a",)), ("p/", 0, ("b",))),
    )
    _, _, after = decided_with([[95]], {}, memory)
    assert after.blocks == (*memory.blocks[1:], ("p/", 1))
    words = ("condition", "crash", "race")
    assert after.claims == (memory.claims[1], ("p/", 0, words))  # of this prompt alone
    assert was_sent_back(TEXT, 0, after)
    assert not was_sent_back(TEXT, 1, after)
    assert not was_sent_back("another", 0, after)


def test_text_that_no_encoding_has_is_no_fault_of_the_hook() -> None:
    event = read_event({"hook_event_name": "Stop", "prompt_id": "\ud800" * 300})
    decision, memory = decide("\ud800" * 60, (match(95),), Situation(event), SETTINGS, Memory())
    assert decision.action == "block"
    assert len(memory.blocks[0][0]) < 100
    *_, memory = decided_with([[95]], {"prompt_id": "p" * 199}, Memory())
    assert memory.blocks == ((f"{'p' * 199}/", 1),)  # the longest that is kept as it is
