"""The A/B report: the three methods beside each other, and the criteria of the plan (R002-36)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fastapi import Request
from nicegui import ui

from groundwire.errors import GroundwireError
from groundwire_admin.pages.charts import GOOD, PLAIN, WARN, Series, columns
from groundwire_admin.pages.frame import Route, asked, frame, who
from groundwire_admin.pages.kept import RESTORED, Kept
from groundwire_admin.pages.load import ask, load
from groundwire_admin.pages.numbers import NOTHING, number, share_words
from groundwire_admin.pages.panels import panel
from groundwire_admin.pages.states import empty, notice, say
from groundwire_admin.pages.text import chip, heading, words
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
LEAD = "Sessions are split into three groups, one for each method."
_DEFAULT = PLANNED_DAYS
_WINDOWS = {PLANNED_DAYS: f"Last {PLANNED_DAYS} days"} | WINDOWS
_UNCACHED = "Times, tokens and cost exclude cached answers."
_METHODS = ("formula", "llm", "hybrid")
_COLOURS = {"formula": PLAIN, "llm": WARN, "hybrid": GOOD}
_TONES = {"met": "good", "not met": "bad", "not enough data": "warn"}
_ROWS: tuple[tuple[str, Callable[[GroupView], str]], ...] = (
    ("Sessions", lambda one: f"{one.sessions:,}"),
    ("Scored answers", lambda one: f"{one.judgements:,}"),
    ("Fell back to the formula", lambda one: f"{one.fell_back:,}"),
    ("From the cache", lambda one: f"{one.cached:,}"),
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
    ("Response time, 95th percentile", lambda one: number(one.milliseconds_p95, " ms", 1)),
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
            kept = Kept("groups")

            async def fetch() -> ExperimentView:
                await kept.read()
                return await ask(admin.experiment.report, since(days))

            await load("the report", fetch, partial(_show, admin, kept))


def _show(admin: Admin, kept: Kept, report: ExperimentView) -> None:
    words(duration(report.shares, report.until), "p")
    _criteria(report.criteria)
    _groups(report)
    SharesForm(admin, kept, report.shares)


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
        running = report.shares.running
        way = "Choose a longer period." if running else "Run the test to compare them."
        empty("No scored answers of the groups in this period", way)
        return
    columns(
        "Scores",
        [f"{at / 10:.1f}" for at in range(10)],
        [_scores(group) for group in report.groups],
        unit=" %",
        beside=True,
    )
    with panel("Groups"):
        low = f"Scores below {report.threshold:g} are low and escalated."
        words(f"{low} Brackets: 95% intervals. {_UNCACHED}", "p", "soft")
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

    def __init__(self, admin: Admin, kept: Kept, shares: SharesView) -> None:
        self._admin, self._kept, self._shares = admin, kept, shares
        with panel("New sessions"):
            words("Percent of new sessions in each group. A session keeps its group.", "p", "soft")
            self._running = ui.switch("Run the test", on_change=self._show)
            with ui.element("div").classes("three"):
                self._fields = {
                    method: ui.number(
                        method, validation=_share_problem, on_change=self._show
                    ).props("outlined dense suffix=%")
                    for method in _METHODS
                }
            with ui.element("div").classes("title-row"):
                self._sum = words("", classes="total").props("role=status")
                with ui.element("div").classes("line"):
                    self._discard = ui.button("Discard changes", on_click=self._reset)
                    self._discard.props("flat")
                    self._button = ui.button("Save", on_click=self._save).props("unelevated")
            self._messages = ui.element("div").classes("stack").props("aria-live=polite")
        typed = kept.typed
        self._fill({**self._stored, **typed})
        if typed:
            with self._messages:
                notice("info", RESTORED)

    @property
    def _stored(self) -> dict[str, Any]:
        return {name: getattr(self._shares, name) for name in ("running", *_METHODS)}

    @property
    def _typed(self) -> dict[str, Any]:
        return {"running": self._running.value} | {
            method: field.value for method, field in self._fields.items()
        }

    def _fill(self, values: Mapping[str, Any]) -> None:
        self._running.value = values["running"]
        for method, field in self._fields.items():
            field.value = values[method]
        self._show()

    def _reset(self) -> None:
        self._messages.clear()
        self._fill(self._stored)

    def _show(self) -> None:
        typed = self._typed
        changed = typed != self._stored
        valid = all(_share_problem(typed[method]) is None for method in _METHODS)
        whole = sum(int(typed[method] or 0) for method in _METHODS)
        self._sum.text = f"Total: {whole}% (must equal 100%)"
        self._sum.classes(**{"remove" if whole == 100 else "add": "wrong"})
        self._button.set_enabled(valid and changed and whole == 100)
        self._discard.set_enabled(changed)
        self._kept.keep(typed if changed else {})

    async def _save(self) -> None:
        self._messages.clear()
        typed = self._typed
        shares = {method: int(typed[method]) for method in _METHODS}
        try:
            self._shares = await ask(
                self._admin.experiment.save_shares,
                **shares,
                running=typed["running"],
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
