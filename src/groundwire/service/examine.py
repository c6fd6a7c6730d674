"""One event to one decision: shared by the hook, the filter and replay. Stateless."""

from __future__ import annotations

from groundwire.analysis import Evidence, analyse
from groundwire.decision import Memory, Situation, decide, restated_claims, was_sent_back
from groundwire.digest import digest
from groundwire.event import SUBAGENT_STOP, Event
from groundwire.evidence.known import reference_check
from groundwire.evidence.ledger import build_ledger
from groundwire.model import PASS, Analysis, Decision, Ledger, Turn
from groundwire.record import Record
from groundwire.scan.automaton import Scanner
from groundwire.service.disk import file_lookup
from groundwire.settings import Settings
from groundwire.text.fold import fold
from groundwire.text.mask import mask
from groundwire.transcript.read import tail_entries
from groundwire.transcript.turn import build_turn

_OPINION_CUE = "cue.opinion-request"
_LONGEST_REQUEST = 4_000
#: Characters of a message that are looked at; no answer that a person reads is longer.
LONGEST_MESSAGE = 1_000_000


class Examined(Record):
    """What came out for one message, and the session's memory afterwards."""

    analysis: Analysis
    decision: Decision
    memory: Memory
    message_id: str = ""
    note: str = ""  # what was not looked at


def turn_of(event: Event) -> Turn:
    """Read the turn that ``event`` ends from its transcript; an empty one without a path.

    Raises TranscriptError when the file cannot be read.
    """
    if not event.transcript_path:
        return Turn()
    agent = event.name == SUBAGENT_STOP
    tail = tail_entries(event.transcript_path, agent=agent)
    return build_turn(tail.entries, tail.partial, agent=agent)


def examine(
    event: Event, turn: Turn, scanner: Scanner, settings: Settings, memory: Memory
) -> Examined:
    """Analyse the final message of ``turn`` and decide about it."""
    whole = event.message or turn.message
    text = whole[:LONGEST_MESSAGE]
    if not text:
        return Examined(Analysis(""), Decision(PASS, why="no final message"), memory)
    if not event.prompt_id:  # older clients do not send one; the prompt itself tells turns apart
        event = event.replace(prompt_id=digest(turn.prompt.encode("utf-8", "replace")))
    calls = len(turn.calls)
    repeated = was_sent_back(text, calls, memory)
    restated = () if repeated else restated_claims(memory, event, calls)
    evidence = _evidence(event, turn, restated)
    analysis = analyse(text, scanner, settings, evidence)
    situation = Situation(event, turn.prompt, asks_opinion(turn.prompt, scanner), calls)
    decision, memory = decide(text, analysis.matches, situation, settings, memory)
    note = "" if text == whole else f"only {len(text)} of {len(whole)} characters were checked"
    return Examined(analysis, decision, memory, turn.message_id, note)


def _evidence(event: Event, turn: Turn, restated: tuple[frozenset[str], ...]) -> Evidence:
    if not turn.calls:  # without a prompt there was no transcript: the message is bare text
        return Evidence(Ledger() if turn.prompt else None, restated)
    ledger = build_ledger(turn)
    return Evidence(ledger, restated, reference_check(turn, ledger, file_lookup(event.cwd)))


def asks_opinion(prompt: str, scanner: Scanner) -> bool:
    """Tell whether the user asked for opinions, guesses or options."""
    request = prompt[:_LONGEST_REQUEST]
    found = scanner.scan(fold(request, mask(request)).text) if request else []
    return any(candidate.marker.id == _OPINION_CUE for candidate in found)
