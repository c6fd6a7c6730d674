"""The report as one HTML page that needs nothing else: ``page.html`` with its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def page(figures: Mapping[str, Any]) -> str:
    """Return the page for ``figures.figures``."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["percent"] = _percent
    environment.filters["number"] = "{:,}".format
    rows = [
        {"name": str(row["threshold"]), "turns": row["of"], **row} for row in figures["thresholds"]
    ]
    template = environment.get_template("page.html")
    return template.render(figures, at_thresholds=rows, line=_line(figures["by"]["week"])).strip()


def _line(weeks: Sequence[Mapping[str, Any]]) -> dict[str, list[str]] | None:
    """Return the points of share and interval in a square of 100; None of fewer than two weeks."""
    if len(weeks) < 2:
        return None
    top = max(row["high"] for row in weeks) or 1
    days = [date.fromisoformat(row["name"]).toordinal() for row in weeks]
    across = [100 * (day - days[0]) / (days[-1] - days[0]) for day in days]
    return {
        key: [
            f"{x:.2f},{100 - 100 * row[key] / top:.2f}"
            for x, row in zip(across, weeks, strict=True)
        ]
        for key in ("high", "low", "share")
    }


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
