"""Factors of a match to its confidence, 0-100, in a turn whose tool calls are known.

    confidence = round_half_up(100 * sigmoid(sum of weight * value))

``bare.py`` has the score of a message without its turn, and the values that both share.
"""

from __future__ import annotations

from math import log

from groundwire.bare import (
    DENSITY_MATCHES,
    DENSITY_VALUE,
    NEARBY_VALUE,
    STACKING_VALUE,
    length_value,
    logit,
    percent,
)
from groundwire.model import (
    CONTRADICTED,
    EARLIER,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Factor,
    Verdict,
)
from groundwire.record import Record
from groundwire.settings import Settings, Verdicts

#: ``category_stacking`` beside a verdict: what was found out says more than a second kind of words.
JUDGED_STACKING_VALUE = 0.35
#: With a ledger. ``signals``: for each other claim in the sentence, up to three; one weak word says
#: little, several about the same thing say more. ``position``: a report closes with
#: what the work is worth, and reviewers challenge the close.
SIGNALS_VALUE = 0.3
SIGNALS_MATCHES = 3
POSITION_VALUE = 0.8
#: ``turn_length``, beside a verdict: the negative of the value for few tool calls, the value for
#: many, and the two bounds. The more a turn did, the more often what is said of it goes too far.
TURN_VALUE = 0.8
FEW_CALLS = 2
MANY_CALLS = 40
#: What a verdict guarantees whatever else speaks for or against the match. The ceiling is for what
#: the turn shows, wholly or in part.
CONTRADICTED_FLOOR = 95
SHOWN_CEILING = 49


class Circumstances(Record):
    """What scoring needs to know about one candidate besides its marker.

    ``words`` of the whole message; ``near_reference`` on bare text; ``neighbours`` are the other
    distinct matches of the paragraph; ``stacked`` says that another kind is in the sentence;
    ``context`` is the value of the mildest context filter. Only with a ledger: ``signals`` counts
    the other distinct matches of the sentence, ``position`` is 1 in the closing sentences of a
    message and 0 elsewhere, ``calls`` are the tool calls of the turn.
    """

    words: int
    near_reference: bool = False
    neighbours: int = 0
    stacked: bool = False
    context: float = 0.0
    signals: int = 0
    position: int = 0
    calls: int = 0


def score(
    strength: str,
    verdict: Verdict | None,
    seen: Circumstances,
    settings: Settings,
) -> tuple[int, tuple[Factor, ...]]:
    """Return the confidence of one match and its factors with their points.

    The points of a factor are the change in confidence when that factor is removed.
    """
    weights = settings.weights
    values = {
        "pattern_strength": logit(getattr(settings.strengths, strength)),
        "text_length": 0.0 if verdict else length_value(seen.words),
        "evidence_proximity": _evidence_value(verdict, seen.near_reference, settings.verdicts),
        "context_density": DENSITY_VALUE * min(seen.neighbours, DENSITY_MATCHES),
        "category_stacking": _stacking_value(seen.stacked, bool(verdict)),
        "context": seen.context,
        "signals": SIGNALS_VALUE * min(seen.signals, SIGNALS_MATCHES),
        "position": POSITION_VALUE * seen.position,
        "turn_length": turn_value(seen.calls, verdict),
    }
    parts = {name: getattr(weights, name) * value for name, value in values.items()}
    total = sum(parts.values())
    confidence = percent(total)
    factors = tuple(
        [
            Factor(
                name,
                getattr(weights, name),
                value,
                confidence - percent(total - parts[name]) if parts[name] else 0,
            )
            for name, value in values.items()
        ]
    )
    return _bounded(confidence, verdict), factors


def turn_value(calls: int, verdict: Verdict | None) -> float:
    """Return the value of ``turn_length``: linear in log(calls) between the two bounds.

    What speaks against a claim loses nothing by the turn being short.
    """
    if not verdict or not calls:
        return 0.0
    value = TURN_VALUE * (2 * _share(calls, FEW_CALLS, MANY_CALLS) - 1)
    return max(value, 0.0) if verdict.status in (UNSUPPORTED, CONTRADICTED) else value


def _share(count: int, few: int, many: int) -> float:
    """Return how far ``count`` is from ``few`` (0) to ``many`` (1), linear in its logarithm."""
    return log(min(max(count, few), many) / few) / log(many / few)


def _evidence_value(verdict: Verdict | None, near_reference: bool, values: Verdicts) -> float:
    if verdict:
        return float(getattr(values, verdict.status))
    return NEARBY_VALUE if near_reference else 0.0


def _stacking_value(stacked: bool, judged: bool) -> float:
    if not stacked:
        return 0.0
    return JUDGED_STACKING_VALUE if judged else STACKING_VALUE


def _bounded(confidence: int, verdict: Verdict | None) -> int:
    if verdict and verdict.status == CONTRADICTED and verdict.printed:
        return max(confidence, CONTRADICTED_FLOOR)
    if verdict and (verdict.status in (SUPPORTED, EARLIER) or _is_partly_shown(verdict)):
        return min(confidence, SHOWN_CEILING)
    return confidence


def _is_partly_shown(verdict: Verdict) -> bool:
    """Tell whether a call of the turn shows some of it: to be told, not to be stopped for."""
    return verdict.status == QUALIFIED and bool(verdict.call_id)
