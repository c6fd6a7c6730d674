"""The hook without its process: bytes of an event in, one line of JSON or nothing out.

Joins the pipeline with the session's memory and the decision log. ``handle`` may raise; the entry
point turns every failure into a turn that ends.
"""

from __future__ import annotations

from time import perf_counter

from groundwire import __version__, json_codec
from groundwire.decision import Memory
from groundwire.errors import EventError, TranscriptError
from groundwire.event import SESSION_START, STOP, SUBAGENT_STOP, Event, read_event
from groundwire.model import BLOCK, PASS, REPORT, Decision, Match, Turn
from groundwire.record import Record
from groundwire.render.match_json import match_fields
from groundwire.render.reason import let_through_text, reason_text
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import Examined, examine, turn_of
from groundwire.settings import SHIPPED, Log
from groundwire.state.compiled import Compiled, ensure_compiled, read_compiled, settings_key
from groundwire.state.log import append
from groundwire.state.log_record import decision_record
from groundwire.state.loop import SessionState, forget_old_sessions
from groundwire.state.paths import cache_folder, state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MOST_MATCHES = 20
#: Seconds that a turn waits for changed settings to be compiled, and a session's start.
TURN_WAIT = 0.6
START_WAIT = 3.0
_MOST_TOLD = 50
FRAMING = (
    "groundwire reads each final message beside what the tools of the turn returned.\n"
    "State results as the tools returned them, and name the command that shows them.\n"
    "Say what was not run or not verified; give a guess as a guess, with the check to settle it."
)


class Reply(Record):
    """What goes to stdout, and the line for the decision log (None: nothing to log)."""

    output: str = ""
    record: dict[str, Any] | None = None
    log: Log = SHIPPED.log


def handle(data: bytes, env: Mapping[str, str], now: float) -> Reply:
    """Answer one event. Raises EventError when ``data`` is no event."""
    started = perf_counter()
    raw = _decode(data)
    event = read_event(raw)
    if event.name == SESSION_START:
        return _start_session(event, raw, env, now)
    if event.name not in (STOP, SUBAGENT_STOP):
        return Reply()
    ready = ensure_compiled(env, _folder(event, env), TURN_WAIT)  # may take longer than the lock
    state = SessionState(state_folder(env), event.session_id or event.transcript_path)
    try:
        output, examined, notes, log = _check(event, env, state, ready)
    finally:
        state.close()
    if examined is None:
        return Reply(output, _record(raw, Decision(PASS), started, notes), log)
    record = decision_record(
        __version__,
        raw,
        examined.decision,
        message_id=examined.message_id,
        suppressed=len(examined.analysis.suppressed),
        milliseconds=(perf_counter() - started) * 1000,
        notes=notes,
    )
    return Reply(output, record, log)


def log_reply(reply: Reply, env: Mapping[str, str]) -> str:
    """Write the reply's line to the decision log; return "" or what went wrong."""
    if reply.record is None:
        return ""
    return append(state_folder(env), reply.record, reply.log)


def failure_record(error: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the log line of a turn that ended unchecked."""
    return decision_record(__version__, raw, Decision(PASS), error=error)


def _decode(data: bytes) -> dict[str, Any]:
    try:
        raw = json_codec.loads(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except ValueError as error:
        raise EventError(f"stdin: {error}; expected one JSON object") from None
    if not isinstance(raw, dict):
        raise EventError(f"stdin: found a JSON {type(raw).__name__}; expected an object")
    return raw


def _check(
    event: Event, env: Mapping[str, str], state: SessionState, ready: Compiled | None
) -> tuple[str, Examined | None, list[str], Log]:
    """Return stdout, what was examined (None: unchecked), notes for the log, log settings."""
    messages: list[str] = []
    compiled, memory, notes = _configuration(event, env, state.memory, messages, ready)
    settings = compiled.settings
    if compiled.error or settings.mode == "off":
        state.save(memory)
        notes.append(f"not checked: {compiled.error or 'mode is off'}")
        return _output(event, None, "", (), messages), None, notes, settings.log
    turn, problem = _turn(event)
    if problem:
        notes.append(problem)
    scanner = Scanner(compiled.rules or shipped_rules(), once=True)
    examined = examine(event, turn, scanner, settings, memory)
    if examined.note:
        notes.append(examined.note)
    memory = _tell_let_through(examined, messages)
    state.save(memory)
    if state.problem:
        notes.append(state.problem)
        if examined.decision.action == BLOCK and event.stop_hook_active:
            # without a memory, the same finding could send the turn back again and again
            decision = examined.decision.replace(action=REPORT, why="no session state")
            examined = examined.replace(decision=decision)
    text = examined.analysis.text
    decision = examined.decision
    reason = ""
    if decision.action == BLOCK:
        reason = reason_text(text, decision, interactive=_is_interactive(env))
    elif settings.notify and decision.matches:
        messages.append(_notification(decision))
    return (
        _output(event, decision, reason, decision.matches, messages),
        examined,
        notes,
        settings.log,
    )


def _configuration(
    event: Event,
    env: Mapping[str, str],
    memory: Memory,
    messages: list[str],
    ready: Compiled | None,
) -> tuple[Compiled, Memory, list[str]]:
    """Return the configuration that the session began with; add what the user must be told.

    ``ready`` is the present one, None when it is not compiled yet.
    """
    found = settings_key(env, _folder(event, env))
    current = found[0] if found else ""
    pinned = current if memory.settings_key is None else memory.settings_key
    notes = []
    compiled = None
    if pinned != current:
        cache = cache_folder(env)
        compiled = Compiled() if not pinned else cache and read_compiled(cache, pinned)
        if compiled:
            text = "groundwire: the settings changed; they take effect with the next session."
            memory = _tell(memory, f"changed {current}", text, messages)
    if not compiled:
        pinned = current
        compiled = ready
    if compiled is None:
        notes.append("settings are not compiled yet; the shipped ones were used")
        return Compiled(), memory, notes
    memory = memory.replace(settings_key=pinned)
    if compiled.error:
        text = f"groundwire: turns are not checked, the configuration is broken: {compiled.error}"
        memory = _tell(memory, f"error {pinned}", text, messages)
    for warning in compiled.warnings:
        memory = _tell(memory, f"warning {pinned} {warning}", f"groundwire: {warning}", messages)
    return compiled, memory, notes


def _folder(event: Event, env: Mapping[str, str]) -> str:
    return env.get("CLAUDE_PROJECT_DIR") or event.cwd


def _turn(event: Event) -> tuple[Turn, str]:
    try:
        return turn_of(event), ""
    except TranscriptError as error:
        return Turn(), str(error)


def _tell(memory: Memory, name: str, text: str, messages: list[str]) -> Memory:
    """Add a message to the user unless the session was given it before."""
    if name in memory.told:
        return memory
    messages.append(text)
    return memory.replace(told=(*memory.told, name)[-_MOST_TOLD:])


def _tell_let_through(examined: Examined, messages: list[str]) -> Memory:
    decision, memory = examined.decision, examined.memory
    if not decision.let_through:
        return memory
    name = f"let through {decision.let_through}"
    return _tell(memory, name, let_through_text(decision), messages)


def _notification(decision: Decision) -> str:
    worst = max(decision.matches, key=lambda match: match.confidence)
    count = len(decision.matches)
    noun = "statement" if count == 1 else "statements"
    return (
        f'groundwire: {count} doubtful {noun}, the worst at {worst.confidence}: "{worst.evidence}"'
    )


def _output(
    event: Event,
    decision: Decision | None,
    reason: str,
    matches: tuple[Match, ...],
    messages: list[str],
) -> str:
    fields: dict[str, Any] = {}
    if decision and decision.action == BLOCK:
        fields = {"decision": "block", "reason": reason}
    if matches and not event.strict_host:
        worst = sorted(matches, key=lambda m: -m.confidence)[:MOST_MATCHES]
        fields["matches"] = [match_fields(m) for m in sorted(worst, key=lambda m: m.offset)]
    if messages:
        fields["systemMessage"] = "\n".join(messages)
    if not fields:
        return "{}" if event.strict_host else ""
    return json_codec.dumps(fields)


def _is_interactive(env: Mapping[str, str]) -> bool:
    attended = env.get("CLAUDE_CODE_SESSION_ATTENDED")
    return attended != "0" and not env.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")


def _record(
    raw: Mapping[str, Any], decision: Decision, started: float, notes: list[str]
) -> dict[str, Any]:
    milliseconds = (perf_counter() - started) * 1000
    return decision_record(__version__, raw, decision, milliseconds=milliseconds, notes=notes)


def _start_session(
    event: Event, raw: Mapping[str, Any], env: Mapping[str, str], now: float
) -> Reply:
    """Fix the session's settings, compile them ahead, and give the model the framing."""
    folder = state_folder(env)
    if folder:
        forget_old_sessions(folder, now)
    ready = ensure_compiled(env, _folder(event, env), START_WAIT)
    state = SessionState(folder, event.session_id or event.transcript_path)
    messages: list[str] = []
    try:
        memory = state.memory
        if raw.get("source") != "compact":
            memory = memory.replace(settings_key=None)
        compiled, memory, _ = _configuration(event, env, memory, messages, ready)
        state.save(memory)
    finally:
        state.close()
    fields: dict[str, Any] = {}
    if compiled.settings.framing and compiled.settings.mode != "off" and not compiled.error:
        context = {"hookEventName": SESSION_START, "additionalContext": FRAMING}
        fields["hookSpecificOutput"] = context
    if messages:
        fields["systemMessage"] = "\n".join(messages)
    return Reply(json_codec.dumps(fields) if fields else "")
