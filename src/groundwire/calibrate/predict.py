"""What groundwire says about labelled messages, unit by unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.calibrate.samples import Sample
from groundwire.decision import Memory
from groundwire.model import Analysis, Decision, Match
from groundwire.record import Record
from groundwire.service.examine import examine
from groundwire.service.full import Runtime


class Unit(Record):
    """One labelled sentence: its flag, and the highest of its matches (None without one).

    ``judged``: a rater looked at this unit by itself. ``matches`` are in the order of the text.
    """

    message: str
    number: int
    session: str
    repo: str
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
    decision: Decision
    units: tuple[Unit, ...]


def predict(samples: Iterable[Sample], runtime: Runtime) -> list[Prediction]:
    """Analyse each sample as the first message of its session."""
    return [_predict(sample, runtime) for sample in samples]


def units_of(predictions: Iterable[Prediction]) -> list[Unit]:
    """Return all units that have a flag; disputed ones are left out."""
    return [unit for prediction in predictions for unit in prediction.units]


def highest(matches: Sequence[Match]) -> Match | None:
    """Return the match with the highest confidence above 0, the first one of several."""
    best = max(matches, key=lambda match: match.confidence, default=None)
    return best if best and best.confidence > 0 else None


def _predict(sample: Sample, runtime: Runtime) -> Prediction:
    examined = examine(sample.event, sample.turn, runtime.scanner, runtime.settings, Memory())
    message = sample.message
    inside: dict[int, list[Match]] = {}
    for match in examined.analysis.matches:
        inside.setdefault(message.unit_at(match.offset), []).append(match)
    units = []
    for number in range(1, len(message.units) + 1):
        flag = message.flag(number)
        if flag is None:
            continue
        matches = tuple(inside.get(number, ()))
        judged = number in message.labels
        owner = (message.id, number, message.session, message.repo)
        units.append(Unit(*owner, flag, judged, highest(matches), matches))
    return Prediction(sample, examined.analysis, examined.decision, tuple(units))
