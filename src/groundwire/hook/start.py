"""The start of a session: its settings are fixed and compiled, and the model is told the rules."""

from __future__ import annotations

import os

from groundwire.base.paths import state_folder
from groundwire.base.settings import OFF
from groundwire.hook.memory import SessionState, forget
from groundwire.hook.session import Session, ensure_compiled, session_environment
from groundwire.inputs.event import SESSION_START, Event
from groundwire.report.json_output import encoded
from groundwire.turn.session import Digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

#: Sessions that were not seen for so many seconds are forgotten.
KEEP_SECONDS = 7 * 24 * 3600
#: Seconds that a start waits for changed settings to be compiled.
START_WAIT = 3.0
#: Sources of a session that has no turns yet.
_NEW_SESSIONS = ("startup", "clear")
FRAMING = (
    "groundwire reads each final message beside what the tools of the turn returned.\n"
    "State results as the tools returned them, and name the command that shows them.\n"
    "Say what was not run or not verified; give a guess as a guess, with the check to settle it."
)
LABELS = (
    "Label each statement that matters: [VERIFIED: command] behind what a command of this turn "
    "showed, with that command as it ran; [INFERRED], [ASSUMED] or [UNVERIFIED] behind the others."
)


def start_session(event: Event, raw: Mapping[str, Any], env: Mapping[str, str], now: float) -> str:
    """Fix the session's settings, compile them ahead, and return the framing for the model.

    It is printed as it is: "" where the settings switch it off and there is nothing to say.
    """
    folder = state_folder(env)
    begins = raw.get("source") != "compact"
    if folder:
        forget_old_sessions(folder, now)
        if begins and os.path.exists(f"{folder}/second-look"):
            _leave_session(f"{folder}/second-look", event, env, now)
    ready = ensure_compiled(env, event.folder(env), START_WAIT)
    state = SessionState(folder, event.session_id or event.transcript_path)
    try:
        memory = state.memory.replace(environment=session_environment(env))
        if raw.get("source") in _NEW_SESSIONS:
            memory = memory.replace(digest=Digest(), models=None)
        session = Session(memory.replace(settings_key=None) if begins else memory)
        compiled = session.configuration(env, event.folder(env), ready)
        state.save(session.memory)
    finally:
        state.close()
    settings = compiled.settings
    taught = ""
    if settings.mode != OFF and not compiled.error:
        asked = ((settings.framing, FRAMING), (settings.labels, LABELS))
        taught = "\n".join(text for wanted, text in asked if wanted)
    return _answer(taught, session.messages)


def _answer(context: str, messages: Sequence[str]) -> str:
    """Return the answer to a SessionStart event; ``context`` is read by the model."""
    fields: dict[str, Any] = {}
    if context:
        output = {"hookEventName": SESSION_START, "additionalContext": context}
        fields["hookSpecificOutput"] = output
    return encoded(fields, messages)


def _leave_session(folder: str, event: Event, env: Mapping[str, str], now: float) -> None:
    """Let no look at what the client did before wake it in this session; never raises."""
    from groundwire.hook.second_look_state import CLIENT_PROCESS, begin_session

    try:
        forget(os.path.join(folder, "looks"), "", KEEP_SECONDS, now)
        begin_session(folder, env.get(CLIENT_PROCESS, ""), f"{event.session_id} {now:.6f}")
    except (OSError, ValueError):
        return


def forget_old_sessions(folder: str, now: float) -> None:
    """Remove the memories of sessions that were not seen for ``KEEP_SECONDS``; never raises."""
    try:
        forget(os.path.join(folder, "sessions"), "", KEEP_SECONDS, now)
    except (OSError, ValueError):
        return
