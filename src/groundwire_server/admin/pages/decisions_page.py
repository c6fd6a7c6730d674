"""The decisions page: a list to work through, with the sentence, why it stopped, and the vote."""

from __future__ import annotations

from functools import partial

from fastapi import Request
from nicegui import ui

from groundwire.base.model import KINDS
from groundwire_server.admin.pages.decisions import (
    DECISIONS,
    FLAGGED,
    OPEN,
    PATH,
    Chosen,
    decision_words,
    kind_words,
    look_words,
    verdict_words,
    vote_icons,
)
from groundwire_server.admin.pages.elements import ask, chip, day, empty, load, notice, words
from groundwire_server.admin.pages.frame import Route, choice, frame, who
from groundwire_server.admin.pages.judge import vote_on_look
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.decisions import DecisionPage, IntakeView, WorkView
from groundwire_server.admin.service.judge_view import told

LEAD = (
    "Turns that the hook stopped or reported, or that a second look woke or noted, newest first. "
    "Vote to measure how often they are right."
)
KEYS = "Keys: J next, K previous, R right, W wrong, Enter open"
#: What the filter says, and the decisions that it lets through.
FILTERS = {FLAGGED: "Blocked, reported, woken, noted", **DECISIONS, "all": "All turns"}


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route(PATH)
    async def page(request: Request) -> None:
        chosen = Chosen.of(request.query_params)
        with frame(PATH, "Decisions", LEAD):
            _filters(chosen)
            fetch = partial(_fetch, admin, chosen, who())
            await load("the decisions", fetch, lambda data: _show(admin, *data, chosen))


async def _fetch(admin: Admin, chosen: Chosen, person: str) -> tuple[IntakeView, DecisionPage]:
    taken = await ask(admin.decisions.take_in)
    wanted = chosen.filter(person)
    return taken, await ask(admin.decisions.page, wanted, below=chosen.below, who=person)


def _show(admin: Admin, taken: IntakeView, page: DecisionPage, chosen: Chosen) -> None:
    if taken.problems:
        notice("warn", "The decision log could not be read completely", *taken.problems)
    if not page.decisions:
        if chosen == Chosen():
            empty("No decisions yet", "Turns appear here once the hook stops or reports one.")
        else:
            empty("No matching decisions", "Change the filters above.")
        return
    with ui.element("div").classes("title-row"):
        words(f"{page.total:,} decisions" if page.total != 1 else "1 decision", "p", "soft small")
        words(KEYS, "p", "soft small keys")
    with ui.element("div").classes("rows work"):
        for decision in page.decisions:
            _row(admin, decision, chosen)
    if page.following:
        ui.link("Older decisions", chosen.address(below=page.following))


def _filters(chosen: Chosen) -> None:
    def filter_by(name: str, label: str, options: dict[str, str]) -> None:
        box = choice(label, options, getattr(chosen, name), lambda to: chosen.address(**{name: to}))
        box.classes(f"{name}-choice")

    with ui.element("div").classes("line place"):
        filter_by("decision", "Decision", FILTERS)
        filter_by("kind", "Kind", {"": "All kinds"} | {one: kind_words(one) for one in KINDS})
        filter_by("vote", "Your vote", {"": "Any", OPEN: "Not voted yet"})
        field = ui.input("Session", value=chosen.session).props("outlined dense clearable")
        field.on(
            "keydown.enter",
            lambda: ui.navigate.to(chosen.address(session=(field.value or "").strip())),
        )
        field.on("clear", lambda: ui.navigate.to(chosen.address(session="")))
    further = {"agent": chosen.agent, "since": chosen.since, "until": chosen.until}
    if any(further.values()):
        with ui.element("div").classes("line"):
            for name, value in further.items():
                if value:
                    chip(f"{name} {value}", "info")
            ui.link("Clear these filters", chosen.address(agent="", since="", until=""))


def _row(admin: Admin, decision: WorkView, chosen: Chosen) -> None:
    text, tone = decision_words(decision.decision)
    worst, late = decision.strongest, decision.late
    first = told(late)[0] if late else None
    with ui.element("div").classes("work-row"):
        with ui.link(target=chosen.address(decision.id)).classes("what"):
            with ui.element("span").classes("sentence"):
                chip(text, tone)
                if late:
                    chip(*look_words(late.act))
                if worst:
                    words(decision.before)
                    words(worst.evidence, "mark", verdict_words(worst.verdict)[1])
                    words(decision.after)
                elif first:
                    words(first.text, "mark")
                else:
                    words(decision.error or decision.why or "No matches")
            if first:
                words(f"Second look, {first.probability} %: {first.reason}", classes="small")
            if worst or not first:
                words(decision.verdict, classes="small")
            more = len(decision.matches) - 1
            parts = (
                kind_words(worst.kind) if worst else "",
                f"and {more} more" if more > 0 else "",
                decision.project.strip("-"),
                decision.agent_type,
                f"session {decision.session[:12]}" if decision.session else "",
            )
            with ui.element("span").classes("soft small facts-line"):
                for part in (*filter(None, parts), day(decision.at)):
                    words(part)
        number = words(str(worst.confidence) if worst else "", classes="score")
        number.props('title="Confidence, 0 to 100: how likely a reviewer would challenge it"')
        if late and not worst:
            keep = vote_on_look(admin, late)
            vote_icons("Was the second look right?", late.vote, keep)
        else:
            keep = partial(admin.decisions.vote, decision.id)
            vote_icons("Was the hook right?", decision.vote, keep)
