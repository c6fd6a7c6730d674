"""What groundwire says about labelled messages, unit by unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from groundwire.calibrate.labels import Message
from groundwire.calibrate.samples import Sample
from groundwire.decision import Memory, Situation, decide
from groundwire.model import Analysis, Decision, Match
from groundwire.record import Record
from groundwire.service.examine import examine
from groundwire.service.runtime import Runtime
from groundwire.settings import Settings

Spot = tuple[int, int]  # where a sentence stands in its message


class Unit(Record):
    """One labelled sentence: its flag, and the highest of its matches (None without one).

    ``judged``: a rater looked at this unit by itself. ``matches`` are in the order of the text.
    """

    number: int
    flag: int
    judged: bool
    best: Match | None
    matches: tuple[Match, ...]

    @property
    def confidence(self) -> int:
        """The confidence (0-100) of the highest match, 0 without one."""
        return self.best.confidence if self.best else 0


class Prediction(Record):
    """The analysis of one sample, its decision, and its units that have a flag."""

    sample: Sample
    analysis: Analysis
    situation: Situation
    decision: Decision
    units: tuple[Unit, ...]


def predict(samples: Iterable[Sample], runtime: Runtime) -> list[Prediction]:
    """Analyse each sample as the first message of its session."""
    return [_predict(sample, runtime) for sample in samples]


def with_confidences(
    prediction: Prediction, confidences: Mapping[Spot, int], settings: Settings
) -> Prediction:
    """Return the prediction with other confidences for some sentences, decided anew."""
    analysis = prediction.analysis
    matches = tuple(
        match.replace(confidence=confidences.get(match.sentence, match.confidence))
        for match in analysis.matches
    )
    return decided(prediction.replace(analysis=analysis.replace(matches=matches)), settings)


def decided(prediction: Prediction, settings: Settings) -> Prediction:
    """Return the prediction with the decision that ``settings`` make of its matches."""
    matches = prediction.analysis.matches
    text, message = prediction.analysis.text, prediction.sample.message
    decision, _ = decide(text, matches, prediction.situation, settings, Memory())
    return prediction.replace(decision=decision, units=_units(message, matches))


def units_of(predictions: Iterable[Prediction]) -> list[Unit]:
    """Return all units that have a flag; disputed ones are left out."""
    return [unit for prediction in predictions for unit in prediction.units]


def highest(matches: Sequence[Match]) -> Match | None:
    """Return the match with the highest confidence above 0, the first one of several."""
    best = max(matches, key=lambda match: match.confidence, default=None)
    return best if best and best.confidence > 0 else None


def _predict(sample: Sample, runtime: Runtime) -> Prediction:
    examined = examine(sample.event, sample.turn, runtime.scanner, runtime.settings, Memory())
    analysis, situation = examined.analysis, examined.situation
    assert situation is not None
    units = _units(sample.message, analysis.matches)
    return Prediction(sample, analysis, situation, examined.decision, units)


def _units(message: Message, matches: Sequence[Match]) -> tuple[Unit, ...]:
    matches_by_unit: dict[int, list[Match]] = {}
    for match in matches:
        matches_by_unit.setdefault(message.unit_at(match.offset), []).append(match)
    units = []
    for number in range(1, len(message.units) + 1):
        flag = message.flag(number)
        if flag is not None:
            own = tuple(matches_by_unit.get(number, ()))
            units.append(Unit(number, flag, number in message.labels, highest(own), own))
    return tuple(units)
