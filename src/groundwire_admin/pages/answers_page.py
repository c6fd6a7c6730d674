"""Scored answers: the confidence of each, with badge and banner, and whether it was right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fastapi import Request
from nicegui import ui

from groundwire.render.advisory import badge_html, banner_html
from groundwire_admin.pages.calls import ask
from groundwire_admin.pages.factor_bars import share_bars
from groundwire_admin.pages.frame import Route, asked, frame, who
from groundwire_admin.pages.load import load
from groundwire_admin.pages.states import empty
from groundwire_admin.pages.text import day, words
from groundwire_admin.pages.votes import vote_icons
from groundwire_admin.service import Admin
from groundwire_admin.service.scored import JudgementView

PATH = "/answers"
LEAD = "Scored answers, newest first. Your votes count in the A/B report."
_LIMIT = 20
_PURPOSES = {"chat": "Chat", "sample": "Sample", "command": "Command", "hook": "Hook"}


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route(PATH)
    async def page(request: Request) -> None:
        below = asked(request, "below", 0)
        with frame(PATH, "Scored answers", LEAD):
            fetch = partial(ask, admin.samples.recent, limit=_LIMIT, below=below or None, who=who())
            await load("the answers", fetch, lambda found: _show(admin, found))


def _show(admin: Admin, found: Sequence[JudgementView]) -> None:
    if not found:
        empty("No scored answers", "Run a sample on the page Confidence, or use the API.")
    with ui.element("div").classes("rows"):
        for one in found:
            _answer(admin, one)
    if len(found) == _LIMIT:
        ui.link("Older answers", f"{PATH}?below={found[-1].id}")


def _answer(admin: Admin, one: JudgementView) -> None:
    with ui.element("section").classes("work-row").props(f'aria-label="Answer {one.id}"'):
        with ui.element("div").classes("what"):
            with ui.element("div").classes("line"):
                ui.html(badge_html(one.score)).classes("line")
                words(f"{_PURPOSES.get(one.purpose, one.purpose)}, {one.method}")
                words(f"{_facts(one)}, {day(one.at)}", classes="soft small")
            with ui.element("details").classes("small"):
                words("Scores", "summary")
                if banner_html(one.score):
                    ui.html(banner_html(one.score))
                scores = (("Formula score", one.formula_score), ("LLM score", one.llm_score))
                share_bars(
                    (name, value, f"{value:.3f}") for name, value in scores if value is not None
                )
                if one.problem:
                    words(f"The judge did not contribute: {one.problem}", "p", "help")
        words(f"{one.score:.3f}", classes="score")
        vote_icons("Was the answer right?", one.vote, partial(admin.samples.vote, one.id))


def _facts(one: JudgementView) -> str:
    tokens = (one.input_tokens or 0) + (one.output_tokens or 0)
    parts = (
        f"session {one.session}" if one.session else "",
        f"environment {one.environment}",
        f"{one.provider} {one.model}" if one.llm_score is not None else "",
        f"prompt v{one.prompt_version}" if one.prompt_version else "",
        f"{one.milliseconds:.0f} ms",
        f"{tokens} tokens" if tokens else "",
        "price not known" if one.cost is None else f"${one.cost:.4f}",
        "from the cache" if one.cached else "",
    )
    return ", ".join(filter(None, parts))
