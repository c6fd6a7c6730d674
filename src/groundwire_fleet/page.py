"""The report as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape
from importlib import resources
from typing import Any

Rows = Sequence[Mapping[str, Any]]
_SORTS = (
    ("kind", "Kinds", "Turns that a statement of this kind stops, of all turns."),
    ("model", "Models", "Stopped turns of all turns of the model."),
    ("repository", "Repositories", "Stopped turns of all turns in the repository."),
    ("agent", "Agents", "Sub-agents are only stopped where the settings say so."),
    ("marker", "Markers", "Those that stop most turns, of all turns."),
)


def page(figures: Mapping[str, Any]) -> str:
    """Return the page for ``figures.figures``."""
    style = (resources.files("groundwire_fleet") / "page.css").read_text(encoding="utf-8")
    by = figures["by"]
    tiles = (
        ("turns", f"{figures['turns']:,}"),
        ("sessions", f"{figures['sessions']:,}"),
        ("people", f"{figures['people']:,}" if figures["people"] else "too few"),
        ("would be stopped", _percent(figures["stopped"]["share"])),
        ("only reported", _percent(figures["reported"]["share"])),
        ("read", f"{figures['bytes'] / 1e9:,.1f} GB"),
        ("errors", f"{figures['errors']:,}"),
    )
    about = (
        "<h1>groundwire fleet</h1>\n<p>How often final messages go beyond what their turns show: "
        "turns that the hook would have stopped. The band is the 95 % interval. Groups of fewer "
        f"than {figures['group']} people are not shown.</p>\n<dl>\n"
    )
    parts = [
        about,
        *(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>\n" for k, v in tiles),
        "</dl>\n",
    ]
    if by["week"]:
        top = _percent(max(row["high"] for row in by["week"]))
        what = f"Stopped turns of all turns of the week; the picture goes from 0 to {top}."
        parts.append(_section("Weeks", what, _weeks(by["week"])))
    parts.append(_drift(figures["drift"]))
    for sort, title, what in _SORTS:
        if by[sort]:
            parts.append(_section(title, what, _table(by[sort], sort)))
    rows = [
        {"name": str(row["threshold"]), "turns": row["of"], **row} for row in figures["thresholds"]
    ]
    what = "Turns that thresholds.block would stop, all other settings as they were."
    parts.append(_section("Thresholds", what, _table(rows, "thresholds.block")))
    if figures["statements"]:
        quotes = "".join(
            f"<blockquote>{escape(row['sentence'])}<small>{escape(row['kind'])}, confidence "
            f"{row['confidence']}</small></blockquote>\n"
            for row in figures["statements"]
        )
        parts.append(_section("Worth reading", "The statements of the highest confidence.", quotes))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>groundwire fleet</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{''.join(parts)}</main>\n</body>\n</html>"
    )


def _section(title: str, what: str, body: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n<p>{escape(what)}</p>\n{body}</section>\n"


def _table(rows: Rows, head: str) -> str:
    top = max((row["high"] or 0 for row in rows), default=0) or 1
    lines = "".join(
        f'<tr><td class="name">{escape(row["name"])}</td><td class="n">{row["turns"]:,}</td>'
        f'<td class="n">{row["count"]:,}</td><td class="n">{_percent(row["share"])}</td>'
        f'<td class="n">{_interval(row)}</td><td class="bar">{_bar(row, top)}</td></tr>\n'
        for row in rows
    )
    heads = "".join(
        f'<th class="n">{it}</th>' for it in ("turns", "stopped", "share", "95 % interval")
    )
    return (
        f'<div class="wide"><table>\n<thead><tr><th>{escape(head)}</th>{heads}'
        f'<th class="bar"></th></tr></thead>\n<tbody>\n{lines}</tbody>\n</table></div>\n'
    )


def _bar(row: Mapping[str, Any], top: float) -> str:
    if row["share"] is None:
        return ""
    left, right, at = (100 * row[key] / top for key in ("low", "high", "share"))
    return (
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" x="0" y="3" width="{at:.2f}" height="4"/>'
        f'<rect class="band" x="{left:.2f}" y="1" width="{right - left:.2f}" height="8"/>'
        f'<rect class="tick" x="{max(at - 0.4, 0):.2f}" y="0" width="0.8" height="10"/></svg>'
    )


def _weeks(rows: Rows) -> str:
    if len(rows) < 2:
        return _table(rows, "week of")
    top = max(row["high"] for row in rows) or 1
    days = [date.fromisoformat(row["name"]).toordinal() for row in rows]
    places = [100 * (day - days[0]) / (days[-1] - days[0]) for day in days]

    def points(key: str) -> list[str]:
        return [
            f"{x:.2f},{100 - 100 * row[key] / top:.2f}" for x, row in zip(places, rows, strict=True)
        ]

    band = " ".join([*points("high"), *reversed(points("low"))])
    return (
        '<svg class="line" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
        f'<line class="axis" x1="0" y1="100" x2="100" y2="100"/><polygon class="band" '
        f'points="{band}"/><polyline class="path" points="{" ".join(points("share"))}"/></svg>\n'
        f'<p class="ends"><span>{rows[0]["name"]}</span><span>{rows[-1]["name"]}</span></p>\n'
        f"{_table(rows, 'week of')}"
    )


def _drift(drift: Mapping[str, Any] | None) -> str:
    if not drift:
        return ""
    lines = "".join(
        f'<tr><td class="name">{escape(row["name"])}</td><td class="n">{_percent(row["before"])}'
        f'</td><td class="n">{_percent(row["share"])}</td>'
        f'<td class="n{" clear" if row["clear"] else ""}">{100 * row["change"]:+.1f} points</td>'
        f'<td class="n">{100 * row["low"]:+.1f} to {100 * row["high"]:+.1f}</td></tr>\n'
        for row in drift["rows"]
    )
    heads = ("week before", "last week", "change", "95 % interval")
    head = "".join(f'<th class="n">{it}</th>' for it in heads)
    table = (
        f'<div class="wide"><table>\n<thead><tr><th>share of stopped turns</th>{head}</tr></thead>'
        f"\n<tbody>\n{lines}</tbody>\n</table></div>\n"
    )
    what = f"The week of {drift['week']} against that of {drift['before']}; red: more than chance."
    return _section("Drift", what, table)


def _interval(row: Mapping[str, Any]) -> str:
    return "" if row["share"] is None else f"{_percent(row['low'])} - {_percent(row['high'])}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
