"""A judge in the hook: when it is asked about a turn, and what becomes of its answer.

Imported only when the settings switch it on. It is a process of its own, so that the hook loads no
client, and nothing holds the session while it thinks. Whatever goes wrong is no opinion and a note
in the log.
"""

from __future__ import annotations

import os
import subprocess
import sys
from time import monotonic

from groundwire.base import json_codec
from groundwire.base.model import UNSUPPORTED, Judged, Marker, Match, Verdict
from groundwire.base.paths import state_folder
from groundwire.base.record import Record
from groundwire.base.settings import AFTER
from groundwire.hook.second_look_state import NOTE, WAKE, look_folder
from groundwire.inputs.event import SUBAGENT_STOP
from groundwire.language.safe import safe
from groundwire.report.prose import one_line
from groundwire.runs.digest import digest_of_turn
from groundwire.verdict.decision import (
    blocks_spent,
    exemption,
    no_response,
    prompt_key,
    without_faint_companions,
)
from groundwire.verdict.examine import Examined, decided
from groundwire_judge.answer import Answer, answer_from
from groundwire_judge.applied import JUDGE, apply
from groundwire_judge.grounds import around_of, findings_of, without_unwanted
from groundwire_judge.limits import settle, take
from groundwire_judge.request import turn_request
from groundwire_judge.rights import act_of, right_of
from groundwire_judge.wake import ground_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from groundwire.base.settings import Judge, Settings
    from groundwire.hook.session import Session
    from groundwire.turn.page import TurnDigest
    from groundwire.verdict.decision import Memory

UNSURE, CLAIMS = "unsure", "claims"
#: Reasons to let a turn end that make an opinion needless: it goes on, or is only a plan.
_MODE = "mode is "
#: Characters of the shortest sentence that states something.
_SHORTEST = 12
#: Seconds that its process has to end, and between two looks at whether it is wanted.
_GRACE, _STEP = 0.5, 0.25
#: The problem of an answer that nobody wants any more.
UNWANTED = "it was no longer wanted"
_MOST_LOGGED = 40


class Opinion(Record):
    """What a judge says of a turn: ``digest`` is what it was shown, None when it was not asked.

    ``notes`` are for the log, ``texts`` for the user.
    """

    answer: Answer = Answer()
    digest: TurnDigest | None = None
    notes: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


def with_judge(
    examined: Examined, session: Session, settings: Settings, env: Mapping[str, str], now: float
) -> Examined:
    """Return the turn as it stands after the judge was asked, if it is to be asked.

    Where a look behind the turn is possible, that is the second look's work.
    """
    event = examined.situation.event if examined.situation else None
    if settings.judge.run == AFTER and not (event and event.host):
        return examined
    if not is_asked(examined, settings, session.memory):
        return examined
    opinion = opinion_on(examined, settings, env, now)
    session.notes += opinion.notes
    session.messages += [f"groundwire: {safe(text, 500)}" for text in opinion.texts]
    if opinion.digest is None or opinion.answer.problem:
        return examined
    if settings.judge.run == AFTER:  # a host that runs no hook behind the turn
        return _with_findings(examined, opinion, settings, session, env)
    return judged(examined, opinion, settings, session)


def is_asked(examined: Examined, settings: Settings, memory: Memory) -> bool:
    """Tell whether the judge is asked about a turn: never about one without a claim."""
    situation, judge = examined.situation, settings.judge
    if situation is None or examined.findings is None or no_response(situation):
        return False
    event = situation.event
    reason = exemption(situation, settings)
    if reason and (event.name == SUBAGENT_STOP or not reason.startswith(_MODE)):
        return False
    if blocks_spent(memory, prompt_key(event)) >= settings.blocks_per_prompt > 0:
        return False
    matches = without_faint_companions(examined.analysis.matches)
    if judge.when == UNSURE:
        low, high = judge.band
        return bool(matches) and low <= max(one.confidence for one in matches) <= high
    if judge.when == CLAIMS:
        return bool(matches) and did_something(examined)
    return states_something(examined)


def did_something(examined: Examined) -> bool:
    """Tell whether the turn edited, ran or searched anything."""
    turn = examined.timeline
    return turn is not None and bool(turn.edits or turn.runs or turn.searches)


def states_something(examined: Examined) -> bool:
    """Tell whether a sentence of the message is no question and more than a word."""
    findings = examined.findings
    if findings is None:
        return False
    text = findings.folded.text
    sentences = (text[one.start : one.end].strip() for one in findings.sentences)
    return any(len(one) >= _SHORTEST and not one.endswith(("?", ":")) for one in sentences)


def opinion_on(
    examined: Examined,
    settings: Settings,
    env: Mapping[str, str],
    now: float,
    is_wanted: Callable[[], bool] = lambda: True,
) -> Opinion:
    """Ask the judge about a turn, within its limits and while it ``is_wanted``; never raises."""
    judge, folder = settings.judge, state_folder(env)
    try:
        gate = take(folder, judge, now)
        texts = tuple(filter(None, (gate.text,)))
        if gate.refusal:
            return Opinion(notes=(f"the judge was not asked: {gate.refusal}",), texts=texts)
        digest = digest_of_turn(examined, judge.characters, redact=judge.redact)
        if digest is None:
            return Opinion()
        answer = ask_process(turn_request(digest, judge), env, is_wanted)
        problem = one_line(answer.problem)
        if problem == UNWANTED:  # no fault of the judge
            return Opinion(answer, digest, (f"no opinion of the judge: {UNWANTED}",))
        text = settle(folder or "", now, problem=problem, cached=answer.cached, cost=answer.cost)
    except Exception as failure:
        return Opinion(notes=(f"no opinion of the judge: {type(failure).__name__}",))
    notes = (f"no opinion of the judge: {problem}",) if problem else ()
    return Opinion(answer, digest, notes, (*texts, *filter(None, (text,))))


def ask_process(
    request: Mapping[str, Any],
    env: Mapping[str, str],
    is_wanted: Callable[[], bool] = lambda: True,
) -> Answer:
    """Return the answer of the judge's process.

    It is ended when its time is over, or when the answer is no longer wanted.
    """
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ask_main.py")
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-I", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(env),
    ) as process:
        end = monotonic() + request["budget_ms"] / 1000
        data: bytes | None = json_codec.dumps(dict(request)).encode()
        while True:
            try:
                out, _ = process.communicate(data, timeout=max(0.0, min(_STEP, end - monotonic())))
                break
            except subprocess.TimeoutExpired:
                data = None  # the rest of it is sent by the next call
            if monotonic() >= end or not is_wanted():
                _end(process)
                late = f"no answer within {request['budget_ms']} ms"
                return Answer(problem=late if monotonic() >= end else UNWANTED)
    try:
        return answer_from(json_codec.loads(out))
    except (AttributeError, TypeError, ValueError):
        return Answer(problem="an answer of another kind")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the judge's process; it ends what it has started itself."""
    process.terminate()
    try:
        process.communicate(timeout=_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()


def judged(examined: Examined, opinion: Opinion, settings: Settings, session: Session) -> Examined:
    """Return the turn with what the judge says in its matches, its decision and its log."""
    assert opinion.digest is not None
    calls = examined.timeline.calls if examined.timeline else ()
    analysis = examined.analysis
    applied = apply(
        analysis.text,
        analysis.matches,
        opinion.digest,
        opinion.answer,
        settings,
        [call.id for call in calls],
    )
    if applied.note:
        session.notes.append(applied.note)
    fields = log_fields(opinion.digest, opinion.answer, settings.judge)
    examined = examined.replace(
        analysis=analysis.replace(matches=applied.matches),
        settings=applied.settings,
        shown=applied.shown,
        models={**examined.models, JUDGE: fields},
    )
    return decided(examined, session.memory)


def _with_findings(
    examined: Examined,
    opinion: Opinion,
    settings: Settings,
    session: Session,
    env: Mapping[str, str],
) -> Examined:
    """Return the turn with the judge's findings as matches; those that would wake stop it.

    What they say to the model are words of ours, as in a wake. They lift no stop.
    """
    digest, timeline = opinion.digest, examined.timeline
    assert digest is not None
    assert examined.findings is not None
    around = around_of(digest, timeline, timeline.calls if timeline else ())
    if examined.earlier is not None:
        around = around.replace(runs=examined.earlier.runs)
    sentences = examined.findings.sentences
    found = findings_of(opinion.answer, digest, sentences, timeline, around)
    asks = bool(examined.situation and examined.situation.asks_opinion)
    right = right_of(look_folder(env) or "", settings.judge)
    new = []
    for one in without_unwanted(found, settings, asks_opinion=asks):
        act = act_of(one, settings.judge, right)
        if act in (WAKE, NOTE) and one.said.kind:
            confidence = one.said.probability
            why = ground_text(one, timeline)
            new.append(
                Match(
                    one.said.kind,
                    examined.analysis.text[one.start : one.end],
                    one.start,
                    confidence,
                    Marker(JUDGE, one.said.kind),
                    (one.start, one.end),
                    verdict=Verdict(UNSUPPORTED, why),
                    judged=Judged(one.said.probability, why),
                    accuser=JUDGE if act == WAKE else "",
                )
            )
    fields = log_fields(digest, opinion.answer, settings.judge)
    matches = sorted((*examined.analysis.matches, *new), key=lambda match: match.offset)
    examined = examined.replace(
        analysis=examined.analysis.replace(matches=tuple(matches)),
        models={**examined.models, JUDGE: fields},
    )
    return decided(examined, session.memory)


def log_fields(digest: TurnDigest, answer: Answer, judge: Judge) -> dict[str, Any]:
    """Return what the decision log holds of an answer; no text of the turn is in it."""
    places = {one.number: one.start for one in digest.statements}
    names = (
        "provider", "model", "prompt_version", "input_tokens", "output_tokens", "cost",
        "milliseconds", "cached", "dropped", "asked",
    )  # fmt: skip
    rows = [
        {
            "n": one.number,
            "offset": places[one.number],
            "probability": one.probability,
            "kind": one.kind,
            "why": one.why,
            "call": one.call,
        }
        for one in answer.said[:_MOST_LOGGED]
    ]
    return {"may": judge.may, **{name: getattr(answer, name) for name in names}, "statements": rows}
