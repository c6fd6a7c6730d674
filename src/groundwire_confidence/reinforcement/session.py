"""The reinforced confidence of one session, as plain data that goes from turn to turn.

Pure: ``advance`` takes the session so far and one event, and returns the session after it. The hook
keeps ``session_fields`` in its state file and reads it back with ``read_session``.
"""

from __future__ import annotations

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire_confidence.assessment import Assessment, AssessmentFactor, rounded, unit
from groundwire_confidence.reinforcement.formulas import (
    ALPHA,
    C_MIN,
    CODE_REFACTOR_PER_FILE,
    DECAY_PER_MONTH,
    DELTA,
    INIT,
    NON_MD_PER_FILE,
    STATES,
    Modifiers,
    checked_base,
    clamped,
    modifiers_of,
    primary_step,
    transition,
)
from groundwire_confidence.reinforcement.milestones import MILESTONES, milestone_boost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeGuard

_SCHEMA = 1
_COUNTS = ("steps", "refactored", "created", "decay_months")
#: No count of a real session comes near it; beyond it the stored data is no session.
_MOST = 1_000_000


class Session(Record):
    """What a session has gathered.

    ``core`` is the confidence from evidence alone, after ``steps`` steps; ``entered`` are the
    states entered so far, each once, in the order of STATES; ``refactored`` and ``created`` count
    files; ``decay_months`` is the age of the oldest data used; ``matched`` says that the automaton
    found patterns.
    """

    core: float = C_MIN
    steps: int = 0
    state: str = INIT
    entered: tuple[str, ...] = ()
    refactored: int = 0
    created: int = 0
    decay_months: int = 0
    matched: bool = False


class Event(Record):
    """One thing that happened: a symbol, a step of evidence, counts; each part may be missing.

    A step of evidence needs both ``evidence`` and ``observation`` (0 to 1).
    """

    symbol: str = ""
    evidence: float | None = None
    observation: float | None = None
    refactored: int = 0
    created: int = 0
    decay_months: int = 0
    matched: bool = False


def new_session(base: float | None = None) -> Session:
    """Return a session that begins at ``base`` (None: C_MIN); raises ConfidenceError."""
    return Session(core=checked_base(base))


def advance(session: Session, event: Event, alpha: float = ALPHA, delta: float = DELTA) -> Session:
    """Return the session after one event; raises ConfidenceError for values out of range."""
    core, steps = session.core, session.steps
    if event.evidence is not None and event.observation is not None:
        core = primary_step(core, event.evidence, event.observation, alpha, delta)
        steps += 1
    elif event.evidence is not None or event.observation is not None:
        raise ConfidenceError("evidence and observation: allowed: both or none")
    state, _ = transition(session.state, event.symbol)
    entered = session.entered
    if state != session.state and state not in entered:
        entered = tuple(one for one in STATES if one in (*entered, state))
    return Session(
        core,
        steps,
        state,
        entered,
        session.refactored + _count("refactored", event.refactored),
        session.created + _count("created", event.created),
        max(session.decay_months, _count("decay_months", event.decay_months)),
        session.matched or bool(event.matched),
    )


def advance_all(
    session: Session, events: Iterable[Event], alpha: float = ALPHA, delta: float = DELTA
) -> Session:
    """Return the session after all ``events``, in their order."""
    for event in events:
        session = advance(session, event, alpha, delta)
    return session


def session_modifiers(session: Session) -> Modifiers:
    """Return what the session adds to its core, each modifier once."""
    return modifiers_of(session.entered).replace(
        aho_corasick=session.matched,
        code_refactor=session.refactored * CODE_REFACTOR_PER_FILE,
        non_md_penalty=session.created * NON_MD_PER_FILE,
        data_decay=session.decay_months * DECAY_PER_MONTH,
    )


def session_milestone(session: Session) -> str:
    """Return the name of the highest milestone whose state the session has entered: M1 to M4."""
    reached = {INIT, *session.entered}
    return [one.name for one in MILESTONES if one.state in reached][-1]


def assess_session(session: Session, *, apply_milestone_boost: bool = False) -> Assessment:
    """Return the reinforced confidence: core plus modifiers, clamped to 0..1.

    The level is the state. There is no threshold: a session is never judged by this number alone.
    """
    parts = {"core": session.core, **session_modifiers(session).parts()}
    name = session_milestone(session)
    if apply_milestone_boost:
        parts["milestone_boost"] = milestone_boost([name])
    factors = tuple(
        AssessmentFactor(part, rounded(value), 1.0, rounded(value))
        for part, value in parts.items()
        if value or part == "core"
    )
    value = rounded(clamped(sum(parts.values())))
    steps = "1 step" if session.steps == 1 else f"{session.steps} steps"
    why = f"state {session.state} after {steps} of evidence, milestone {name}"
    return Assessment("reinforcement", value, session.state, factors=factors, why=why)


def session_fields(session: Session) -> dict[str, Any]:
    """Return the session as JSON-safe fields."""
    fields = {name: getattr(session, name) for name in type(session)._fields}
    return {"schema": _SCHEMA, **fields, "entered": list(session.entered)}


def read_session(value: object) -> Session | None:
    """Return the session that decoded JSON holds; None when it is none, whatever is wrong."""
    if not isinstance(value, dict) or value.get("schema") != _SCHEMA:
        return None
    try:
        core = unit("core", value.get("core"))
    except ConfidenceError:
        return None
    entered = value.get("entered")
    if not isinstance(entered, list) or any(state not in STATES for state in map(str, entered)):
        return None
    counts = [value.get(name) for name in _COUNTS]
    if any(not _is_count(count) for count in counts):
        return None
    if value.get("state") not in list(STATES) or not isinstance(value.get("matched"), bool):
        return None
    fields = {name: value[name] for name in Session._fields}
    order = tuple(state for state in STATES if state in entered)
    return Session(**{**fields, "core": core, "entered": order})


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


def _count(name: str, value: object) -> int:
    if not _is_count(value):
        raise ConfidenceError(f"{name}: value {value!r:.60}: allowed: a whole number of at least 0")
    return value
