"""Formulas and states of the reinforced confidence (requirement group 004), as pure functions.

primary     C' = C + a*E*O*(C_max - C) - d*(C - C_min) + V + A + R + I - N - D
    full        C  = C_base + sum(E*O) + V + A + R + I - N - D
    simplified  C' = C*(1 - a/2) + a/2*C_max           as published, for d = a/2 and E*O = 1
    enhanced    C  = min(1, C_base + pattern boost + milestone bonus)

The published simplification leaves out what pulls down to C_min, so it agrees with the primary
formula only half way between C_min and C_max. The primary formula converges to ``limit``, which
always lies below C_max.

A modifier counts on entering its state. Validation and integration are modifiers of the score, too:
entering VALIDATE or INTEGRATE sets those, so that nothing counts twice (A004-11).
"""

from __future__ import annotations

from math import sqrt

from groundwire.base.errors import ConfidenceError
from groundwire.base.record import Record
from groundwire_confidence.assessment import number, rounded, unit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


#: R004-01.
C_MIN = 0.5
C_MAX = 1 / sqrt(2)
ALPHA = 0.2
ALPHA_RANGE = (0.1, 0.3)
DELTA = 0.1
DELTA_RANGE = (0.05, 0.15)
#: R004-02; the last two are magnitudes that are subtracted (A004-6).
VALIDATION = 0.05
AHO_CORASICK = 0.05
CODE_REFACTOR_PER_FILE = 0.003
VV_INTEGRATION = 0.004
NON_MD_PER_FILE = 0.01
DECAY_PER_MONTH = 0.001
#: R004-08: what entering a state adds, besides those that are modifiers of their own.
OBSERVE = 0.05
REFRESH = 0.01
#: R004-07: what one source is worth, at least and at most.
SOURCE_RANGE = (0.01, 0.05)


class Modifiers(Record):
    """What is added to or taken from a score, each once, however often it was noted.

    The flags stand for fixed values; ``code_refactor``, ``non_md_penalty`` and ``data_decay`` are
    amounts of at least 0, the last two of them subtracted.
    """

    validation: bool = False
    aho_corasick: bool = False
    code_refactor: float = 0.0
    vv_integration: bool = False
    non_md_penalty: float = 0.0
    data_decay: float = 0.0
    observed: bool = False
    refreshed: bool = False

    def parts(self) -> dict[str, float]:
        """Return what each modifier adds, by name; a deduction is negative."""
        return {
            "validation": VALIDATION if self.validation else 0.0,
            "aho_corasick": AHO_CORASICK if self.aho_corasick else 0.0,
            "code_refactor": self.code_refactor,
            "vv_integration": VV_INTEGRATION if self.vv_integration else 0.0,
            "observed": OBSERVE if self.observed else 0.0,
            "refreshed": REFRESH if self.refreshed else 0.0,
            "non_md_penalty": -self.non_md_penalty if self.non_md_penalty else 0.0,
            "data_decay": -self.data_decay if self.data_decay else 0.0,
        }

    def total(self) -> float:
        """Return the sum of all parts."""
        return sum(self.parts().values())

    def joined(self, other: Modifiers) -> Modifiers:
        """Return both together: a flag once set stays, of two amounts the larger one holds."""
        fields = type(self)._fields
        return Modifiers(*(max(getattr(self, name), getattr(other, name)) for name in fields))


NO_MODIFIERS = Modifiers()


def checked_modifiers(modifiers: Modifiers) -> Modifiers:
    """Return ``modifiers``; raises ConfidenceError for a flag or amount that is none."""
    for name in type(modifiers)._fields:
        value = getattr(modifiers, name)
        if isinstance(getattr(NO_MODIFIERS, name), bool):
            if not isinstance(value, bool):
                raise ConfidenceError(f"{name}: value {value!r:.60}: allowed: True or False")
        elif number(name, value) < 0:
            raise ConfidenceError(f"{name}: value {value!r}: allowed: a number of at least 0")
    return modifiers


def checked_base(base: float | None) -> float:
    """Return a base from C_MIN to C_MAX, C_MIN for None; raises ConfidenceError (a ValueError)."""
    if base is None:
        return C_MIN
    value = number("base", base)
    if not rounded(C_MIN) <= rounded(value) <= rounded(C_MAX):
        allowed = f"a number from {C_MIN} to {C_MAX:.6f}, or None for {C_MIN}"
        raise ConfidenceError(f"base: value {base!r}: allowed: {allowed}")
    return value


def primary_step(
    confidence: float,
    evidence: float,
    observation: float,
    alpha: float = ALPHA,
    delta: float = DELTA,
    modifiers: Modifiers = NO_MODIFIERS,
) -> float:
    """Return the confidence after one step, clamped to 0..1.

    ``modifiers`` are those of this step alone. Above ``limit`` evidence lowers the confidence:
    evidence steps come first, modifiers last (A004-3).
    """
    before = unit("confidence", confidence)
    rate, decay = _rates(alpha, delta)
    gain = rate * unit("evidence", evidence) * unit("observation", observation) * (C_MAX - before)
    loss = decay * (before - C_MIN)
    return clamped(before + gain - loss + checked_modifiers(modifiers).total())


def limit(alpha: float = ALPHA, delta: float = DELTA) -> float:
    """Return what the primary formula converges to with full evidence: never C_MAX."""
    rate, decay = _rates(alpha, delta)
    return (rate * C_MAX + decay * C_MIN) / (rate + decay)


def simplified_as_published(confidence: float, alpha: float = ALPHA) -> float:
    """Return one step of the published simplification, which is not the primary formula."""
    before = unit("confidence", confidence)
    rate, _ = _rates(alpha, DELTA)
    return before * (1 - rate / 2) + rate / 2 * C_MAX


def full(
    base: float | None,
    pairs: Iterable[tuple[float, float]] = (),
    modifiers: Modifiers = NO_MODIFIERS,
) -> float:
    """Return base plus the sum of evidence times observation plus modifiers, clamped to 0..1."""
    products = sum(unit("evidence", one) * unit("observation", two) for one, two in pairs)
    return clamped(checked_base(base) + products + checked_modifiers(modifiers).total())


def enhanced(base: float | None, boost: float, bonus: float = 0.0) -> float:
    """Return base plus pattern boost plus milestone bonus, at most 1."""
    added = 0.0
    for name, value in (("boost", boost), ("bonus", bonus)):
        if number(name, value) < 0:
            raise ConfidenceError(f"{name}: value {value!r}: allowed: a number of at least 0")
        added += value
    return min(1.0, checked_base(base) + added)


def per_source_evidence(evidence: float, observation: float) -> float:
    """Return what one source is worth: evidence times observation, within 0.01 to 0.05."""
    low, high = SOURCE_RANGE
    product = unit("evidence", evidence) * unit("observation", observation)
    return min(high, max(low, product))


def clamped(value: float) -> float:
    """Return ``value`` within 0 and 1."""
    return min(1.0, max(0.0, value))


def _rates(alpha: float, delta: float) -> tuple[float, float]:
    return _check_range("alpha", alpha, ALPHA_RANGE), _check_range("delta", delta, DELTA_RANGE)


def _check_range(name: str, value: float, bounds: tuple[float, float]) -> float:
    low, high = bounds
    if not low <= rounded(number(name, value)) <= high:
        raise ConfidenceError(f"{name}: value {value!r}: allowed: a number from {low} to {high}")
    return value


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
