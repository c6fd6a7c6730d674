"""What the judge and the second look said of a turn."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from groundwire_server.admin.pages.decisions import kind_words, look_words, vote_buttons
from groundwire_server.admin.pages.elements import chip, day, words
from groundwire_server.admin.pages.panels import panel
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.decisions import DecisionDetail
from groundwire_server.admin.service.judge_view import (
    FoundView,
    JudgeView,
    LookView,
    StatementView,
    said_at,
    told,
)
from groundwire_server.admin.service.reading import CallView
from groundwire_server.admin.service.report_rows import money

_MAY = {
    "advise": "Advisory only: it changed nothing.",
    "clear": "It could lift a stop, not add one.",
    "decide": "Its probabilities were combined with the hook's confidences.",
}
#: Probability from which a statement is coloured.
_DOUBTED, _CHALLENGED = 30, 60
_LONGEST_TITLE = 100


def judge_panel(detail: DecisionDetail) -> None:
    """Add what the judge said; nothing when none was asked."""
    judge = detail.judge
    if judge is None:
        return
    calls = {call.id: call for call in detail.calls}
    with panel("What the judge said"):
        words(_how(judge), "p", "soft")
        for one in sorted(judge.statements, key=lambda one: (-one.probability, one.n)):
            with ui.element("div").classes("said"):
                words(f"Statement {one.n}" + (f": “{one.text}”" if one.text else ""), "p")
                _opinion(one)
                if one.call_id in calls:
                    call_details(calls[one.call_id], f"Call {one.call}: ")
                elif one.call:
                    words(f"Call {one.call} of the turn", "p", "small soft")
        if not judge.statements:
            words("No statement was challenged.", "p")
        if judge.dropped:
            words(f"Unusable entries in its answer: {judge.dropped}", "p", "help")


def judged(detail: DecisionDetail, offset: int) -> None:
    """Add what the judge said of the statement at an offset, if it did."""
    said = said_at(detail.judge, offset)
    if said:
        _opinion(said, "Judge: ")


def _opinion(one: StatementView, lead: str = "") -> None:
    probability_chips(one.probability, one.kind, one.why, lead)


def probability_chips(probability: int, kind: str, why: str, lead: str = "") -> None:
    """Add how likely a statement would be challenged, as what, and why."""
    tone = "bad" if probability >= _CHALLENGED else "warn"
    with ui.element("div").classes("line"):
        chip(f"{lead}{probability} %", tone if probability >= _DOUBTED else "")
        if kind:
            chip(kind_words(kind))
        words(why)


def _how(judge: JudgeView) -> str:
    """Return who was asked, what it may do, and what it took."""
    model = " ".join(filter(None, (judge.provider, judge.model))) or "unnamed model"
    if judge.cached:
        spent = "answered from the cache"
    else:
        spent = f"{judge.milliseconds / 1000:.1f} s, {money(judge.cost)}"
    asked = f"{model}, prompt v{judge.prompt_version}, {spent}."
    meaning = "Percent: how likely a reviewer would challenge the statement."
    return " ".join(filter(None, (asked, _MAY.get(judge.may, ""), meaning)))


def digest_panel(detail: DecisionDetail) -> None:
    """Add the digest of the turn, folded: as the judge saw it where that is kept."""
    seen = "The digest that the judge saw"
    title = seen if detail.digest_kept else "The turn as a judge would see it"
    with panel(title):
        if not detail.digest:
            words("Not kept, and it cannot be rebuilt without the transcript.", "p")
            return
        if detail.digest_kept:
            words("Kept as it was sent.", "p", "soft")
        else:
            words("Rebuilt from the transcript with today's settings.", "p", "soft")
        with ui.element("details").classes("call digest"):
            words("Show the digest", "summary")
            words(detail.digest, "pre", "mono small wrap output").props("tabindex=0")


def call_details(call: CallView, lead: str = "") -> None:
    """Add a tool call that was looked at; it opens on demand."""
    with ui.element("details").classes("call"):
        state = "failed" if call.is_error else "succeeded"
        command = call.input.partition("\n")[0][:_LONGEST_TITLE]
        words(f"{lead}{call.name}: {command} ({state})", "summary", "wrap")
        words(call.input, "pre", "mono small wrap")
        result = call.result if call.result is not None else "(no result)"
        words(result, "pre", "mono small wrap output").props("tabindex=0")


_MEANINGS = {
    "wake": "Claude was told after the turn, and asked to correct itself.",
    "note": "You were told in one line; Claude was not.",
    "nothing": "Nobody was told anything.",
}


def look_panel(detail: DecisionDetail, keep: Callable[..., None]) -> None:
    """Add the second look at the turn; nothing without one. ``keep`` takes the vote on it."""
    look = detail.look
    if look is None:
        return
    calls = {call.id: call for call in detail.calls}
    with panel("Second look"):
        with ui.element("div").classes("line"):
            chip(*look_words(look.act))
            words(f"{_MEANINGS.get(look.act, '')} {f'({look.why})' if look.why else ''}")
        words(_look_mark(look), "p", "soft")
        for one in told(look):
            with ui.element("div").classes("said"):
                _statement(one)
                if one.call_id in calls:
                    call_details(calls[one.call_id], f"Call {one.call}: ")
        rest = [one for one in look.statements if one.untold]
        if rest:
            with ui.element("details"):
                words(f"{len(rest)} dropped or too unsure", "summary")
                for one in rest:
                    with ui.element("div").classes("said"):
                        _statement(one)
                        words(f"Not told: {one.untold}.", "p", "help")
        if not look.statements:
            words("No statement was challenged.", "p")
        if told(look):
            vote_buttons("Was the second look right?", look.vote, keep)


def vote_on_look(admin: Admin, look: LookView) -> Callable[..., None]:
    """Return what keeps a vote on a look: that of the user of this machine, whoever signed in."""
    return lambda vote, **_who: admin.decisions.vote_on_look(look.id, vote)


def _statement(one: FoundView) -> None:
    words(f"Statement {one.n}: “{one.text}”", "p")
    probability_chips(one.probability, one.kind, one.reason)
    if one.quote:
        words(f"It quotes: “{one.quote}”", "p", "small soft")


def _look_mark(look: LookView) -> str:
    model = " ".join(filter(None, (look.provider, look.model))) or "no model answered"
    spent = f"{look.milliseconds / 1000:.1f} s, {money(look.cost)}"
    return f"{model}, {'answered from the cache' if look.cached else spent}, {day(look.at)}."
