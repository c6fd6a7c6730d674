"""The A/B report as lines for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire_server.admin.service.experiment import ExperimentView, duration
from groundwire_server.admin.service.experiment_report import GroupView
from groundwire_server.admin.service.report_rows import (
    GROUP_ROWS,
    NOTHING,
    SELECTIVE_ROWS,
    SHADOW_ROWS,
)

_BARS = " .:-=+*#%@"  # a count from 0 to the largest
View = TypeVar("View")
Rows = Sequence[tuple[str, Callable[[View], str]]]


def print_report(console: Console, report: ExperimentView) -> None:
    """Print the report."""
    shares, since = report.shares, report.since
    window = f"since {since:%Y-%m-%d %H:%M} UTC" if since else "since the beginning"
    split = f"{shares.formula}/{shares.llm}/{shares.hybrid}"
    _line(console, f"A/B test, answers {window}; formula/llm/hybrid {split} percent of sessions")
    _line(console, duration(shares, report.until))
    _line(console, f"Low scores are those below {report.threshold:g}.", "dim")
    groups = [one.method for one in report.groups]
    _print_table(console, "", groups, report.groups, (*GROUP_ROWS, ("Scores, 0 to 1", _bars)))
    if report.shadows:
        methods = [one.method for one in report.shadows]
        title = "The same answers by every method"
        _print_table(console, title, methods, report.shadows, SHADOW_ROWS)
    if report.selective:
        _print_table(console, "", ["selective"], [report.selective], SELECTIVE_ROWS)
    _line(console, "\nSuccess criteria", "bold")
    for one in report.criteria:
        _line(console, f"  {one.state:<16} {one.name}: {one.measured}")
        _line(console, f"  {'':<16} {one.why}", "dim")


def _print_table(
    console: Console, title: str, columns: Sequence[str], views: Sequence[View], rows: Rows[View]
) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for column in columns:
        table.add_column(column)
    for name, cell in rows:
        table.add_row(name, *(Text(cell(view)) for view in views))
    _line(console, f"\n{title}" if title else "", "bold")
    console.print(table)


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), soft_wrap=True)


def _bars(group: GroupView) -> str:
    counts = group.scores.counts
    most = max(counts)
    if not most:
        return NOTHING
    steps = len(_BARS) - 1
    # whatever is there shows, however little
    return "|" + "".join(_BARS[-(-count * steps // most)] for count in counts) + "|"
