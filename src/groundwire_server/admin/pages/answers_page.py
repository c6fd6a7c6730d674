"""Scored answers: question, answer and confidence, and whether the answer was right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from fastapi import Request
from nicegui import ui

from groundwire_confidence.advisory.formula import advisory_flag, shown_decimals
from groundwire_confidence.advisory.text import banner_html
from groundwire_server.admin.pages.charts import share_bars
from groundwire_server.admin.pages.decisions import vote_icons
from groundwire_server.admin.pages.elements import ask, day, empty, facts, level_badge, load, words
from groundwire_server.admin.pages.frame import Route, asked, frame, who
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.reading import present_settings
from groundwire_server.admin.service.report_rows import money
from groundwire_server.admin.service.scored import JudgementView

PATH = "/answers"
LEAD = "Answers with their confidence, newest first. Votes count in the A/B report."
_NOT_RETAINED = (
    "Of questions and answers the first 80 characters are kept. To keep them whole from now on, "
    "set retain_answers = true below [log] in config.toml."
)
_LIMIT = 20
_PURPOSES = {"chat": "Chat", "sample": "Sample", "command": "Command", "hook": "Hook"}


class Found(NamedTuple):
    """What the page shows; ``retained`` says whether texts are kept from now on."""

    answers: Sequence[JudgementView]
    retained: bool


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route(PATH)
    async def page(request: Request) -> None:
        with frame(PATH, "Scored answers", LEAD):
            fetch = partial(_fetch, admin, asked(request, "below", 0), who())
            await load("the answers", fetch, partial(_show, admin))


async def _fetch(admin: Admin, below: int, person: str) -> Found:
    answers = await ask(admin.samples.recent, limit=_LIMIT, below=below or None, who=person)
    settings = await ask(present_settings, admin.env)
    return Found(answers, settings.log.retain_answers)


def _show(admin: Admin, data: Found) -> None:
    if not data.answers:
        empty("No scored answers", "Run a sample on the page Confidence, or use the API.")
        return
    if not data.retained:
        words(_NOT_RETAINED, "p", "soft small")
    with ui.element("div").classes("rows"):
        for one in data.answers:
            _answer(admin, one)
    if len(data.answers) == _LIMIT:
        ui.link("Older answers", f"{PATH}?below={data.answers[-1].id}")


def _answer(admin: Admin, one: JudgementView) -> None:
    with ui.element("section").classes("work-row answer").props(f'aria-label="Answer {one.id}"'):
        with ui.element("details").classes("what"):
            with ui.element("summary"):
                words(shown_decimals(one.score, 3), classes="field-value")
                level_badge(one.score)
                words(one.query or f"{_PURPOSES.get(one.purpose, one.purpose)}, {one.method}")
                words(day(one.at), classes="soft small")
            _details(one)
        if one.query is not None:
            vote_icons("Was the answer right?", one.vote, partial(admin.samples.vote, one.id))


def _details(one: JudgementView) -> None:
    if banner_html(one.score):
        ui.html(banner_html(one.score))
    tokens = (one.input_tokens or 0) + (one.output_tokens or 0)
    facts(
        {
            "Question": one.query or "not kept",
            "Answer": one.response or "",
            "Flag": advisory_flag(one.score),
            "When": day(one.at),
            "Purpose": _PURPOSES.get(one.purpose, one.purpose),
            "Method": one.method,
            "Environment": one.environment,
            "Session": one.session,
            "Judge": f"{one.provider} {one.model}" if one.llm_score is not None else "",
            "Prompt": f"version {one.prompt_version}" if one.prompt_version else "",
            "Took": f"{one.milliseconds:.0f} ms" + (", from the cache" if one.cached else ""),
            "Cost": f"{money(one.cost)}, {tokens:,} tokens" if tokens else "",
            "No judge": one.problem,
        }
    )
    scores = (("Formula score", one.formula_score), ("LLM score", one.llm_score))
    share_bars((name, value, f"{value:.3f}") for name, value in scores if value is not None)
