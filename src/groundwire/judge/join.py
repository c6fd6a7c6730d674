"""From the linear model and the judge to one confidence: ``hybrid`` of the turn. Pure.

    logit = base + linear * logit(linear confidence) + judge * logit(judge's probability)

The four weights are ``settings.Join``. A sentence without a marker has no linear confidence;
``unmarked`` stands for its logit.
"""

from __future__ import annotations

from groundwire.model import logit, percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.settings import Join

#: Nobody is surer than this share of 1; a probability of 0 or 1 has no logit.
_EDGE = 0.005


def logit_of(confidence: float) -> float:
    """Return the logit of a confidence from 0 to 100, bounded at both ends."""
    return logit(min(1 - _EDGE, max(_EDGE, confidence / 100)))


def joined(confidence: float | None, probability: float, weights: Join) -> int:
    """Return the confidence (0 to 100) of a statement by both models.

    ``confidence`` is that of the linear model, None for a statement without a marker;
    ``probability`` (0 to 100) is the judge's.
    """
    linear = weights.unmarked if confidence is None else logit_of(confidence)
    return percent(weights.base + weights.linear * linear + weights.judge * logit_of(probability))
