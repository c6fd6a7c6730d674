"""``groundwire quality``: how good the settings in effect are on a labelled set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.calibrate.samples import read_samples, require
from groundwire.cli.calibrate import Shipped, Start, runtime_of
from groundwire.cli.extras import extra_needed
from groundwire.cli.options import Patterns, Set

_LABELS = "gold.jsonl"


def quality(  # noqa: PLR0913, PLR0917 - one parameter for each option
    gold: Annotated[
        Path,
        typer.Argument(help="Folder with gold.jsonl, events.jsonl and transcripts/; a label file."),
    ],
    cross_validate: Annotated[
        bool, typer.Option("--cross-validate", help="Also fit, and measure in and out of fold.")
    ] = False,
    worst: Annotated[
        int, typer.Option(min=0, help="Explain so many false alarms and misses.")
    ] = 10,
    shrinkage: Annotated[float, typer.Option(min=0, max=10_000, help="Of the fit; 0: none.")] = 1.0,
    start: Annotated[Start, typer.Option(help="Where the fit starts.")] = Start.SHIPPED,
    precision: Annotated[
        float, typer.Option(min=0.01, max=1, help="Wanted where a turn is stopped, for a fit.")
    ] = 0.8,
    folds: Annotated[int, typer.Option(min=2, max=100, help="For cross-validation.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Chooses the folds.")] = 1,
    shipped: Shipped = False,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Measure the confidences and decisions on labelled messages, with and without verdicts.

    The figures are those of score.py when it stands in the folder or beside it. Of the part
    "check" only figures are shown. Needs the extra: pip install 'groundwire[calibrate]'.

    Examples:

        groundwire quality gold/dev --shipped

        groundwire quality gold/dev --cross-validate --worst 0
    """
    runtime = runtime_of(shipped, set_, patterns)
    labels = gold / _LABELS if gold.is_dir() else gold
    samples = read_samples(labels)
    require(samples, labels)
    with extra_needed("calibrate"):  # takes seconds, so it comes after what can be refused
        from groundwire.calibrate.crossval import Folds
        from groundwire.calibrate.parameters import START
        from groundwire.calibrate.quality import print_quality, variants
        from groundwire.calibrate.reference import find_script
        from groundwire.calibrate.run import Plan
        from groundwire.calibrate.tables import wide_console
    plan = None
    if cross_validate:
        plan = Plan(shrinkage=shrinkage, folds=Folds(folds, seed), precision=precision)
    if plan and start is Start.DESIGN:
        plan = plan.replace(start=START)
    found = variants(samples, runtime, plan)
    print_quality(wide_console(), found, runtime, find_script(labels.parent), worst)
