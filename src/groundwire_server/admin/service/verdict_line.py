"""What was decided in one line: the number, the threshold beside it, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.base.model import (
    BLOCK,
    CONTRADICTED,
    EARLIER,
    NOT_CHECKABLE,
    PASS,
    QUALIFIED,
    SUPPORTED,
    UNSUPPORTED,
    Marker,
    Match,
    Verdict,
)
from groundwire.base.settings import Settings
from groundwire.language.safe import safe
from groundwire.report.reason import REPAIRS, rank
from groundwire.verdict.decision import MAY_STOP, combined_suspicion
from groundwire_judge.applied import DECIDE
from groundwire_server.admin.service.judge_view import JudgeView, said_at
from groundwire_server.admin.store.tables import DecisionMatch, DecisionRow

_UNCHECKED = "not checked: "
_LONGEST_WHY = 200
#: A threshold above it stops nothing.
_HIGHEST = 100
#: Verdicts that speak for a statement: they explain no stop.
_SPARED = (SUPPORTED, QUALIFIED, EARLIER)
#: What a verdict means.
MEANINGS = {
    CONTRADICTED: "a tool's output says otherwise",
    UNSUPPORTED: "no tool call of the turn supports it",
    QUALIFIED: "limited by its own words, or neither proved nor refuted",
    NOT_CHECKABLE: "the turn has nothing to compare it with",
    EARLIER: "known from an earlier turn",
    SUPPORTED: "a tool call of the turn supports it",
    "": "judged by its words alone",
}


def verdict_line(
    row: DecisionRow, matches: Sequence[Match], settings: Settings, judge: JudgeView | None
) -> str:
    """Return a decision in words.

    ``matches`` are those as they are read now, or as the log has them. The log keeps no
    thresholds: those of ``settings`` are named, and it is said when they have changed since.
    """
    if row.error or (not row.matches and any(one.startswith(_UNCHECKED) for one in row.notes)):
        return "Not checked; see the reason below."
    limits = settings.thresholds
    worst = foremost(row, matches, settings, judge)
    if worst is None:
        said = f"; {row.why}" if row.why else ""
        return f"Nothing reached {limits.report}, the report threshold{said}."
    number, stops = worst.confidence, _stops(worst, settings, judge)
    if worst.accuser in MAY_STOP:
        why = safe(_why(worst, matches, judge, stopped=False), _LONGEST_WHY)
        held = "" if row.decision == BLOCK else f", but the turn was not stopped ({row.why})"
        return f"A fact speaks against it ({worst.accuser}){held}: {why}"
    stopped = row.decision == BLOCK or number >= stops
    why = safe(_why(worst, matches, judge, stopped=stopped), _LONGEST_WHY)
    above = f"{number} is above {stops}" if number > stops else f"{number} reaches {stops}"
    if row.decision == BLOCK:
        if number >= stops:
            return f"{above}: {why}"
        together = round(combined_suspicion(_doubted(row.matches, matches, settings)))
        if limits.stop_from <= _HIGHEST and together >= limits.message_block:
            told = f"{together} combined reaches {limits.message_block}"
            return f"{told}; the strongest has {number}: {why}"
        today = f"the threshold is {stops}" if stops <= _HIGHEST else "confidences stop none"
        return f"{number} stopped the turn at the time; {today} today: {why}"
    if row.decision == PASS or number < limits.report:
        return f"{number} was noted with the settings at the time: {why}"
    if number >= stops:
        held = row.why or "the threshold was higher at the time"
        return f"{above}, but the turn was not stopped ({held}): {why}"
    if stops > _HIGHEST:
        return f"{number} was reported, and no fact speaks against it: {why}"
    return f"{number} is below {stops}, the block threshold: {why}"


def foremost(
    row: DecisionRow, matches: Sequence[Match], settings: Settings, judge: JudgeView | None
) -> DecisionMatch | None:
    """Return the match that a decision rests on, in the order in which the model is told of them.

    Those come first that a fact speaks against, then those that stop a turn by themselves, else
    those of the highest confidence.
    """
    markers = {(one.kind, one.offset): one.marker for one in matches}
    highest = max((one.confidence for one in row.matches), default=0)
    stopping = [one for one in row.matches if one.accuser in MAY_STOP] or [
        one for one in row.matches if one.confidence >= _stops(one, settings, judge)
    ]

    def place(one: DecisionMatch) -> tuple[int, int, int, int]:
        marker = markers.get((one.kind, one.offset), Marker(one.marker, one.kind))
        match = Match(one.kind, one.evidence, one.offset, one.confidence, marker, (0, 0))
        return rank(match.replace(verdict=Verdict(one.verdict)))

    wanted = stopping or [one for one in row.matches if one.confidence == highest]
    return min(wanted, key=place, default=None)


def _stops(match: DecisionMatch, settings: Settings, judge: JudgeView | None) -> int:
    """Return the confidence from which a match stops a turn by itself."""
    if judge and judge.may == DECIDE:
        return settings.judge.stop
    return settings.thresholds.stop_from if match.verdict else settings.thresholds.words_block


def _why(
    worst: DecisionMatch, matches: Sequence[Match], judge: JudgeView | None, *, stopped: bool
) -> str:
    """Return what the number rests on: of what stops, what is missing, as the model is told."""
    place = (worst.kind, worst.offset)
    here = [one.verdict for one in matches if (one.kind, one.offset) == place]
    same = [one for one in here if one and one.why]
    said = said_at(judge, worst.offset)
    if said and said.why and (not same or said.probability >= worst.confidence):
        named = said.call_title or (f"call {said.call}" if said.call else "")
        return f"{said.why} ({named})" if named else said.why
    meaning = MEANINGS.get(worst.verdict, MEANINGS[""])
    if stopped and (same[0].status if same else worst.verdict) in _SPARED:
        return REPAIRS.get(worst.kind, meaning).partition(". ")[0]
    return same[0].why if same else meaning


def _doubted(
    logged: Sequence[DecisionMatch], matches: Sequence[Match], settings: Settings
) -> list[Match]:
    """Return the matches that count together, with their confidences in the log."""
    then = {(one.kind, one.offset): one.confidence for one in logged}
    known = [
        one.replace(confidence=then.get((one.kind, one.offset), one.confidence)) for one in matches
    ]
    return [one for one in known if one.verdict and one.confidence >= settings.thresholds.doubt]
