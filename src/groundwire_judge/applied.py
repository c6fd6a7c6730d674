"""From the linear model and the judge to one confidence, and what that makes of the matches.

logit = base + linear * logit(linear confidence) + judge * logit(judge's probability)

The four weights are ``settings.Join``. A sentence without a marker has no linear confidence;
``unmarked`` stands for its logit.

advise
    Shows what the judge says and changes nothing.
clear
    A low probability lowers the confidence of a match: a stop may fall, and none is added.
decide
    Both models are joined, and a sentence without any marker may stop the turn.

Text in the turn that talks to the judge takes its word away: then it counts for the sentences that
hold such text and no others, and it never lifts all stops.
"""

from __future__ import annotations

from groundwire.base.model import (
    UNSUPPORTED,
    Factor,
    Judged,
    Marker,
    Match,
    Verdict,
    logit,
    percent,
)
from groundwire.base.record import Record
from groundwire.verdict.decision import blocking
from groundwire_judge.injection import injected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from groundwire.base.settings import Join, Judge, Settings
    from groundwire.turn.page import Statement, TurnDigest
    from groundwire_judge.answer import Answer, Said


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


ADVISE, CLEAR, DECIDE = "advise", "clear", "decide"
#: Marker of a match that is the judge's alone, and name of its factor.
JUDGE = "judge"
_SURE = 100
_NOT_BELIEVED = "the judge is not believed: the turn holds text that talks to it"


class Applied(Record):
    """``matches`` and ``settings`` are for the decision; ``shown`` are further ones, only reported.

    ``note`` says why the judge is not believed.
    """

    matches: tuple[Match, ...]
    settings: Settings
    shown: tuple[Match, ...] = ()
    note: str = ""


def apply(
    text: str,
    matches: tuple[Match, ...],
    digest: TurnDigest,
    answer: Answer,
    settings: Settings,
    call_ids: Sequence[str] = (),
) -> Applied:
    """Return what ``answer`` makes of the matches of ``text``, as ``settings.judge.may`` allows.

    ``call_ids`` are those of the turn's tool calls, in order.
    """
    judge = settings.judge
    by_place = {(one.start, one.end): one for one in digest.statements}
    said = {one.number: saying for one in digest.statements if (saying := answer.about(one.number))}
    view = _View(text, by_place, said, digest, call_ids)
    shown = tuple(_with_judgement(match, view) for match in matches)
    unmarked = _unmarked_matches(shown, view, judge, settings.thresholds.report)
    if judge.may == ADVISE:
        return Applied(shown, settings, unmarked)
    injection = injected(digest)
    counts = set(said)
    if injection:
        counts = set() if injection.elsewhere else set(injection.statements)
    if judge.may == CLEAR:
        decided_matches = tuple(_cleared_match(match, view, counts, judge) for match in shown)
        decided = Applied(decided_matches, settings, unmarked)
    else:
        combined = tuple(_joined_match(match, view, counts, judge) for match in shown)
        new = tuple(one for one in unmarked if view.number(one) in counts)
        decided_matches = tuple(sorted((*combined, *new), key=lambda match: match.offset))
        decided = Applied(decided_matches, _deciding_settings(settings))
    if not injection:
        return decided
    lifts_all = blocking(matches, settings.thresholds) and not blocking(
        decided.matches, decided.settings.thresholds
    )
    return (Applied(shown, settings) if lifts_all else decided).replace(note=_NOT_BELIEVED)


class _View(Record):
    """The statements by their places, and what is said of them by number."""

    text: str
    by_place: Mapping[tuple[int, int], Statement]
    said: Mapping[int, Said]
    digest: TurnDigest
    call_ids: Sequence[str]

    def number(self, match: Match) -> int:
        """Return the number of the statement that a match stands in, 0 for none."""
        statement = self.by_place.get(match.sentence)
        return statement.number if statement else 0

    def judged(self, said: Said) -> Judged:
        """Return what is said with the command of the call that it names."""
        command = next(
            (one.argument or one.tool for one in self.digest.calls if one.number == said.call), ""
        )
        return Judged(said.probability, said.why, said.call, command)

    def call_id(self, said: Said) -> str:
        """Return the id of the call that is named."""
        return self.call_ids[said.call - 1] if 0 < said.call <= len(self.call_ids) else ""


def _with_judgement(match: Match, view: _View) -> Match:
    said = view.said.get(view.number(match))
    return match.replace(judged=view.judged(said)) if said else match


def _cleared_match(match: Match, view: _View, counts: set[int], judge: Judge) -> Match:
    saying = view.said.get(view.number(match))
    if saying is None or saying.number not in counts or saying.probability >= judge.clear_below:
        return match
    return match.replace(confidence=min(match.confidence, saying.probability))


def _joined_match(match: Match, view: _View, counts: set[int], judge: Judge) -> Match:
    saying = view.said.get(view.number(match))
    if saying is None or saying.number not in counts:
        return match
    confidence = joined(match.confidence, saying.probability, judge.join)
    factor = _factor(saying, view, judge, confidence - match.confidence)
    return match.replace(confidence=confidence, factors=(*match.factors, factor))


def _factor(said: Said, view: _View, judge: Judge, points: int) -> Factor:
    value = logit_of(said.probability)
    return Factor(JUDGE, judge.join.judge, value, points, said.why, view.call_id(said))


def _unmarked_matches(
    matches: Sequence[Match], view: _View, judge: Judge, report: int
) -> tuple[Match, ...]:
    """Return a match for each sentence that only the judge suspects, from ``report`` on.

    Its evidence is the sentence, its kind and its words are the judge's.
    """
    marked_places = {match.sentence for match in matches}
    own_matches = []
    for place, statement in view.by_place.items():
        saying = view.said.get(statement.number)
        if place in marked_places or saying is None or not saying.kind:
            continue
        confidence = joined(None, saying.probability, judge.join)
        if judge.may != DECIDE:
            confidence = saying.probability
        if confidence >= min(report, judge.stop):
            own_matches.append(_own_match(statement, saying, view, judge, confidence))
    return tuple(own_matches)


def _own_match(one: Statement, saying: Said, view: _View, judge: Judge, confidence: int) -> Match:
    judged = view.judged(saying)
    verdict = Verdict(UNSUPPORTED, saying.why, view.call_id(saying), judged.command)
    return Match(
        saying.kind,
        view.text[one.start : one.end],
        one.start,
        confidence,
        Marker(JUDGE, saying.kind),
        (one.start, one.end),
        (_factor(saying, view, judge, confidence),),
        verdict,
        judged=judged,
    )


def _deciding_settings(settings: Settings) -> Settings:
    """Return settings in which one statement stops the turn from ``judge.stop`` on.

    Suspicions do not add up: what the judge says of one statement hangs together with all others.
    """
    stop = settings.judge.stop
    limits = settings.thresholds.replace(
        stop_from=stop, words_block=stop, doubt=_SURE, message_block=_SURE
    )
    return settings.replace(thresholds=limits)
