"""The second look: after the end of a turn a language model checks its message once more.

Claude Code starts this in the background with the Stop event and waits for nothing. A finding that
is sure enough, has grounds in the session, and comes while the session has not moved on wakes the
model; a less sure one becomes a line for the user. Whatever fails is no opinion and a note in the
decision log.
"""

from __future__ import annotations

import os
from time import monotonic, perf_counter, sleep

from groundwire.base.budget import Watch
from groundwire.base.model import BLOCK, Decision
from groundwire.base.paths import state_folder
from groundwire.base.record import Record
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import AFTER, OFF, SHIPPED, Log
from groundwire.base.version import __version__
from groundwire.hook.handle import begin_turn, is_interactive, read_turn
from groundwire.hook.log_record import decision_record
from groundwire.hook.memory import takes_place
from groundwire.hook.second_look_state import (
    CLIENT_PROCESS,
    EVENT,
    NOTE,
    NOTHING,
    WAKE,
    begin_look,
    is_newest,
    keep_note,
    look_folder,
    session_mark,
)
from groundwire.hook.sources import JUDGING
from groundwire.inputs.event import STOP, Event, read_event
from groundwire.language.automaton import Scanner
from groundwire.language.safe import safe
from groundwire.turn.session import Digest
from groundwire.verdict.decision import exemption, no_response, prompt_key, was_sent_back
from groundwire.verdict.examine import Examined, examine, holds_message, turn_of
from groundwire_judge.before_end import did_something, opinion_on, states_something
from groundwire_judge.grounds import Around, Finding, around_of, findings_of, without_unwanted
from groundwire_judge.rights import act_of, key_of, right_of
from groundwire_judge.wake import note_text, wake_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from groundwire.base.model import Turn
    from groundwire.base.settings import Settings
    from groundwire.hook.session import Session
    from groundwire.turn.page import TurnDigest
    from groundwire_judge.answer import Answer

#: Milliseconds of a look in the background; where the client waits, ``judge.budget_ms`` holds.
BACKGROUND_MS = 60_000
#: First version of Claude Code that runs the entry of a look in the background, and wakes. Found
#: by trying: 2.1.139, 2.1.197, 2.1.329 and 2.1.332 do; 2.1.138 knows ``asyncRewake``, but no
#: ``args``, so it starts an interpreter without a file. It and older ones (2.1.100, 2.1.69, 2.1.20,
#: 2.0.76) take the settings file and run the hooks of others.
OLDEST_CLIENT = (2, 1, 139)
#: The mode in which nothing is stopped and nobody told.
ONLY_REPORT = "report"
#: Bytes of the longest transcript that is read for what earlier turns did.
_LONGEST_SESSION = 64 * 2**20
#: Seconds in which the final message has to come into the transcript, and between two looks there.
_MESSAGE_WAIT, _MESSAGE_STEP = 3.0, 0.2
_MOST_LOGGED, _TEXT = 40, 80


class Look(Record):
    """What comes of one look: ``wake`` is for the model, "" when it is left alone."""

    wake: str = ""
    record: dict[str, Any] | None = None
    log: Log = SHIPPED.log


class _Place(Record):
    """Where a look is: its event and turn, the folder of looks, the session, and the time."""

    event: Event
    turn: Turn
    folder: str
    session: str
    now: float
    is_wanted: Callable[[], bool]


def look_again(raw: Mapping[str, Any], env: Mapping[str, str], now: float) -> Look:
    """Look at the turn that the Stop event ``raw`` ended; may raise."""
    started = perf_counter()
    folder = look_folder(env)
    if raw.get("hook_event_name") != STOP or env.get(JUDGING) or folder is None:
        return Look()
    event = read_event(raw)
    session, compiled = begin_turn(event, raw, env)
    settings = compiled.settings
    if compiled.error or OFF in (settings.mode, settings.judge.when) or settings.judge.run != AFTER:
        return Look()
    if os.path.exists(f"{state_folder(env)}/trial"):
        settings = settings.replace(mode=ONLY_REPORT)
    turn = _turn_with_message(event, session, settings.limits.cpu_ms)
    if turn is None:
        return Look()
    scanner = Scanner(compiled.rules or shipped_rules(), once=True)
    examined = examine(event, turn, scanner, settings, session.memory)
    if not is_due(examined, settings, stopped=_is_stopped(examined, turn, session.memory)):
        return Look()
    attended = is_interactive(env)
    name = event.session_id or event.transcript_path
    mark = f"{os.getpid()} {now:.6f}"
    begin_look(folder, name, mark)
    is_wanted = _watch(folder, name, mark, env)
    asked = settings
    if attended and client_version(turn) >= OLDEST_CLIENT:
        asked = settings.replace(judge=settings.judge.replace(budget_ms=BACKGROUND_MS))
    opinion = opinion_on(examined, asked, env, now, is_wanted)
    for text in opinion.texts if attended else ():  # of limits, and of a judge that is left alone
        keep_note(folder, name, safe(text, 500))
    place = _Place(event, turn, folder, name, now, is_wanted)
    wake, fields = "", {"act": NOTHING}
    if opinion.digest is not None and not opinion.answer.problem:
        around = _around(event, examined, opinion.digest, turn)
        findings = findings_on(examined, opinion.answer, opinion.digest, settings, around)
        right = right_of(folder, settings.judge)
        acts = [act_of(one, settings.judge, right) for one in findings]
        act, why = _act(examined, settings, place, acts)
        meant = [one for one, its in zip(findings, acts, strict=True) if its in (WAKE, NOTE)]
        if act == WAKE:
            sure = [one for one, its in zip(findings, acts, strict=True) if its == WAKE]
            wake = wake_text(sure, opinion.digest, examined.timeline)
        elif act == NOTE and attended:
            keep_note(folder, name, note_text(meant[0], len(meant) - 1))
        fields = look_fields(opinion.answer, findings, acts)
        fields |= {"act": act, "right": right, "key": key_of(settings.judge)}
        fields |= {"why": why} if why else {}
    record = decision_record(
        __version__,
        {**raw, "hook_event_name": EVENT, "prompt_id": _prompt_of(examined)},
        Decision(""),
        message_id=examined.message_id,
        milliseconds=(perf_counter() - started) * 1000,
        notes=[*session.notes, *examined.notes, *opinion.notes],
        models={"second_look": fields},
    )
    return Look(wake, record, settings.log)


def is_due(examined: Examined, settings: Settings, *, stopped: bool) -> bool:
    """Tell whether a turn is looked at: it did or claimed something, and nobody stopped it."""
    situation = examined.situation
    if stopped or situation is None or examined.findings is None or no_response(situation):
        return False
    reason = exemption(situation, settings)
    if reason and not reason.startswith("mode is "):
        return False
    return states_something(examined) and (
        bool(examined.analysis.matches) or did_something(examined) or situation.calls > 0
    )


def look_fields(answer: Answer, findings: Sequence[Finding], acts: Sequence[str]) -> dict[str, Any]:
    """Return what the decision log keeps of a look: at most 80 characters of each statement."""
    names = (
        "provider", "model", "prompt_version", "input_tokens", "output_tokens", "cost",
        "milliseconds", "cached", "dropped", "asked",
    )  # fmt: skip
    rows = [
        {
            "n": one.said.number,
            "offset": one.start,
            "length": one.end - one.start,
            "text": safe(one.text, _TEXT),
            "probability": one.said.probability,
            "kind": one.said.kind,
            "why": safe(one.said.why),
            "call": one.said.call,
            "quote": safe(one.said.quote, _TEXT),
            "missing": one.said.missing,
            "act": act,
            **({"dropped": one.dropped} if one.dropped else {}),
        }
        for one, act in zip(findings[:_MOST_LOGGED], acts, strict=False)
    ]
    return {**{name: getattr(answer, name) for name in names}, "statements": rows}


def client_version(turn: Turn) -> tuple[int, ...]:
    """Return the version of the client that wrote the turn; a late one where it is not known."""
    parts = turn.client.split(".")
    return tuple(map(int, parts)) if all(map(str.isdigit, parts)) else (99,)


def _turn_with_message(event: Event, session: Session, limit: float) -> Turn | None:
    """Return the turn that ``event`` ended; None where its message does not come, or is gone.

    Nobody waits for this, so a transcript that is written late gets more time than in the hook.
    """
    end = monotonic() + _MESSAGE_WAIT
    while True:
        turn = read_turn(event, session, Watch(limit))
        if holds_message(event, turn):
            return turn
        if monotonic() > end:
            return None
        sleep(_MESSAGE_STEP)


def _is_stopped(examined: Examined, turn: Turn, memory: Any) -> bool:
    """Tell whether the hook sends this very message back, or has just done so."""
    text = examined.analysis.text
    return examined.decision.action == BLOCK or was_sent_back(text, len(turn.calls), memory)


def _prompt_of(examined: Examined) -> str:
    return examined.situation.event.prompt_id if examined.situation else ""


def _watch(folder: str, name: str, mark: str, env: Mapping[str, str]) -> Callable[[], bool]:
    """Return a function that tells whether the look is still wanted.

    It is not after a newer one of its session, after ``second-look off``, without a client, or in
    another session (``/clear``), which would be woken in place of its own.
    """
    parent = os.getppid()
    client = env.get(CLIENT_PROCESS, "")
    session = session_mark(folder, client)

    def is_wanted() -> bool:
        if os.getppid() != parent or not is_newest(folder, name, mark):
            return False
        if session_mark(folder, client) != session:
            return False
        try:
            os.kill(int(client), 0)
        except ProcessLookupError:
            return False
        except (ValueError, OSError, OverflowError):  # not told, or somebody else's
            return True
        return True

    return is_wanted


def _around(event: Event, examined: Examined, digest: TurnDigest, turn: Turn) -> Around:
    """Return what the session did beside what the judge was shown, as far as it can be read."""
    try:
        if os.stat(event.transcript_path).st_size > _LONGEST_SESSION:
            return around_turn(examined, digest, turn, ()).replace(known=False)
        from groundwire.inputs.turns import all_entries, split_turns

        turns = list(split_turns(all_entries(event.transcript_path), unfinished=True))
    except (OSError, ValueError):
        return around_turn(examined, digest, turn, ()).replace(known=False)
    return around_turn(examined, digest, turn, turns[:-1])


def around_turn(
    examined: Examined, digest: TurnDigest, turn: Turn, before: Sequence[Turn]
) -> Around:
    """Return what the turns ``before`` did, and what the judge was not shown of this one."""
    around = around_of(digest, examined.timeline, turn.calls)
    earlier = examined.earlier or Digest(whole=False)
    calls = [call for one in before for call in one.calls]
    is_whole = not any(one.partial for one in (*before[:1], turn))
    return around.replace(
        calls=(*calls, *around.calls), runs=earlier.runs, known=around.known and is_whole
    )


def findings_on(
    examined: Examined, answer: Answer, digest: TurnDigest, settings: Settings, around: Around
) -> tuple[Finding, ...]:
    """Return what the judge found, with the reason of each finding that does not count."""
    assert examined.findings is not None
    sentences, timeline = examined.findings.sentences, examined.timeline
    found = findings_of(answer, digest, sentences, timeline, around)
    asks_opinion = bool(examined.situation and examined.situation.asks_opinion)
    return tuple(without_unwanted(found, settings, asks_opinion=asks_opinion))


def _act(
    examined: Examined, settings: Settings, place: _Place, acts: Sequence[str]
) -> tuple[str, str]:
    """Return what is done in the end, and why the model is not woken although a finding asks."""
    if settings.mode == ONLY_REPORT:
        return NOTHING, "mode is report" if {WAKE, NOTE} & {*acts} else ""
    if WAKE not in acts:
        return (NOTE if NOTE in acts else NOTHING), ""
    why = ""
    if not place.is_wanted():
        why = "a newer turn is looked at, or the second look was switched off"
    elif has_moved_on(place.event, place.turn):
        why = "the session has moved on"
    else:
        prompt = prompt_key(examined.situation.event) if examined.situation else ""
        places = os.path.join(place.folder, "wakes")
        if not takes_place(places, f"{place.session}\n{prompt}", 1, place.now):
            why = "this prompt had its wake"
        elif not takes_place(places, "an hour", settings.judge.wakes_per_hour, place.now):
            why = "judge.wakes_per_hour is reached"
    return (NOTE if why else WAKE), why


def has_moved_on(event: Event, turn: Turn) -> bool:
    """Tell whether a prompt, a tool call or another message came behind the final message."""
    try:
        late = turn_of(event, Watch(SHIPPED.limits.cpu_ms))
    except OSError:
        return True
    if (late.prompt_id, late.prompt) != (turn.prompt_id, turn.prompt):
        return True
    if len(late.calls) != len(turn.calls):
        return True
    return bool(late.message) and not holds_message(event, late)
