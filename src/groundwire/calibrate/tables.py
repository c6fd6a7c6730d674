"""Numbers of calibration and quality as tables for a person. No text of a message is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.calibrate.figures import Group
from groundwire.calibrate.parameters import Change
from groundwire.calibrate.thresholds import RULES, Proposal
from groundwire.confidence.share import Share
from groundwire.settings import Thresholds

#: Figures that count something; all others are shares, scores or differences.
_COUNTS = frozenset("units flagged marked_units messages messages_judged blocked threshold".split())
_PIPE_WIDTH = 160
Intervals = Mapping[str, Sequence[float]]


def heading(console: Console, text: str) -> None:
    """Print a line above a table."""
    console.print()
    console.print(Text(text, style="bold"), soft_wrap=True)


def figures_table(
    console: Console,
    columns: Mapping[str, Mapping[str, float]],
    intervals: Mapping[str, Intervals] | None = None,
) -> None:
    """Print figures by name, a column for each set, each with its 95 % interval if there is one."""
    table = _table("", *columns)
    for name in dict.fromkeys(name for column in columns.values() for name in column):
        cells = []
        for title, column in columns.items():
            cell = number(name, column[name]) if name in column else "-"
            low_high = (intervals or {}).get(title, {}).get(name)
            if low_high:
                cell += f" [{number(name, low_high[0])}, {number(name, low_high[1])}]"
            cells.append(cell)
        table.add_row(name, *cells)
    console.print(table)


def groups_table(console: Console, title: str, groups: Sequence[Group]) -> None:
    """Print the mean confidence of each group against what raters flagged."""
    table = _table(title, "sentences", "mean", "flagged", "share", "95 % interval")
    for one in groups:
        table.add_row(one.name, *_counted(one.flagged, f"{one.mean:.1f}"))
    console.print(table)


def shares_table(
    console: Console,
    title: str,
    shares: Mapping[str, Share],
    most: int | None = None,
    titles: tuple[str, str] = ("sentences", "flagged"),
) -> None:
    """Print how many sentences each name has and how many of them are hits, at ``titles``."""
    table = _table(title, *titles, "share", "95 % interval")
    names = list(shares)[:most]
    for name in names:
        table.add_row(name, *_counted(shares[name]))
    console.print(table)
    if len(names) < len(shares):
        console.print(f"... and {len(shares) - len(names)} more with fewer sentences", style="dim")


def changes_table(
    console: Console, shipped: Sequence[Change], start: Mapping[str, float], limited: Sequence[str]
) -> None:
    """Print each fitted number beside where the fit started and what is shipped."""
    table = _table("key", "start", "shipped", "fitted", "difference")
    for one in shipped:
        difference = one.after - one.before
        shown = f"{difference:+.2f}" if abs(difference) >= 0.005 else ""
        cells = (start[one.key], one.before, one.after)
        table.add_row(one.key, *(f"{value:.2f}" for value in cells), shown)
    console.print(table)
    if limited:
        console.print(f"held by: {'; '.join(limited)}", soft_wrap=True, highlight=False)


def proposal_table(console: Console, proposal: Proposal | None, now: Thresholds) -> None:
    """Print the proposed thresholds beside those in use, and which turns they would stop."""
    if proposal is None:
        console.print("none reaches it on enough turns")
        return
    table = _table("threshold", "now", "proposed", "turns", "flagged", "share", "95 % interval")
    for rule, share in zip(RULES, proposal.alone, strict=True):
        values = (getattr(now, rule), getattr(proposal.thresholds, rule))
        table.add_row(rule, *map(str, values), *_counted(share))
    table.add_row("together", "", "", *_counted(proposal.reached))
    console.print(table)
    recall = number("recall", proposal.recall.value)
    console.print(f"of {proposal.recall.count} flagged turns, {recall} are stopped")


def number(name: str, value: float) -> str:
    """Return a figure as it is shown."""
    if isnan(value):
        return "-"
    return f"{value:.0f}" if name in _COUNTS else f"{value:.3f}"


def _counted(share: Share, *between: str) -> tuple[str, ...]:
    low, high = share.interval
    value = number("share", share.value)
    return str(share.count), *between, str(share.hits), value, f"{low:.2f}-{high:.2f}"


def _table(*titles: str) -> Table:
    table = Table(*titles, box=None, pad_edge=False)
    for column in table.columns:
        column.no_wrap = True
        column.overflow = "ignore"  # a number that is cut would be another number
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def wide_console() -> Console:
    """Return a console for tables; in a pipe they may be wider than 80 columns."""
    console = Console()
    return console if console.is_terminal else Console(width=_PIPE_WIDTH)
