"""The A/B report: the three methods beside each other, and the criteria of the plan (R002-36)."""

from __future__ import annotations

from functools import partial

from fastapi import Request
from nicegui import ui

from groundwire_server.admin.pages.charts import GOOD, PLAIN, WARN, Series, columns
from groundwire_server.admin.pages.elements import (
    Kept,
    ask,
    chip,
    empty,
    heading,
    load,
    table,
    words,
)
from groundwire_server.admin.pages.form import Document, Form
from groundwire_server.admin.pages.frame import Route, asked, frame, who
from groundwire_server.admin.pages.panels import panel, whole_number
from groundwire_server.admin.pages.trends_page import WINDOWS, since, window_choice
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.comparison import SelectiveView
from groundwire_server.admin.service.experiment import (
    PLANNED_DAYS,
    ExperimentView,
    SharesView,
    duration,
)
from groundwire_server.admin.service.experiment_report import CriterionView, GroupView
from groundwire_server.admin.service.report_rows import (
    GROUP_ROWS,
    SELECTIVE_ROWS,
    SHADOW_ROWS,
    money,
)

PATH = "/ab"
LEAD = "Sessions are split into three groups, one for each method."
_DEFAULT = PLANNED_DAYS
_WINDOWS = {PLANNED_DAYS: f"Last {PLANNED_DAYS} days"} | WINDOWS
_UNCACHED = "Times, tokens and cost exclude cached answers."
_METHODS = ("formula", "llm", "hybrid")
_COLOURS = {"formula": PLAIN, "llm": WARN, "hybrid": GOOD}
_TONES = {"met": "good", "not met": "bad", "not enough data": "warn"}
_IN_PAIRS = (
    "One vote on an answer tells about every method, so this needs a fraction of the votes of "
    "three separate groups."
)
_SQUARED = "Squared error: (1 - score)² of an answer rated right, score² of a wrong one."
_SHADOW = "Of all answers, test or not; one method serves, the others are compared here"


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
    _shadows(report)
    _selective(report.selective)
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
        empty("No scored answers in this period", way)
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
        cells = [(name, *map(text, report.groups)) for name, text in GROUP_ROWS]
        table(("", *(group.method for group in report.groups)), cells)


def _shadows(report: ExperimentView) -> None:
    if not report.shadows:
        return
    with panel("The same answers by every method"):
        votes = report.shadows[0].squared_error.of
        more = f"{report.shadows[0].answers:,} answers, {votes:,} of them rated. "
        words(f"{more}{_IN_PAIRS} {_SQUARED} Brackets: 95% intervals.", "p", "soft")
        cells = [(name, *map(text, report.shadows)) for name, text in SHADOW_ROWS]
        table(("", *(one.method for one in report.shadows)), cells)
        words(f"Asked for this comparison alone: {money(report.shadow_cost)}.", "p", "help")


def _selective(view: SelectiveView | None) -> None:
    if view is None:
        return
    with panel("Selective: what it asked and what it left"):
        table(("", "selective"), [(name, text(view)) for name, text in SELECTIVE_ROWS])


def _scores(group: GroupView) -> Series:
    counts = group.scores.counts
    shares = [round(100 * count / (sum(counts) or 1), 1) for count in counts]
    return Series(group.method, _COLOURS[group.method], shares)


class SharesForm(Form[SharesView]):
    """The percent of sessions in each group; together they are 100 (A002-13)."""

    def __init__(self, admin: Admin, kept: Kept, shares: SharesView) -> None:
        self._admin = admin
        super().__init__(shares, kept)
        with panel("New sessions"):
            words("Percent of new sessions in each group. A session keeps its group.", "p", "soft")
            self._content = ui.element("div").classes("stack")
            self.fill()
            self.add_bar()

    def document(self, view: SharesView) -> Document:
        """Return the shares, and whether the test runs."""
        return view.model_dump(include={"running", "shadow", *_METHODS})

    def fill(self) -> None:
        """Build the fields."""
        self._content.clear()
        with self._content:
            ui.switch(
                "Run the test",
                value=self.draft.get("running"),
                on_change=lambda event: self.draft.set("running", event.value),
            )
            with ui.element("div").classes("three"):
                for method in _METHODS:
                    whole_number(self.draft, method, method, (0, 100)).props("dense suffix=%")
            field = whole_number(self.draft, "shadow", "Score by every method", (0, 100), _SHADOW)
            field.props("dense suffix=%")

    def problem(self) -> str:
        """Return that the shares are not the whole, or ""."""
        whole = sum(self.draft.get(method) for method in _METHODS)
        return "" if whole == 100 else f"Total: {whole:g}% (must equal 100%)"

    async def fetch(self) -> SharesView:
        """Return the shares as they are by now."""
        return await ask(self._admin.experiment.shares)

    async def write(self, changes: Document) -> SharesView:
        """Store the shares."""
        return await ask(
            self._admin.experiment.save_shares,
            **{**self.document(self.view), **changes},
            who=who(),
            version=int(self.draft.version),
        )
