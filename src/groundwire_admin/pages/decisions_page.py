"""The decisions page: turns that the hook stopped or reported, the newest first."""

from __future__ import annotations

from functools import partial
from urllib.parse import quote, urlencode

from nicegui import ui

from groundwire.model import KINDS
from groundwire_admin.pages.calls import ask
from groundwire_admin.pages.frame import WHO, Route, frame
from groundwire_admin.pages.load import load
from groundwire_admin.pages.states import empty, notice
from groundwire_admin.pages.text import chip, day, words
from groundwire_admin.pages.verdicts import DECISIONS, decision_words, kind_words
from groundwire_admin.service import Admin, Filter
from groundwire_admin.service.decisions import DecisionPage, DecisionView, IntakeView

PATH = "/decisions"
LEAD = "Turns that the hook stopped or reported, newest first."
FLAGGED = "flagged"
#: What the filter says, and the decisions that it lets through.
FILTERS = {
    FLAGGED: "Blocked and reported",
    "block": DECISIONS["block"],
    "report": DECISIONS["report"],
    "pass": DECISIONS["pass"],
    "all": "All turns",
}
_SHOWN_MATCHES = 4


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route(PATH)
    async def page(
        decision: str = FLAGGED, kind: str = "", session: str = "", below: str = ""
    ) -> None:
        chosen = {"decision": decision, "kind": kind, "session": session}
        with frame(PATH, "Decisions", LEAD):
            _filters(chosen)
            await load(
                "the decisions",
                partial(_fetch, admin, chosen, below),
                lambda found: _show(*found, chosen),
            )


async def _fetch(
    admin: Admin, chosen: dict[str, str], below: str
) -> tuple[IntakeView, DecisionPage]:
    taken = await ask(admin.decisions.take_in)
    wanted = _filter(chosen)
    return taken, await ask(admin.decisions.page, wanted, below=below, who=WHO)


def _show(taken: IntakeView, found: DecisionPage, chosen: dict[str, str]) -> None:
    if taken.problems:
        notice("warn", "Part of the decision log could not be read", *taken.problems)
    if found.decisions:
        decision_list(found, chosen)
    elif chosen["kind"] or chosen["session"] or chosen["decision"] != FLAGGED:
        empty("Nothing matches this filter", "Choose another filter above.")
    else:
        empty("No decisions yet", "They appear here after the hook has stopped or reported a turn.")


def _filter(chosen: dict[str, str]) -> Filter:
    decision = chosen["decision"]
    return Filter(
        decision=decision if decision in DECISIONS else "",
        flagged=decision == FLAGGED,
        kind=chosen["kind"],
        session=chosen["session"],
    )


def _filters(chosen: dict[str, str]) -> None:
    def open_with(**changed: str) -> None:
        ui.navigate.to(_target(chosen | changed))

    decision, kind = chosen["decision"], chosen["kind"]
    with ui.element("div").classes("line place"):
        ui.select(
            FILTERS,
            value=decision if decision in FILTERS else FLAGGED,
            label="Decision",
            on_change=lambda event: open_with(decision=event.value),
        ).props("outlined dense")
        ui.select(
            {"": "All kinds"} | {one: kind_words(one) for one in KINDS},
            value=kind if kind in KINDS else "",
            label="Kind",
            on_change=lambda event: open_with(kind=event.value),
        ).props("outlined dense")
        field = ui.input("Session", value=chosen["session"]).props("outlined dense clearable")
        field.on("keydown.enter", lambda: open_with(session=(field.value or "").strip()))
        field.on("clear", lambda: open_with(session=""))


def decision_list(found: DecisionPage, chosen: dict[str, str]) -> None:
    """Add the decisions as links, and the link to those before."""
    words(f"{found.total:,} in all", "p", "soft small")
    with ui.element("div").classes("rows"):
        for decision in found.decisions:
            _row(decision)
    if found.following:
        ui.link("Older decisions", _target(chosen | {"below": found.following}))


def _row(decision: DecisionView) -> None:
    with ui.link(target=f"{PATH}/{quote(decision.id)}"):
        text, tone = decision_words(decision.decision)
        with ui.element("span"):
            chip(text, tone)
        with ui.element("span").classes("what"):
            words(_evidence(decision), "div")
            parts = (decision.project, decision.agent_type or "main agent", _vote(decision.vote))
            words(" · ".join(filter(None, parts)), "div", "soft small")
        words(day(decision.at), classes="when")


def _evidence(decision: DecisionView) -> str:
    """Return the first matches in words, or why there are none."""
    quotes = [f"“{match.evidence}”" for match in decision.matches[:_SHOWN_MATCHES]]
    more = len(decision.matches) - _SHOWN_MATCHES
    if more > 0:
        quotes.append(f"and {more} more")
    return "  ".join(quotes) or decision.error or decision.why or "no matches"


def _vote(vote: int | None) -> str:
    return {1: "voted right", -1: "voted wrong"}.get(vote or 0, "")


def _target(chosen: dict[str, str]) -> str:
    query = urlencode({key: value for key, value in chosen.items() if value})
    return f"{PATH}?{query}" if query else PATH
