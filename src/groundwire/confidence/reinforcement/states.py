"""The state machine of requirement group 004 (R004-08, R004-09, A004-10).

A modifier counts on entering its state. Validation and integration are modifiers of the score, too:
entering VALIDATE or INTEGRATE sets those, so that nothing counts twice (A004-11).
"""

from __future__ import annotations

from groundwire.confidence.reinforcement.formulas import (
    OBSERVE,
    REFRESH,
    VALIDATION,
    VV_INTEGRATION,
    Modifiers,
)
from groundwire.errors import ConfidenceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

INIT = "INIT"
#: Each state with what entering it adds.
STATES = {
    INIT: 0.0,
    "OBSERVE": OBSERVE,
    "VALIDATE": VALIDATION,
    "INTEGRATE": VV_INTEGRATION,
    "REFRESH": REFRESH,
}
TRANSITIONS = {
    (INIT, "visit"): "OBSERVE",
    ("OBSERVE", "confirm"): "VALIDATE",
    ("VALIDATE", "test"): "INTEGRATE",
    ("INTEGRATE", "merge"): "REFRESH",
    ("REFRESH", "decay_warning"): INIT,
}
SYMBOLS = tuple(symbol for _, symbol in TRANSITIONS)


def transition(state: str, symbol: str) -> tuple[str, float]:
    """Return the next state and what entering it adds; an unknown pair stays and adds 0.0.

    Raises ConfidenceError for a state that does not exist.
    """
    if state not in STATES:
        allowed = ", ".join(STATES)
        raise ConfidenceError(f"state: value {state!r:.60}: allowed: {allowed}")
    following = TRANSITIONS.get((state, symbol))
    return (state, 0.0) if following is None else (following, STATES[following])


def modifiers_of(entered: Iterable[str]) -> Modifiers:
    """Return the modifiers that the states entered stand for, each once."""
    states = set(entered)
    return Modifiers(
        validation="VALIDATE" in states,
        vv_integration="INTEGRATE" in states,
        observed="OBSERVE" in states,
        refreshed="REFRESH" in states,
    )
