"""The trends page: decisions over time, and whether the numbers mean what they say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal

from nicegui import ui

from groundwire_admin.pages.calls import ask
from groundwire_admin.pages.charts import (
    agents_chart,
    kinds_chart,
    latency_chart,
    reliability_chart,
    turns_chart,
)
from groundwire_admin.pages.frame import Route, frame
from groundwire_admin.pages.load import load
from groundwire_admin.pages.panels import panel
from groundwire_admin.pages.states import empty
from groundwire_admin.pages.tiles import number, percent, tiles
from groundwire_admin.service import Admin
from groundwire_admin.service.figures import ReliabilityView, TrendsView

PATH = "/trends"
LEAD = "What the hook decided over time, and how well that agrees with your votes."
WINDOWS = {7: "Last 7 days", 30: "Last 30 days", 90: "Last 90 days", 365: "Last year"}
_DEFAULT = 30
_SOURCES: tuple[Literal["decisions", "judgements"], ...] = ("decisions", "judgements")
_TITLES = {
    "decisions": "Reliability of the hook's confidences",
    "judgements": "Reliability of scored answers",
}


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route(PATH)
    async def page(days: int = _DEFAULT) -> None:
        days = days if days in WINDOWS else _DEFAULT
        with frame(PATH, "Trends", LEAD):
            window_choice(PATH, days)
            await load("the figures", partial(_fetch, admin, days), lambda found: _show(*found))


async def _fetch(admin: Admin, days: int) -> tuple[TrendsView, list[ReliabilityView]]:
    await ask(admin.decisions.take_in)
    trends = await ask(admin.figures.trends, since(days))
    return trends, [await ask(admin.figures.reliability, one) for one in _SOURCES]


def _show(trends: TrendsView, reliability: list[ReliabilityView]) -> None:
    _decisions(trends)
    with ui.element("div").classes("charts"):
        for one in reliability:
            _reliability(one)


def since(days: int) -> datetime:
    """Return the begin of a window that ends now."""
    return datetime.now(UTC) - timedelta(days=days)


def window_choice(path: str, days: int) -> None:
    """Add the choice of how far back to look."""
    with ui.element("div").classes("line place"):
        ui.select(
            WINDOWS,
            value=days,
            label="Window",
            on_change=lambda event: ui.navigate.to(f"{path}?days={event.value}"),
        ).props("outlined dense")


def _decisions(trends: TrendsView) -> None:
    if not trends.turns:
        empty(
            "No turns in this period", "Choose a longer period, or wait for the hook's next turn."
        )
        return
    blocked, reported = (sum(getattr(one, key) for one in trends.per_day) for key in _COUNTS)
    overall = trends.overall_latency
    tiles(
        [
            ("Turns", f"{trends.turns:,}"),
            ("Blocked", f"{blocked:,} ({percent(blocked / trends.turns)})"),
            ("Reported", f"{reported:,} ({percent(reported / trends.turns)})"),
            ("95 % within", number(overall.p95 if overall else None, " ms")),
        ]
    )
    with ui.element("div").classes("charts"):
        turns_chart(trends.per_day)
        if trends.per_kind:
            kinds_chart(trends.per_kind)
        agents_chart(trends.per_agent)
        latency_chart(trends.latency)


_ASK = {
    "decisions": "Vote on a decision to fill this chart.",
    "judgements": "Vote on a scored answer to fill this chart.",
}
_COUNTS = ("blocked", "reported")


def _reliability(figures: ReliabilityView) -> None:
    title = _TITLES[figures.source]
    if not figures.votes:
        with panel(title):
            empty("No votes yet", _ASK[figures.source])
        return
    parts = (
        f"{figures.votes:,} votes",
        f"Brier score {number(figures.brier, digits=3)}",
        f"calibration error {number(figures.calibration_error, digits=3)}",
    )
    reliability_chart(title, figures, ", ".join(parts))
