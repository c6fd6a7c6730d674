"""What ``groundwire calibrate`` prints; no text of a message is in it."""

from __future__ import annotations

from rich.console import Console

from groundwire.calibrate import tables
from groundwire.calibrate.figures import by_marker, by_verdict, figures, reliability
from groundwire.calibrate.fit import active_limits
from groundwire.calibrate.parameters import changes
from groundwire.calibrate.predict import units_of
from groundwire.calibrate.run import Calibration, Plan
from groundwire.settings import SHIPPED, Settings

_MOST_MARKERS = 40


def summary(calibration: Calibration, plan: Plan) -> str:
    """Return in one line what the fit saw."""
    samples = [one.sample for one in calibration.before]
    units = units_of(calibration.before)
    flagged = [unit for unit in units if unit.flag]
    reached = sum(bool(unit.matches) for unit in flagged)
    sessions = len({sample.message.session for sample in samples})
    return (
        f"{len(samples)} messages of {sessions} sessions, {len(units)} sentences, "
        f"{len(flagged)} flagged, {reached} of these with a match; "
        f"shrinkage {plan.shrinkage:g}, {min(plan.folds.count, sessions)} folds"
    )


def print_calibration(
    console: Console, calibration: Calibration, plan: Plan, in_use: Settings
) -> None:
    """Print the fitted numbers, the figures, the tables and the proposals."""
    tables.heading(console, summary(calibration, plan))
    start = {one.key: one.after for one in changes(SHIPPED, plan.start)}
    shipped = changes(SHIPPED, calibration.settings)
    tables.changes_table(console, shipped, start, active_limits(calibration.settings))
    report = in_use.thresholds.report
    tables.heading(console, f"figures (sentences count as predicted from {report} on)")
    columns = {
        "in use": figures(calibration.before, report),
        "in fold": figures(calibration.in_fold, report),
        "out of fold": figures(calibration.out_of_fold, report),
        "out of fold, own thresholds": figures(calibration.own_thresholds, report),
    }
    tables.figures_table(console, columns)
    held_out = units_of(calibration.out_of_fold)
    tables.heading(console, "reliability, out of fold (sentences with a match)")
    tables.groups_table(console, "confidence", reliability(held_out))
    tables.heading(console, "verdicts, out of fold")
    tables.groups_table(console, "verdict", by_verdict(held_out))
    tables.heading(console, "markers: how often a sentence with one is flagged")
    tables.shares_table(console, "marker", by_marker(held_out), _MOST_MARKERS)
    tables.heading(console, f"thresholds for a precision of {plan.precision:g}, out of fold")
    tables.proposal_table(console, calibration.proposal, in_use.thresholds)
