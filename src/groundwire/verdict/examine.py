"""One event to one decision: shared by the hook, the filter and replay. Stateless."""

from __future__ import annotations

from groundwire.base.budget import UNWATCHED, Watch
from groundwire.base.digest import digest
from groundwire.base.model import PASS, REPORT, Analysis, Decision, Match, Turn
from groundwire.base.record import Record
from groundwire.base.settings import SHIPPED, Settings
from groundwire.inputs.event import SUBAGENT_STOP, Event
from groundwire.language.automaton import Scanner
from groundwire.language.find import Findings, find
from groundwire.language.fold import fold
from groundwire.language.markdown import mask
from groundwire.verdict.analysis import analysis_of
from groundwire.verdict.decision import Memory, Situation, decide, restated_claims, was_sent_back
from groundwire.verdict.evidence import Evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from groundwire.language.references import Reference
    from groundwire.turn.session import Digest
    from groundwire.turn.timeline import Timeline

_OPINION_CUE = "cue.opinion-request"
_DISCLOSURE_CUE, _FAILURE_CUE = "cue.disclosure", "cue.failure"
_LONGEST_REQUEST = 4_000
#: Characters by which a message is known again in the transcript.
_OPENING = 80
#: Characters of a message that are looked at; no answer that a person reads is longer.
LONGEST_MESSAGE = 100_000


class Examined(Record):
    """What came out for one message, and the session's memory afterwards.

    ``findings``, ``timeline``, ``situation`` and ``earlier`` (the turns before) are what it came
    from, for the confidence models and a judge; ``findings`` is None without a message,
    ``timeline`` without tool calls. ``settings`` are those of the decision, ``shown`` what a judge
    adds to it, and ``extended`` adds the turn to a digest. ``confidence`` is what
    the models say in the reason of a block, ``models`` their entries of the log, and ``told`` the
    name and the text of what the user is told once.
    """

    analysis: Analysis
    decision: Decision
    memory: Memory
    message_id: str = ""
    notes: tuple[str, ...] = ()  # what was not looked at, for the log
    findings: Findings | None = None
    timeline: Timeline | None = None
    situation: Situation | None = None
    earlier: Digest | None = None
    settings: Settings = SHIPPED
    shown: tuple[Match, ...] = ()
    extended: Callable[[Digest | None], Digest | None] = lambda earlier: earlier
    confidence: str = ""
    models: Mapping[str, Any] = {}
    told: tuple[str, str] = ("", "")


def turn_of(event: Event, watch: Watch = UNWATCHED) -> Turn:
    """Read the turn that ``event`` ends from its transcript; an empty one without a path.

    What ``watch`` has no time for, which it notes, makes the turn a partial one. Raises
    TranscriptError when the file cannot be read.
    """
    if not event.transcript_path:
        return Turn()
    if event.host:
        from groundwire.inputs.hosts.read import last_turn

        return last_turn(event.host, event.transcript_path, event.cwd, is_over=watch.is_unread)
    from groundwire.inputs.transcript import tail_entries
    from groundwire.inputs.turns import build_turn

    agent = event.name == SUBAGENT_STOP
    tail = tail_entries(event.transcript_path, agent=agent, is_over=watch.is_unread)
    return build_turn(tail.entries, tail.partial, agent=agent, first=tail.first)


def holds_message(event: Event, turn: Turn) -> bool:
    """Tell whether the transcript of the turn goes up to the final message of ``event``.

    So it does without a transcript, of which nothing is to be expected.
    """
    if not event.transcript_path or not event.message:
        return True
    return turn.message.strip()[:_OPENING] == event.message.strip()[:_OPENING]


def examine(
    event: Event, turn: Turn, scanner: Scanner, settings: Settings, memory: Memory
) -> Examined:
    """Analyse the final message of ``turn`` and decide about it.

    The digest of the session in ``memory`` gains the turn; a sub-agent's turn leaves it alone.
    """
    full_text = event.message or turn.message
    text = full_text[:LONGEST_MESSAGE]
    watch = Watch(settings.limits.cpu_ms)
    evidence = _evidence(event, turn, memory.digest, watch)
    timeline = evidence.turn if turn.calls else None

    def extended(earlier: Digest | None) -> Digest | None:
        about = "the session's digest"
        result: Digest | None = watch.attempt(
            about, _digest_after, earlier, event, turn, timeline, earlier
        )
        return result

    if turn.prompt_id:  # a wake, or the end of background work, goes on with the same prompt
        event = event.replace(prompt_id=turn.prompt_id)
    elif not event.prompt_id:  # older clients send none; the prompt itself tells turns apart
        event = event.replace(prompt_id=digest(turn.prompt.encode("utf-8", "replace")))
    calls = len(turn.calls)
    partial = turn.partial if timeline is None else timeline.partial
    situation = Situation(event, turn.prompt, calls=calls, partial=partial)
    if not text:
        nothing = Decision(PASS, why="no final message")
        result = Examined(Analysis(""), nothing, memory, timeline=timeline, situation=situation)
        return decided(result.replace(extended=extended), memory)
    if not was_sent_back(text, calls, memory):
        evidence = evidence.replace(stopped=restated_claims(memory, event, calls))
    cited = evidence.knows is not None
    findings = find(text, scanner, settings.filters_off, cited=cited, watch=watch)
    analysis = analysis_of(findings, settings, evidence)
    asks = asks_opinion(turn.prompt, scanner)
    situation = situation.replace(asks_opinion=asks, discloses=discloses(findings))
    result = Examined(
        analysis,
        Decision(PASS),
        memory,
        turn.message_id,
        (*_notes(text, full_text, turn), *watch.notes),
        findings,
        timeline,
        situation,
        evidence.digest,
        settings,
        extended=extended,
    )
    return decided(result, memory)


def decided(examined: Examined, memory: Memory) -> Examined:
    """Return the turn decided by its matches and by what the session remembers."""
    new_memory = memory.replace(digest=examined.extended(memory.digest))
    if examined.findings is None or examined.situation is None:
        return examined.replace(memory=new_memory)
    analysis, settings = examined.analysis, examined.settings
    situation = examined.situation
    decision, new_memory = decide(analysis.text, analysis.matches, situation, settings, new_memory)
    shown = tuple(it for it in examined.shown if it.confidence >= settings.thresholds.report)
    if shown:
        action = REPORT if decision.action == PASS else decision.action
        decision = decision.replace(action=action, matches=(*decision.matches, *shown))
    return examined.replace(decision=decision, memory=new_memory)


def _notes(text: str, full_text: str, turn: Turn) -> tuple[str, ...]:
    notes = []
    if text != full_text:
        notes.append(f"only {len(text)} of {len(full_text)} characters were checked")
    if turn.partial:
        notes.append("the turn is longer than what is read of it; its ledger is partial")
    return tuple(notes)


def _evidence(event: Event, turn: Turn, earlier: Digest | None, watch: Watch) -> Evidence:
    if event.name == SUBAGENT_STOP:  # the turns before are those of another agent
        earlier = None
    if not (turn.calls or turn.prompt or turn.partial):  # no transcript: bare text
        return Evidence(digest=earlier, watch=watch)
    from groundwire.inputs.disk import commit_lookup, file_lookup
    from groundwire.language.references import PATH
    from groundwire.turn.timeline import timeline_of

    if earlier:
        turn = turn.replace(known=(*turn.known, earlier.text), follows=earlier.used)
    if not turn.calls and not holds_message(event, turn):
        turn = turn.replace(partial=True)
    timeline = timeline_of(turn, watch)
    on_disk, in_git = file_lookup(event.cwd), commit_lookup(event.cwd)

    def known(reference: Reference) -> bool | None:
        if watch.is_over("the last references"):
            return None
        if reference.kind == PATH:  # as most are
            return timeline.knows_file(reference.path, reference.line, on_disk)
        from groundwire.verdict.references import knows

        return knows(reference, timeline, on_disk, in_git, earlier)

    whole = not turn.partial and (turn.first if earlier is None else earlier.whole)
    return Evidence(timeline, earlier, knows=known, watch=watch, whole=whole)


def _digest_after(
    event: Event, turn: Turn, timeline: Timeline | None, earlier: Digest | None
) -> Digest | None:
    """Return the digest with the turn in it; a turn without tool calls adds nothing."""
    if event.name == SUBAGENT_STOP or (timeline is None and not turn.first):
        return earlier
    from groundwire.turn.session import Digest
    from groundwire.verdict.session_did import with_turn

    earlier = earlier or (Digest() if turn.first else None)
    return with_turn(earlier, timeline, turn.prompt, turn.cwd) if timeline else earlier


def discloses(findings: Findings) -> bool:
    """Tell whether a message says anywhere what was not checked, or that something fails."""
    for sentence in findings.sentences:
        cues = {cue.marker.id for cue in sentence.cues}
        if _DISCLOSURE_CUE in cues:
            return True
        if _FAILURE_CUE in cues:
            from groundwire.verdict.disclosures import tells_failure  # loaded with any claim

            if tells_failure(sentence, findings.folded):
                return True
    return False


def asks_opinion(prompt: str, scanner: Scanner) -> bool:
    """Tell whether the user asked for opinions, guesses or options."""
    request = prompt[:_LONGEST_REQUEST]
    candidates = scanner.scan(fold(request, mask(request)).text) if request else []
    return any(candidate.marker.id == _OPINION_CUE for candidate in candidates)
