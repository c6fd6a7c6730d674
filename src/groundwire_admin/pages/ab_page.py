"""The A/B report: the three methods beside each other, and the criteria of the plan (R002-36)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from fastapi import Request
from nicegui import ui

from groundwire.errors import GroundwireError
from groundwire_admin.pages.calls import ask
from groundwire_admin.pages.charts import GOOD, PLAIN, WARN, Series, columns
from groundwire_admin.pages.frame import Route, asked, frame, who
from groundwire_admin.pages.load import load
from groundwire_admin.pages.panels import panel
from groundwire_admin.pages.states import empty, notice, say
from groundwire_admin.pages.text import chip, heading, words
from groundwire_admin.pages.tiles import NOTHING, number, share_words
from groundwire_admin.pages.trends_page import WINDOWS, since, window_choice
from groundwire_admin.service import Admin
from groundwire_admin.service.experiment import (
    PLANNED_DAYS,
    ExperimentView,
    SharesView,
    duration,
)
from groundwire_admin.service.experiment_report import CriterionView, GroupView

PATH = "/ab"
LEAD = "Each session belongs to one of three groups, and each group is scored by one method."
_DEFAULT = PLANNED_DAYS
_WINDOWS = {PLANNED_DAYS: f"Last {PLANNED_DAYS} days"} | WINDOWS
_UNCACHED = "Times, tokens and cost are those of answers that did not come from the cache."
_METHODS = ("formula", "llm", "hybrid")
_COLOURS = {"formula": PLAIN, "llm": WARN, "hybrid": GOOD}
_TONES = {"met": "good", "not met": "bad", "not enough data": "warn"}
_ROWS: tuple[tuple[str, Callable[[GroupView], str]], ...] = (
    ("Sessions", lambda one: f"{one.sessions:,}"),
    ("Judgements", lambda one: f"{one.judgements:,}"),
    ("Fell back to the formula", lambda one: f"{one.fell_back:,}"),
    ("Answered from the cache", lambda one: f"{one.cached:,}"),
    ("Mean score", lambda one: number(one.scores.mean, digits=3)),
    ("Escalation rate", lambda one: share_words(one.escalation)),
    ("Thumbs up / down", lambda one: f"{one.thumbs_up} / {one.thumbs_down}"),
    ("False positives (high score, wrong)", lambda one: share_words(one.false_positive)),
    ("False negatives (low score, right)", lambda one: share_words(one.false_negative)),
    ("Wrong answers detected", lambda one: share_words(one.detection)),
    (
        "Response time, median",
        lambda one: number(one.milliseconds_p50, " ms", 1),
    ),
    ("Response time, 95 % within", lambda one: number(one.milliseconds_p95, " ms", 1)),
    ("Tokens", lambda one: f"{one.tokens:,}"),
    ("Cost", lambda one: NOTHING if one.cost is None else f"${one.cost:,.4f}"),
)


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route(PATH)
    async def page(request: Request) -> None:
        days = asked(request, "days", _DEFAULT)
        days = days if days in _WINDOWS else _DEFAULT
        with frame(PATH, "A/B report", LEAD):
            window_choice(PATH, days, _WINDOWS)
            fetch = partial(ask, admin.experiment.report, since(days))
            await load("the report", fetch, lambda report: _show(admin, report))


def _show(admin: Admin, report: ExperimentView) -> None:
    words(duration(report.shares, report.until), "p")
    _criteria(report.criteria)
    _groups(report)
    SharesForm(admin, report.shares).build()


def _criteria(criteria: list[CriterionView]) -> None:
    heading(2, "Success criteria")
    with ui.element("div").classes("criteria"):
        for one in criteria:
            with ui.element("section").classes("panel").props(f'aria-label="{one.name}"'):
                with ui.element("div").classes("title-row"):
                    heading(3, one.name)
                    chip(one.state, _TONES[one.state])
                words(one.measured, "p", "total")
                if one.why:
                    words(one.why, "p", "help")


def _groups(report: ExperimentView) -> None:
    if not any(group.judgements for group in report.groups):
        empty("No scored answers in this period", "Scored answers will be counted here.")
        return
    columns(
        "Scores",
        [f"{at / 10:.1f}" for at in range(10)],
        [_scores(group) for group in report.groups],
        unit=" %",
        beside=True,
    )
    with panel("Groups"):
        low = f"Scores below {report.threshold:g} count as low and are escalated."
        words(f"{low} In brackets: 95 % intervals. {_UNCACHED}", "p", "soft")
        with ui.element("table").classes("grid cards"):
            with ui.element("thead"), ui.element("tr"):
                words("", "th")
                for group in report.groups:
                    words(group.method, "th").props("scope=col")
            with ui.element("tbody"):
                for name, text in _ROWS:
                    with ui.element("tr"):
                        words(name, "th").props("scope=row")
                        for group in report.groups:
                            words(text(group), "td").props(f'data-title="{group.method}"')


def _scores(group: GroupView) -> Series:
    counts = group.scores.counts
    shares = [round(100 * count / (sum(counts) or 1), 1) for count in counts]
    return Series(group.method, _COLOURS[group.method], shares)


class SharesForm:
    """The percent of sessions in each group; together they are 100 (A002-13)."""

    def __init__(self, admin: Admin, shares: SharesView) -> None:
        self._admin, self._shares = admin, shares

    def build(self) -> None:
        """Add the form."""
        with panel("Groups of new sessions"):
            words("Percent of sessions; a session stays in its group.", "p", "soft")
            self._running = ui.switch(
                "Run the test: assign new sessions to groups",
                value=self._shares.running,
                on_change=self._show,
            )
            with ui.element("div").classes("three"):
                self._fields = {
                    method: ui.number(
                        method,
                        value=getattr(self._shares, method),
                        validation=_share_problem,
                        on_change=self._show,
                    ).props("outlined dense suffix=%")
                    for method in _METHODS
                }
            with ui.element("div").classes("title-row"):
                self._sum = words("", classes="total").props("role=status")
                self._button = ui.button("Save groups", on_click=self._save).props("unelevated")
            self._messages = ui.element("div").classes("stack").props("aria-live=polite")
        self._show()

    def _typed(self) -> dict[str, int]:
        return {method: int(field.value or 0) for method, field in self._fields.items()}

    def _show(self) -> None:
        typed = self._typed()
        whole = sum(typed.values())
        valid = all(_share_problem(field.value) is None for field in self._fields.values())
        stored = {method: getattr(self._shares, method) for method in _METHODS}
        changed = typed != stored or self._running.value != self._shares.running
        self._sum.text = f"Total: {whole}% (must equal 100%)"
        self._sum.classes(**{"remove" if whole == 100 else "add": "wrong"})
        self._button.set_enabled(valid and changed and whole == 100)

    async def _save(self) -> None:
        self._messages.clear()
        try:
            self._shares = await ask(
                self._admin.experiment.save_shares,
                **self._typed(),
                running=self._running.value,
                who=who(),
                version=self._shares.version,
            )
        except GroundwireError as error:
            with self._messages:
                notice("bad", "Not saved", *str(error).splitlines())
            return
        self._show()
        say("Saved")


def _share_problem(value: float | None) -> str | None:
    if value is not None and 0 <= value <= 100 and value == int(value):
        return None
    return "a whole number from 0 to 100"
