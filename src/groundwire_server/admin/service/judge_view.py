"""What the judge and the second look said of a turn, with the calls that they name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from groundwire.base.errors import FileError
from groundwire.base.paths import cache_folder
from groundwire.base.settings import Settings
from groundwire.hook.second_look_state import NOTE, WAKE
from groundwire.runs.digest import untold, why_text
from groundwire.turn.page import TurnDigest
from groundwire_judge.answer import OMITTED
from groundwire_judge.applied import CLEAR, DECIDE, JUDGE, joined, logit_of
from groundwire_judge.cache import CACHE, SqliteCache
from groundwire_server.admin.service.reading import FactorView, ReadMatchView
from groundwire_server.admin.service.view import View
from groundwire_server.admin.store.tables import LookRow


class StatementView(View):
    """What the judge said of one statement.

    ``text`` and ``call_title`` are empty when the turn cannot be read any more.
    """

    n: int
    offset: int
    end: int
    text: str
    probability: int
    kind: str
    why: str
    call: int
    call_title: str
    call_id: str


class JudgeView(View):
    """The judge's answer about a turn; statements that it does not name it holds for harmless.

    ``asked`` is the key of the kept digest, "" for answers older than that.
    """

    may: str
    provider: str
    model: str
    prompt_version: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    milliseconds: float
    cached: bool
    asked: str = ""
    dropped: int
    statements: list[StatementView]


def judge_view(
    entry: Mapping[str, Any] | None, digest: TurnDigest | None, call_ids: Sequence[str]
) -> JudgeView | None:
    """Return a logged answer; ``digest`` and ``call_ids`` are of the turn as it is read now."""
    if entry is None:
        return None
    places = {(one.number, one.start): one for one in digest.statements} if digest else {}
    titles = {call.number: call.title for call in digest.calls} if digest else {}
    statements = []
    for one in entry["statements"]:
        place, call = places.get((one["n"], one["offset"])), one["call"]
        named = call_ids[call - 1] if 0 < call <= len(call_ids) else ""
        statements.append(
            StatementView(
                **one,
                end=place.end if place else one["offset"],
                text=place.text if place else "",
                call_title=titles.get(call, ""),
                call_id=named,
            )
        )
    return JudgeView(**{**entry, "statements": statements})


def kept_digest(asked: str, env: Mapping[str, str]) -> str:
    """Return what was shown by the key of a question, as it was sent; "" when that is not kept."""
    folder = cache_folder(env)
    if not asked or not folder:
        return ""
    try:
        with closing(SqliteCache(Path(folder) / CACHE)) as cache:
            return cache.question(asked)
    except FileError:
        return ""


def said_at(judge: JudgeView | None, offset: int) -> StatementView | None:
    """Return what was said of the statement at an offset of the message."""
    views = judge.statements if judge else ()
    return next((one for one in views if one.offset <= offset < max(one.end, one.offset + 1)), None)


def with_judge(match: ReadMatchView, judge: JudgeView | None, settings: Settings) -> ReadMatchView:
    """Return a match with the confidence in the log, where it is the judge that made it so."""
    then = match.logged_confidence
    if judge is None or then in (None, match.confidence):
        return match
    said = said_at(judge, match.offset)
    probability = said.probability if said else OMITTED
    made = {
        CLEAR: min(match.confidence, probability),
        DECIDE: joined(match.confidence, probability, settings.judge.join),
    }
    if made.get(judge.may) != then:
        return match
    factor = FactorView(
        name=JUDGE,
        weight=settings.judge.join.judge,
        value=logit_of(probability),
        points=then - match.confidence,
        call_id=said.call_id if said else "",
    )
    return match.model_copy(update={"confidence": then, "factors": [*match.factors, factor]})


TOLD = (WAKE, NOTE)


class FoundView(View):
    """One statement of a second look.

    ``act``: wake, note, nothing, or dropped. ``reason`` is what the model said of it, and
    ``untold`` why it neither woke Claude nor was noted, "" where it did. ``call_id`` is empty when
    the turn cannot be read any more.
    """

    n: int
    text: str
    probability: int
    kind: str
    act: str
    reason: str
    untold: str
    quote: str
    call: int
    call_id: str


class LookView(View):
    """The second look at a turn; ``act`` is what came of it: wake, note or nothing.

    ``why`` says what kept it from waking Claude. ``vote`` is 1, -1 or null.
    """

    id: str
    at: datetime
    act: str
    why: str
    provider: str
    model: str
    cost: float | None
    milliseconds: float
    cached: bool
    statements: list[FoundView]
    vote: int | None


def look_view(row: LookRow, call_ids: Sequence[str] = (), vote: int | None = None) -> LookView:
    """Return a look; ``call_ids`` are those of the turn as it is read now."""
    look = row.look
    return LookView(
        **{name: look[name] for name in LookView.model_fields if name in look}
        | {
            "id": row.id,
            "at": row.at,
            "act": row.act,
            "vote": vote,
            "statements": [
                FoundView(
                    **{name: one[name] for name in FoundView.model_fields if name in one},
                    reason=why_text(one["why"], one["missing"], one["call"]),
                    untold="" if one["act"] in TOLD else untold(one),
                    call_id=call_ids[one["call"] - 1] if 0 < one["call"] <= len(call_ids) else "",
                )
                for one in look["statements"]
            ],
        }
    )


def told(look: LookView | None) -> list[FoundView]:
    """Return the statements that woke Claude or were noted."""
    return [one for one in look.statements if one.act in TOLD] if look else []
