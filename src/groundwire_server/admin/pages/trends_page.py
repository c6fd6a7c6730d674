"""The trends page: decisions over time, and whether the numbers mean what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal
from urllib.parse import quote

from fastapi import Request
from nicegui import ui

from groundwire_server.admin.pages.charts import (
    BAD,
    GOOD,
    WARN,
    Dot,
    Series,
    columns,
    dots,
    lines,
    rows,
    tiles,
)
from groundwire_server.admin.pages.decisions import MAIN_AGENT, kind_words
from groundwire_server.admin.pages.elements import ask, empty, load, table, words
from groundwire_server.admin.pages.frame import Route, asked, choice, frame
from groundwire_server.admin.pages.panels import panel
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.figures import AgentView, DayView, ReliabilityView, TrendsView
from groundwire_server.admin.service.report_rows import number, percent, share_words

PATH = "/trends"
LEAD = "Decisions over time, and how well they agree with your votes."
WINDOWS = {7: "Last 7 days", 30: "Last 30 days", 90: "Last 90 days", 365: "Last year"}
_DEFAULT = 30
_SOURCES: tuple[Literal["decisions", "judgements"], ...] = ("decisions", "judgements")
_TITLES = {"decisions": "Reliability of decisions", "judgements": "Reliability of scored answers"}


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route(PATH)
    async def page(request: Request) -> None:
        days = asked(request, "days", _DEFAULT)
        days = days if days in WINDOWS else _DEFAULT
        with frame(PATH, "Trends", LEAD):
            window_choice(PATH, days)
            await load("the figures", partial(_fetch, admin, days), lambda data: _show(*data))


async def _fetch(admin: Admin, days: int) -> tuple[TrendsView, list[ReliabilityView]]:
    await ask(admin.decisions.take_in)
    trends = await ask(admin.figures.trends, since(days))
    return trends, [await ask(admin.figures.reliability, one) for one in _SOURCES]


def _show(trends: TrendsView, reliability: list[ReliabilityView]) -> None:
    _decisions(trends)
    with ui.element("div").classes("charts"):
        for one in reliability:
            _reliability(one)
    for one in reliability:
        _thresholds(one)


def since(days: int) -> datetime:
    """Return the begin of a window of whole days (UTC) that ends now, as the lists count them."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=days - 1)


def window_choice(path: str, days: int, windows: Mapping[int, str] = WINDOWS) -> None:
    """Add the choice of how far back to look."""
    with ui.element("div").classes("line place"):
        choice("Period", windows, days, lambda one: f"{path}?days={one}")


def _decisions(trends: TrendsView) -> None:
    if not trends.turns:
        empty("No turns in this period", "Choose a longer period.")
        return
    since = f"since={trends.since:%Y-%m-%d}"
    blocked, reported = (sum(getattr(one, key) for one in trends.per_day) for key in _COUNTS)
    overall = trends.overall_latency
    tiles(
        [
            ("Turns", f"{trends.turns:,}", f"/decisions?decision=all&{since}"),
            (*_share("Blocked", blocked, trends.turns), f"/decisions?decision=block&{since}"),
            (*_share("Reported", reported, trends.turns), f"/decisions?decision=report&{since}"),
            ("Hook time, 95th percentile", number(overall.p95 if overall else None, " ms"), ""),
        ]
    )
    days = [one.day for one in trends.per_day]
    times = {one.day: one for one in trends.latency}
    kinds = sorted(trends.per_kind, key=lambda one: -one.matches)
    agents = trends.per_agent
    with ui.element("div").classes("charts"):
        columns(
            "Turns per day",
            days,
            _actions(trends.per_day),
            [f"decisions?decision=all&since={day}&until={day}" for day in days],
        )
        rows(
            "Matches per kind",
            [kind_words(one.kind) for one in kinds],
            (
                Series("in blocked turns", BAD, [one.in_blocked for one in kinds]),
                Series("in other turns", WARN, [one.matches - one.in_blocked for one in kinds]),
            ),
            [f"decisions?decision=all&kind={one.kind}&{since}" for one in kinds],
        )
        rows(
            "Turns per agent",
            [one.agent_type or MAIN_AGENT for one in agents],
            _actions(agents),
            [
                f"decisions?decision=all&agent={quote(one.agent_type or MAIN_AGENT)}&{since}"
                for one in agents
            ],
        )
        lines(
            "Hook time",
            days,
            [
                Series(name, tone, [getattr(times.get(day), key, None) for day in days])
                for name, tone, key in _PERCENTILES
            ],
            " ms",
        )


_ASK = {
    "decisions": "Vote on decisions to fill this chart.",
    "judgements": "Vote on scored answers to fill this chart.",
}
_COUNTS = ("blocked", "reported")
_ACTIONS = ((BAD, "blocked"), (WARN, "reported"), (GOOD, "passed"))
_PERCENTILES = (("median", GOOD, "p50"), ("95 %", WARN, "p95"), ("99 %", BAD, "p99"))


def _actions(views: Sequence[DayView | AgentView]) -> list[Series]:
    return [Series(key, tone, [getattr(one, key) for one in views]) for tone, key in _ACTIONS]


def _share(name: str, count: int, whole: int) -> tuple[str, str]:
    return name, f"{count:,} ({percent(count / whole)})"


def _reliability(figures: ReliabilityView) -> None:
    title = _TITLES[figures.source]
    if not figures.votes:
        with panel(title):
            empty("No votes yet", _ASK[figures.source])
        return
    votes = "1 vote" if figures.votes == 1 else f"{figures.votes:,} votes"
    parts = (
        votes,
        f"Brier score {number(figures.brier, digits=3)}",
        f"calibration error {number(figures.calibration_error, digits=3)}",
    )
    points = [
        Dot(
            one.said,
            one.right.share,
            one.right.low or 0,
            one.right.high or 0,
            f"Confidence {one.said:.2f}: right {share_words(one.right)}",
        )
        for one in figures.bins
        if one.said is not None and one.right.share is not None
    ]
    dots(title, points, "confidence", "share of votes that say right", _sentence(parts))


def _thresholds(figures: ReliabilityView) -> None:
    """Add what each threshold would have done to the answers that were rated."""
    if not figures.votes:
        return
    scale = 100 if figures.source == "decisions" else 1
    best, present = figures.proposed, figures.present
    with panel(_THRESHOLD_TITLES[figures.source]):
        if best is None:
            needed = f"A proposal needs {figures.least_votes} votes, of right and wrong answers."
            words(f"{figures.votes:,} votes. {needed}", "p", "soft")
        else:
            found = f"{best * scale:g} makes the fewest errors by {figures.votes:,} votes"
            words(f"{found}; now it is {present * scale:g}. Brackets: 95% intervals.", "p", "soft")
        table(
            ("Threshold", "Right answers held back", "Wrong answers let through"),
            [
                (
                    f"{one.threshold * scale:g}" + _mark(one.threshold, present, best),
                    share_words(one.held),
                    share_words(one.passed),
                )
                for one in figures.thresholds
            ],
        )


def _mark(threshold: float, present: float, best: float | None) -> str:
    marks = [name for name, one in (("now", present), ("proposed", best)) if one == threshold]
    return f" ({', '.join(marks)})" if marks else ""


_THRESHOLD_TITLES = {
    "decisions": "Block threshold of the hook, by votes on blocked and reported turns",
    "judgements": "Threshold of scored answers, by votes",
}


def _sentence(parts: Sequence[str]) -> str:
    return f"{', '.join(parts)}."
