"""Numbers of calibration and quality as tables for a person. No text of a message is in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire_confidence.assessment import Share
from groundwire_lab.figures import Group, Measured

#: Figures that count something; all others are shares, scores or differences.
_COUNTS = frozenset("units flagged marked_units messages messages_judged blocked".split())
_PIPE_WIDTH = 240


def heading(console: Console, text: str) -> None:
    """Print a line above a table."""
    console.print()
    console.print(Text(text, style="bold"), soft_wrap=True)


def plain_table(console: Console, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of cells; all but the first column stand to the right."""
    table = Table(*titles, box=None, pad_edge=False)
    for at, column in enumerate(table.columns):
        column.no_wrap = True
        column.overflow = "ignore"  # a number that is cut would be another number
        column.justify = "right" if at else "left"
    for row in rows:
        table.add_row(*row)
    console.print(table)


def figures_table(console: Console, columns: Mapping[str, Measured]) -> None:
    """Print figures by name, a column for each set, each with its 95 % interval if there is one."""
    names = dict.fromkeys(name for column in columns.values() for name in column.figures)
    rows = ([name, *(cell(column, name) for column in columns.values())] for name in names)
    plain_table(console, ("", *columns), rows)


def sets_table(console: Console, sets: Mapping[str, Measured], names: Sequence[str]) -> None:
    """Print some figures, a line for each set."""
    rows = ([name, *(cell(one, figure) for figure in names)] for name, one in sets.items())
    plain_table(console, ("", *names), rows)


def groups_table(console: Console, title: str, groups: Sequence[Group]) -> None:
    """Print the mean confidence of each group against what raters flagged."""
    titles = (title, "sentences", "mean", "flagged", "share", "95 % interval")
    rows = ([one.name, *_share_cells(one.flagged, f"{one.mean:.1f}")] for one in groups)
    plain_table(console, titles, rows)


def shares_table(
    console: Console, title: str, shares: Mapping[str, Share], count: str, hits: str
) -> None:
    """Print how many there are of each name and how many of them are hits."""
    rows = ([name, *_share_cells(share)] for name, share in shares.items())
    plain_table(console, (title, count, hits, "share", "95 % interval"), rows)


def cell(measured: Measured, name: str) -> str:
    """Return a figure with its interval as it is shown."""
    if name not in measured.figures:
        return "-"
    shown = number(name, measured.figures[name])
    ends = measured.intervals.get(name)
    return f"{shown} [{', '.join(number(name, end) for end in ends)}]" if ends else shown


def number(name: str, value: float) -> str:
    """Return a figure as it is shown."""
    if isnan(value):
        return "-"
    return f"{value:.0f}" if name in _COUNTS else f"{value:.3f}"


def _share_cells(share: Share, *between: str) -> tuple[str, ...]:
    low, high = share.interval
    value = number("share", share.value)
    return str(share.count), *between, str(share.hits), value, f"{low:.2f}-{high:.2f}"


def wide_console() -> Console:
    """Return a console for tables; in a pipe they may be wider than 80 columns."""
    console = Console()
    return console if console.is_terminal else Console(width=_PIPE_WIDTH)
