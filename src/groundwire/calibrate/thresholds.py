"""Thresholds at which a turn is stopped, for a wanted precision of the stopped turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil

import numpy as np
import numpy.typing as npt

from groundwire.calibrate.figures import has_flag, is_judged
from groundwire.calibrate.predict import Prediction
from groundwire.confidence.share import Share
from groundwire.decision import combined_suspicion
from groundwire.model import CONTRADICTED, UNSUPPORTED, Match
from groundwire.record import Record
from groundwire.settings import Thresholds

#: Fewer stopped turns than these say too little about their precision.
FEWEST = 5
#: The rules that can stop a turn, by the names of their thresholds.
RULES = ("block", "words_block", "idle_words_block", "message_block")
Chosen = tuple[int, int, int, int]  # a threshold for each rule
Hits = npt.NDArray[np.bool_]


class Proposal(Record):
    """The proposed thresholds, and what they reach on the turns that they were chosen on.

    ``reached``: flagged among the stopped turns; ``recall``: stopped among the flagged ones.
    ``alone`` is ``reached`` for each rule of ``RULES`` by itself.
    """

    thresholds: Thresholds
    reached: Share
    recall: Share
    alone: tuple[Share, ...]


class Turns(Record):
    """Scores (turns x rules, 0 where a rule has nothing to go by) and flags of judged turns."""

    scores: npt.NDArray[np.float64]
    flags: Hits


def propose(
    predictions: Sequence[Prediction], precision: float, now: Thresholds
) -> Proposal | None:
    """Return the thresholds that stop the most flagged turns with the wanted precision (0-1).

    None when no thresholds reach it on ``FEWEST`` turns. ``block`` is at least ``now.report``,
    ``message_block`` at least ``block``, and the two for words are only ever raised: from where
    they are on, words alone are enough. Predictions should be out of fold.
    """
    turns = turns_of(predictions, now.report)
    best: tuple[tuple[int, int, int], Chosen] | None = None
    for chosen in _choices(turns, now):
        hits = stopped(turns, chosen)
        reached = _share(hits, turns.flags)
        if reached.count < FEWEST or reached.value < precision:
            continue
        # the most flagged turns, then the fewest others, then the smallest change
        change = sum(abs(one - getattr(now, rule)) for rule, one in zip(RULES, chosen, strict=True))
        rank = (reached.hits, -reached.count, -change)
        if best is None or rank > best[0]:
            best = rank, chosen
    if best is None:
        return None
    chosen = best[1]
    reached = _share(stopped(turns, chosen), turns.flags)
    return Proposal(
        now.replace(**dict(zip(RULES, chosen, strict=True))),
        reached,
        Share(reached.hits, int(turns.flags.sum())),
        tuple(_share(_hits(turns, rule, chosen[rule]), turns.flags) for rule in range(len(RULES))),
    )


def turns_of(predictions: Sequence[Prediction], report: int) -> Turns:
    """Return what the rules go by in each turn, and whether one of its sentences is flagged."""
    judged = [one for one in predictions if is_judged(one)]
    return Turns(
        np.array([_scores(one, report) for one in judged], dtype=float).reshape(-1, len(RULES)),
        np.array([has_flag(one) for one in judged], dtype=bool),
    )


def stopped(turns: Turns, chosen: Chosen) -> Hits:
    """Return which turns at least one rule stops."""
    return np.asarray(np.any(turns.scores >= np.maximum(chosen, 1), axis=1))


def _scores(prediction: Prediction, report: int) -> tuple[float, float, float, float]:
    matches = [match for match in prediction.analysis.matches if match.confidence >= report]
    against = [match for match in matches if _lacks_evidence(match)]
    words = [match for match in matches if not _lacks_evidence(match)]
    used_tools = bool(prediction.sample.turn.calls)
    idle = [match for match in words if used_tools and not match.verdict]
    return (
        _highest(against),
        _highest([match for match in words if match not in idle]),
        _highest(idle),
        combined_suspicion(against) if against else 0,
    )


def _highest(matches: Sequence[Match]) -> int:
    return max((match.confidence for match in matches), default=0)


def _choices(turns: Turns, now: Thresholds) -> Iterator[Chosen]:
    """Yield the thresholds that differ in what they stop, and those in use."""
    blocks, words, idles, messages = (
        sorted({ceil(score - 1e-9) for score in column if score > 0} | {100})
        for column in turns.scores.T
    )
    wanted = product(
        {*blocks, now.block},
        {one for one in words if one > now.words_block} | {now.words_block},
        {one for one in idles if one > now.idle_words_block} | {now.idle_words_block},
        {*messages, now.message_block},
    )
    for chosen in wanted:
        if now.report <= chosen[0] <= chosen[-1]:
            yield chosen


def _hits(turns: Turns, rule: int, threshold: int) -> Hits:
    return np.asarray(turns.scores[:, rule] >= max(threshold, 1))


def _share(hits: Hits, flags: Hits) -> Share:
    return Share(int(np.sum(hits & flags)), int(np.sum(hits)))


def _lacks_evidence(match: Match) -> bool:
    return match.verdict is not None and match.verdict.status in (UNSUPPORTED, CONTRADICTED)
