"""The worst false alarms and misses of the tune part, with their explanation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.calibrate.labels import TUNE
from groundwire.calibrate.predict import Prediction, Unit
from groundwire.render.explain import explain
from groundwire.render.prose import one_line
from groundwire.settings import Thresholds

_SENTENCE_WIDTH = 300


def false_alarms(predictions: Sequence[Prediction]) -> list[tuple[Prediction, Unit]]:
    """Return the sentences that nobody would challenge and that have a match, highest first."""
    found = [(one, unit) for one, unit in _tune(predictions) if not unit.flag and unit.best]
    return sorted(found, key=lambda pair: -pair[1].confidence)


def misses(predictions: Sequence[Prediction]) -> list[tuple[Prediction, Unit]]:
    """Return the flagged sentences, lowest confidence first."""
    found = [(one, unit) for one, unit in _tune(predictions) if unit.flag]
    return sorted(found, key=lambda pair: pair[1].confidence)


def explained(prediction: Prediction, unit: Unit, thresholds: Thresholds) -> str:
    """Return where a sentence stands, the sentence, and why it has its confidence.

    Raises ValueError for a message that is not of the tune part: its text is not to be shown.
    """
    message = prediction.sample.message
    if message.split != TUNE:
        raise ValueError(f"message {message.id} is of the part {message.split}")
    start, end = message.units[unit.number - 1]
    analysis = prediction.analysis
    inside = analysis.replace(
        matches=unit.matches,
        suppressed=tuple(one for one in analysis.suppressed if start <= one.offset < end),
    )
    label = message.labels.get(unit.number)
    kind = label.kind if label else "not judged by itself"
    place = f"{message.id} ({message.repo}), sentence {unit.number}: {unit.confidence}"
    rated = f"raters: {'flagged' if unit.flag else 'not flagged'}, {kind}"
    support = label.more.get("support") if label else None
    rated += f", {support}" if support else ""
    sentence = one_line(message.text[start:end], _SENTENCE_WIDTH)
    used_tools = bool(prediction.sample.turn.calls)
    why = explain(inside, thresholds, used_tools=used_tools)
    return "\n".join((place, rated, f"  {sentence}", "", why))


def _tune(predictions: Sequence[Prediction]) -> Iterator[tuple[Prediction, Unit]]:
    for one in predictions:
        if one.sample.message.split == TUNE:
            for unit in one.units:
                yield one, unit
