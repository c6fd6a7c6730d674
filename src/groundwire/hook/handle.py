"""The hook without its process: one event in, one line of JSON or nothing out.

Joins the pipeline with the session's memory and the decision log. ``handle_event`` may raise; the
entry point turns every failure into a turn that ends.
"""

from __future__ import annotations

import os
from time import perf_counter, sleep

from groundwire.base.budget import Watch
from groundwire.base.extras import MEMORY_STEPS, TURN_STEPS, load
from groundwire.base.model import BLOCK, PASS, REPORT, Analysis, Decision, Turn
from groundwire.base.paths import state_folder
from groundwire.base.record import Record
from groundwire.base.rules import RuleSet, shipped_rules
from groundwire.base.settings import OFF, SHIPPED, Log, Settings
from groundwire.base.version import __version__
from groundwire.hook.compiled import Compiled
from groundwire.hook.log import append
from groundwire.hook.log_record import decision_record
from groundwire.hook.memory import SessionState, read_memory
from groundwire.hook.session import Session, ensure_compiled
from groundwire.hook.sources import JUDGING
from groundwire.inputs.event import SESSION_START, STOP, Event, is_handled, read_event
from groundwire.language.automaton import Scanner
from groundwire.report.json_output import stop_json
from groundwire.verdict.decision import Memory, no_response, prompt_key
from groundwire.verdict.examine import Examined, decided, examine, holds_message, turn_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

#: Seconds that a turn waits for changed settings to be compiled.
TURN_WAIT = 0.6
#: Seconds that a turn waits for tool results that the transcript does not hold yet.
LAG_WAIT = 1.0
_LAG_STEP = 0.03
#: Seconds that it waits for the final message itself, behind which no call can be missing.
MESSAGE_WAIT = 0.2
_MESSAGE_STEP = 0.01
_NOTHING_READ = -2


class Reply(Record):
    """What goes to stdout, and the line for the decision log (None: nothing to log)."""

    output: str = ""
    record: dict[str, Any] | None = None
    log: Log = SHIPPED.log


def scanner_for_one(rules: RuleSet | None) -> Scanner:
    """Return a scanner for the one message of this process; None means the shipped rules."""
    return Scanner(rules or shipped_rules(), once=True)


def handle_event(
    raw: Mapping[str, Any],
    env: Mapping[str, str],
    now: float,
    scanner_of: Callable[[RuleSet | None], Scanner] = scanner_for_one,
) -> Reply:
    """Answer one decoded event; ``scanner_of`` gives the scanner for a rule set."""
    started = perf_counter()
    if not is_handled(raw) or env.get(JUDGING):  # the session is the judge's own
        return Reply()
    event = read_event(raw)
    if event.name == SESSION_START:
        from groundwire.hook.start import start_session  # once a session

        return Reply(start_session(event, raw, env, now))
    state_at, name = state_folder(env), event.session_id or event.transcript_path
    session, compiled = begin_turn(event, raw, env)
    trial = bool(state_at) and os.path.exists(f"{state_at}/trial")
    if trial:
        from groundwire.hook.trial import count_turn, on_trial

        compiled = on_trial(compiled)
    examined = _examined(event, session, compiled, scanner_of, env, now)
    state = SessionState(state_at, name)  # from here on nothing waits
    try:
        examined = _decided_and_saved(examined, state, session, compiled, env, now)
    finally:
        state.close()
    record = decision_record(
        __version__,
        raw,
        examined.decision,
        message_id=examined.message_id,
        suppressed=len(examined.analysis.suppressed),
        milliseconds=(perf_counter() - started) * 1000,
        notes=session.notes,
        models=examined.models,
    )
    if event.name == STOP and state_at and os.path.exists(f"{state_at}/second-look/notes"):
        from groundwire.hook.second_look_state import look_folder, take_notes

        kept = take_notes(look_folder(env) or "", name)
        session.messages += [f"groundwire: {line}" for line in kept]
    if compiled.settings.notify:
        from groundwire.report.reason import notifications

        session.messages += notifications(examined.decision)
    if trial and state_at and event.name == STOP and compiled.settings.mode == REPORT:
        session.messages += count_turn(state_at, examined.decision)
    output = _answer(event, env, examined, session)
    return Reply(output, record, compiled.settings.log)


def begin_turn(
    event: Event, raw: Mapping[str, Any], env: Mapping[str, str]
) -> tuple[Session, Compiled]:
    """Return the session of ``event`` as it is remembered, and the settings of its turn."""
    folder, name = event.folder(env), event.session_id or event.transcript_path
    state_at = state_folder(env)
    session = Session(read_memory(state_at, name) if state_at else Memory())
    compiled = session.configuration(env, folder, ensure_compiled(env, folder, TURN_WAIT))
    if compiled.settings.profiles:
        from groundwire.hook.profiles import profiled, turn_facts

        facts = turn_facts(event, raw, folder)
        compiled = session.limited(profiled(compiled.settings, facts), compiled)
    return session, compiled


def log_reply(reply: Reply, env: Mapping[str, str]) -> str:
    """Write the reply's line to the decision log; return "" or what went wrong."""
    return append(state_folder(env), reply.record, reply.log) if reply.record else ""


def failure_record(error: str, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the log line of a turn that ended unchecked."""
    return decision_record(__version__, raw, Decision(PASS), error=error)


def _examined(
    event: Event,
    session: Session,
    compiled: Compiled,
    scanner_of: Callable[[RuleSet | None], Scanner],
    env: Mapping[str, str],
    now: float,
) -> Examined:
    """Examine the message of ``event`` unless its settings forbid it; may wait, holds no lock."""
    settings = compiled.settings
    if compiled.error or settings.mode == OFF:
        session.notes.append(f"not checked: {compiled.error or 'mode is off'}")
        return Examined(Analysis(""), Decision(PASS), session.memory)
    watch = Watch(settings.limits.cpu_ms)
    turn = read_turn(event, session, watch)
    session.notes += watch.notes
    examined = examine(event, turn, scanner_of(compiled.rules), settings, session.memory)
    if examined.decision.action == BLOCK and examined.situation is not None:
        from groundwire.hook.accuser_votes import lost_rights  # few turns are stopped

        names = {match.accuser for match in examined.decision.blocking if match.accuser}
        if lost := lost_rights(env, names):
            situation = examined.situation.replace(lost=lost)
            session.notes += [f"{name} may not stop: your votes took its right" for name in lost]
            examined = decided(examined.replace(situation=situation), session.memory)
    return _with_steps(TURN_STEPS, compiled, examined, session, env, now)


def _with_steps(
    group: str,
    compiled: Compiled,
    examined: Examined,
    session: Session,
    env: Mapping[str, str],
    now: float,
) -> Examined:
    """Return the turn after the steps of extras; one that fails leaves it as it was, with a note.

    Internal agents and compaction summaries are left alone: they answer nobody.
    """
    if not compiled.steps or examined.situation is None or no_response(examined.situation):
        return examined
    for step in (reference for at, reference in compiled.steps if at == group):
        try:
            examined = load(step)(examined, session, compiled.settings, env, now)
        except Exception as failure:
            session.notes.append(f"{step}: {type(failure).__name__}: {failure}")
    return examined


def _decided_and_saved(
    examined: Examined,
    state: SessionState,
    session: Session,
    compiled: Compiled,
    env: Mapping[str, str],
    now: float,
) -> Examined:
    """Decide by what the session remembers now, and save that; ``state`` holds its lock."""
    if not state.problem and session.renew(state.memory):
        examined = decided(examined, session.memory)
    event = examined.situation.event if examined.situation else Event("")
    examined = _with_steps(MEMORY_STEPS, compiled, examined, session, env, now)
    session.notes += examined.notes
    old_memory = session.memory
    session.memory = examined.memory
    if examined.decision.action == BLOCK:
        why = _why_forbidden(event, state, compiled.settings, env, now)
        if why:
            session.memory = old_memory.replace(digest=examined.memory.digest)
            decision = examined.decision.replace(action=REPORT, why=why)
            examined = examined.replace(decision=decision)
    session.tell_let_through(examined.decision)
    if examined.told[0]:
        session.tell(*examined.told)
    state.save(session.memory)
    if state.problem:
        session.notes.append(state.problem)
    return examined


def _why_forbidden(
    event: Event, state: SessionState, settings: Settings, env: Mapping[str, str], now: float
) -> str:
    """Return why this turn is not stopped although its findings ask for it, or "".

    Without a memory, or with one that was lost, the same finding could send the turn back again
    and again.
    """
    if state.problem and event.stop_hook_active:
        return "no session state"
    from groundwire.base.paths import passing_folder  # only for a stop
    from groundwire.hook.memory import takes_place

    name = (event.session_id or event.transcript_path, prompt_key(event))
    free = takes_place(passing_folder(env), "\n".join(name), settings.blocks_per_prompt, now)
    if free is None:
        return "no session state" if state.problem else ""
    return "" if free else "blocks of this prompt are used up"


def _answer(event: Event, env: Mapping[str, str], examined: Examined, session: Session) -> str:
    decision = examined.decision
    reason = ""
    if decision.action == BLOCK:
        from groundwire.report.reason import reason_text  # few turns are stopped

        reason = reason_text(
            examined.analysis.text,
            decision,
            interactive=is_interactive(env),
            confidence=examined.confidence,
        )
    return stop_json(decision, reason, session.messages, strict_host=bool(event.host))


def read_turn(event: Event, session: Session, watch: Watch) -> Turn:
    """Read the turn that ``event`` ends, as far as ``watch`` has time for it.

    Claude Code writes the transcript late, so this waits for lines that are on their way. As long
    as the final message is not there, the calls before it may be missing, too. The whole file may
    be late at the end of a session's first turn.
    """
    if not event.transcript_path:
        return Turn()
    started = perf_counter()
    turn, read_size = Turn(), _NOTHING_READ
    repeated = event.stop_hook_active and not event.message  # the last one there may be the old one
    while True:
        waited = perf_counter() - started
        size = _size(event.transcript_path)
        if size < 0 and waited < MESSAGE_WAIT:
            sleep(_MESSAGE_STEP)
            continue
        if size != read_size:
            try:
                turn, read_size = turn_of(event, watch), size
            except OSError as error:  # a transcript that cannot be read
                session.notes.append(str(error))
                return Turn()
        complete = all(call.result is not None for call in turn.calls)
        if complete and (waited >= MESSAGE_WAIT or (holds_message(event, turn) and not repeated)):
            return turn
        if waited >= LAG_WAIT:
            session.notes.append("the transcript lacks the result of a tool call")
            return turn
        sleep(_MESSAGE_STEP if complete else _LAG_STEP)


def _size(path: str) -> int:
    """Return the size of a file in bytes, 0 without a path, -1 when there is no such file."""
    try:
        return os.stat(path).st_size if path else 0
    except ValueError:  # no path that a system knows: reading says so
        return 0
    except OSError:
        return -1


def is_interactive(env: Mapping[str, str]) -> bool:
    """Tell whether a person sits before the client."""
    attended = env.get("CLAUDE_CODE_SESSION_ATTENDED")
    return attended != "0" and not env.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")
