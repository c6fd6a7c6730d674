"""What the second look found after the turn, and the vote on it."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from groundwire_admin.pages.judge_says import call_details, probability_chips
from groundwire_admin.pages.panels import panel
from groundwire_admin.pages.text import chip, day, money, words
from groundwire_admin.pages.verdicts import look_words
from groundwire_admin.pages.votes import vote_buttons
from groundwire_admin.service import Admin
from groundwire_admin.service.decisions import DecisionDetail
from groundwire_admin.service.look_view import FoundView, LookView, told

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
        words(_how(look), "p", "soft")
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


def _how(look: LookView) -> str:
    model = " ".join(filter(None, (look.provider, look.model))) or "no model answered"
    spent = f"{look.milliseconds / 1000:.1f} s, {money(look.cost)}"
    return f"{model}, {'answered from the cache' if look.cached else spent}, {day(look.at)}."
