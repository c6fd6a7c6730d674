"""What ``groundwire calibrate`` and ``groundwire quality`` print of figures and numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from groundwire.base.settings import Settings, Thresholds
from groundwire.verdict.assess import MARKER
from groundwire_lab import tables
from groundwire_lab.crossval import COMPARED
from groundwire_lab.figures import Measured, by_verdict, measure, recall_by_kind, reliability
from groundwire_lab.fit import PARTLY, Case, Fitted, Plan, rows_of
from groundwire_lab.samples import Prediction, units_of
from groundwire_lab.thresholds import CHOSEN, Proposal

#: Figures of single repositories.
_BY_GROUP = (
    "messages", "flagged", "average_precision", "auroc_judged", "blocked", "block_precision",
    "block_recall", "false_block_rate",
)  # fmt: skip
_MOST_GROUPS = 40  # sessions of one repository may be many more
Columns = Mapping[str, Sequence[Prediction]]


def summary(cases: Sequence[Case]) -> str:
    """Return in one line what there is to see."""
    units = units_of(case.prediction for case in cases)
    flagged = [unit for unit in units if unit.flag]
    return (
        f"{len(cases)} messages of {len({case.group for case in cases})} groups, "
        f"{len(units)} sentences, {len(flagged)} flagged, "
        f"{sum(bool(unit.matches) for unit in flagged)} of these with a match"
    )


def print_figures(
    console: Console,
    cases: Sequence[Case],
    columns: Columns,
    settings: Settings,
    script: Path | None,
    held: str = "",
) -> None:
    """Print the figures of each column; by repository those of the first and last.

    ``held`` names the numbers of the first column that may have been fitted to these labels.
    """
    report = settings.thresholds.report
    source = script.name if script else "groundwire itself: no score.py beside the labels"
    tables.heading(console, f"{summary(cases)}; figures by {source}, predicted from {report} on")
    measured = {title: measure(it, report, script) for title, it in columns.items()}
    if held:
        text = f"{PARTLY}: {held} as they are in use, perhaps fitted to these labels"
        console.print(Text(text), soft_wrap=True)
    tables.figures_table(console, measured)
    first, *_, last = columns
    for title in (first, last) if len({case.group for case in cases}) <= _MOST_GROUPS else ():
        tables.heading(console, f"by group: {title}")
        sets: dict[str, list[Prediction]] = {}
        for case, one in zip(cases, columns[title], strict=True):
            sets.setdefault(case.group, []).append(one)
        each = {name: measure(sets[name], report, script) for name in sorted(sets)}
        tables.sets_table(console, each, _BY_GROUP)


def print_details(console: Console, title: str, predictions: Sequence[Prediction]) -> None:
    """Print how often sentences are flagged by confidence and by label of the evidence."""
    units = units_of(predictions)
    tables.heading(console, f"sentences with a match, {title}")
    tables.groups_table(console, "confidence", reliability(units))
    console.print()
    tables.groups_table(console, "label", by_verdict(units))


def print_kinds(console: Console, title: str, predictions: Sequence[Prediction], at: int) -> None:
    """Print how many flagged sentences of each kind are found."""
    tables.heading(console, f"flagged sentences by kind, {title}")
    tables.shares_table(console, "kind", recall_by_kind(predictions, at), "flagged", "found")


def print_fitted(console: Console, cases: Sequence[Case], plan: Plan, fitted: Fitted) -> None:
    """Print the fitted numbers beside their priors, and in how many turns they say something."""
    tables.heading(console, "fitted on all of them")
    turns: dict[str, int] = {}
    groups: dict[str, set[str]] = {}
    for case in cases:
        for name in {name for row in case.rows for name in row.values}:
            turns[name] = turns.get(name, 0) + 1
            groups.setdefault(name, set()).add(case.group)
    rows = []
    for name, term in plan.terms.items():
        if term.spread and not name.startswith(MARKER):
            sign = "+" if term.low == 0 else "-" if term.high == 0 else ""
            weight = fitted.weights[name]
            held = " (held)" if sign and not weight else ""
            counts = (str(turns.get(name, 0)), str(len(groups.get(name, ()))))
            rows.append((name, sign, f"{term.prior:.2f}", f"{weight:.2f}{held}", *counts))
    tables.plain_table(console, ("", "sign", "prior", "weight", "turns", "repositories"), rows)
    markers = [it for name, it in fitted.weights.items() if name.startswith(MARKER) and it]
    console.print(f"and {len(markers)} markers in {len(rows_of(cases))} labelled claims")


def print_proposal(
    console: Console, proposal: Proposal | None, now: Thresholds, title: str
) -> None:
    """Print the proposed thresholds beside those in use, and what they reach there."""
    tables.heading(console, f'thresholds chosen on the column "{title}"')
    if proposal is None:
        console.print("none reach what is wanted on enough turns")
        return
    rows = ((one, str(getattr(now, one)), str(getattr(proposal.thresholds, one))) for one in CHOSEN)
    tables.plain_table(console, ("threshold", "now", "proposed"), rows)
    reached = {
        "stopped turns": proposal.precision,
        "flagged turns": proposal.recall,
        "clean turns": proposal.false_blocks,
    }
    tables.shares_table(console, "", reached, "of", "flagged or stopped")


def print_ablation(
    console: Console, ablations: Iterable[tuple[str, Mapping[str, float]]], title: str
) -> None:
    """Print the figures of the first column without each part of the model."""
    tables.heading(console, f"{title}, without one part after the other, at the thresholds in use")
    sets = {name: Measured(dict(figures), {}) for name, figures in ablations}
    tables.sets_table(console, sets, COMPARED)
