"""What ``groundwire quality`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from rich.console import Console

from groundwire.base.settings import Settings
from groundwire_lab import report, tables
from groundwire_lab.judged import HYBRID, Fit, Judged, asked, columns_of
from groundwire_lab.recording import Recorded

#: Longest share of turns that may be asked about with ``when = "unsure"``.
_MOST_ASKED = 0.25


def print_judged(
    console: Console,
    judged: Sequence[Judged],
    recorded: Sequence[Recorded],
    settings: Settings,
    script: Path | None,
) -> None:
    """Print the figures of each method, kinds, the fitted join, and what the answers took."""
    columns, fit = columns_of(judged, settings)
    cases = [one.case for one in judged]
    report.print_figures(console, cases, columns, settings, script)
    for title in columns:
        report.print_kinds(console, title, columns[title], settings.thresholds.report)
    report.print_details(console, HYBRID, columns[HYBRID])
    _print_fit(console, fit)
    _print_bands(console, judged)
    _print_costs(console, recorded)


def _print_fit(console: Console, fit: Fit) -> None:
    tables.heading(console, "join fitted on all of them ([judge] join and stop)")
    rows = [(name, f"{getattr(fit.join, name):.3f}") for name in type(fit.join)._fields]
    tables.plain_table(console, ("weight", ""), [*rows, ("stop", str(fit.stop))])


def _print_bands(console: Console, judged: Sequence[Judged]) -> None:
    """Print the widest bands of the linear model that ask about few enough turns."""
    tables.heading(console, 'bands of the highest confidence for when = "unsure"')
    shares = {
        f"{low} to {high}": share
        for low in range(10, 60, 5)
        for high in (50, 60, 70, 100)
        if low < high and 0 < (share := asked(judged, low, high)).value <= _MOST_ASKED
    }
    tables.shares_table(console, "band", shares, "turns", "asked about")


def _print_costs(console: Console, recorded: Sequence[Recorded]) -> None:
    tables.heading(console, f"{len(recorded)} answers of {_models(recorded)}")
    rows = []
    for title, name in (
        ("tokens read", "input_tokens"),
        ("tokens written", "output_tokens"),
        ("seconds", "seconds"),
        ("dollars", "cost"),
    ):
        known = [value for one in recorded if (value := getattr(one, name)) is not None]
        shown = (f"{median(known):.4g}", f"{sum(known):.4g}") if known else ("-", "-")
        rows.append((title, str(len(known)), *shown))
    tables.plain_table(console, ("", "known", "median", "all"), rows)


def _models(recorded: Sequence[Recorded]) -> str:
    names = sorted({f"{one.model or 'a model'} (prompt {one.prompt_version})" for one in recorded})
    return ", ".join(names)
