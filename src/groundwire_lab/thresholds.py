"""Thresholds at which a turn is stopped, for a wanted precision of the stopped turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

import numpy as np
import numpy.typing as npt

from groundwire.base.model import Match
from groundwire.base.record import Record
from groundwire.base.settings import Settings, Thresholds
from groundwire.verdict.decision import combined_suspicion
from groundwire_confidence.assessment import Share
from groundwire_lab.figures import has_flag, is_judged
from groundwire_lab.samples import Prediction, decided

#: Fewer stopped turns than these say too little about their precision.
FEWEST = 5
#: The thresholds that are chosen; the one of bare text is none of them.
CHOSEN = ("stop_from", "doubt", "message_block")
#: Confidences from which statements may count together.
DOUBTS = (20, 25, 30, 35, 40, 45, 50)
_NEVER = 100
Hits = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.float64]


class Wanted(Record):
    """What the stopped turns are to reach: their precision, and the share of clean turns."""

    precision: float = 0.8
    false_blocks: float = 0.03


class Proposal(Record):
    """The proposed thresholds, and what they reach on the turns that they were chosen on."""

    thresholds: Thresholds
    precision: Share
    recall: Share
    false_blocks: Share


def propose(
    predictions: Sequence[Prediction], settings: Settings, wanted: Wanted
) -> Proposal | None:
    """Return the thresholds that stop the most flagged turns and reach what is wanted.

    None when none do on ``FEWEST`` turns. ``stop_from`` is at least ``report``, and
    ``message_block`` at least ``stop_from``. Predictions should be left out.
    """
    judged = [one for one in predictions if is_judged(one)]
    flags = np.array([has_flag(one) for one in judged], dtype=bool)
    suspects = [_suspects(one, settings) for one in judged]
    highest = np.array([max((m.confidence for m in of), default=0) for of in suspects])
    best: tuple[tuple[int, ...], Proposal] | None = None
    for doubt in DOUBTS:
        together = np.array([_combined_suspicion(of, doubt) for of in suspects])
        for block, message in _pairs(highest, together, settings.thresholds.report):
            hits = (highest >= block) | (together >= message)
            reached = _reached_shares(hits, flags)
            if not _is_enough(reached[0], reached[2], wanted):
                continue
            # the most flagged turns, then the fewest others, then the highest thresholds
            rank = reached[0].hits, -reached[0].count, message, block
            if best is None or rank > best[0]:
                chosen = dict(zip(CHOSEN, (block, doubt, message), strict=True))
                best = rank, Proposal(settings.thresholds.replace(**chosen), *reached)
    return best[1] if best else None


def _suspects(prediction: Prediction, settings: Settings) -> list[Match]:
    """Return the matches weighed by the model that may stop the turn, whatever the thresholds."""
    lowest = settings.thresholds.replace(
        report=1, stop_from=1, words_block=1, doubt=1, message_block=_NEVER
    )
    lowered = decided(prediction, settings.replace(thresholds=lowest, mode="enforce"))
    stopping = {match.sentence for match in lowered.decision.blocking}
    return [
        match for match in lowered.analysis.matches if match.sentence in stopping and match.verdict
    ]


def _combined_suspicion(matches: Sequence[Match], doubt: int) -> float:
    return combined_suspicion([match for match in matches if match.confidence >= doubt])


def _pairs(highest: Scores, together: Scores, least: int) -> Iterator[tuple[int, int]]:
    """Yield the thresholds of one statement, and of all, that differ in what they stop."""
    alone, all_of_them = (
        {floor(score + 1e-9) for score in scores if score > 0} for scores in (highest, together)
    )
    for message in sorted({*all_of_them, _NEVER}):
        for block in sorted({*alone, message}):
            if least <= block <= message:
                yield block, message


def _reached_shares(hits: Hits, flags: Hits) -> tuple[Share, Share, Share]:
    right, stopped = int((hits & flags).sum()), int(hits.sum())
    flagged = int(flags.sum())
    clean = len(flags) - flagged
    return Share(right, stopped), Share(right, flagged), Share(stopped - right, clean)


def _is_enough(precision: Share, false_blocks: Share, wanted: Wanted) -> bool:
    is_clean = not false_blocks.count or false_blocks.value <= wanted.false_blocks
    return precision.count >= FEWEST and precision.value >= wanted.precision and is_clean
