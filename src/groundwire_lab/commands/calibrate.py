"""``groundwire calibrate``: fit the numbers of the model, or of the settings, to labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.commands.extras import extra_needed
from groundwire.commands.options import Patterns, Set, flag_settings, refuse_given, runtime_for
from groundwire.settings.runtime import Runtime
from groundwire_lab.runtime import shipped_runtime
from groundwire_lab.samples import read_sets


def calibrate(  # noqa: PLR0913, PLR0917 - one parameter for each option
    ctx: typer.Context,
    labels: list[Path],
    together: list[str] | None = None,
    model: bool = False,
    write: Path | None = None,
    out: Path | None = None,
    precision: Annotated[float, typer.Option(min=0.01, max=1)] = 0.8,
    false_blocks: Annotated[float, typer.Option(min=0, max=1)] = 0.03,
    feature_spread: Annotated[float, typer.Option(min=0.01, max=100)] = 0.8,
    group_spread: Annotated[float, typer.Option(min=0.01, max=100)] = 0.3,
    marker_spread: Annotated[float, typer.Option(min=0.01, max=100)] = 0.8,
    ablation: bool = False,
    shipped: bool = False,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Fit weights to labels, and measure them on repositories that were left out of the fit.

    Without --model only the features are fitted, from what they weigh now, and a fragment for your
    settings is printed; base, groups and markers stay as they are, so nothing is left out.
    Needs the extra: pip install 'groundwire[calibrate]'.

    Examples:

        groundwire calibrate labels.jsonl --out fitted.toml

        groundwire calibrate gold/dev gold/wide --together 'team/*' --model --ablation

    Options:
        labels: Label files, or folders with gold.jsonl and events.jsonl.
        --model: Fit all numbers of the model, from their priors.
        --write DIR: Rewrite the model files of this folder; with --model.
        --out: Write a settings fragment (TOML).
        --precision: Precision of stops to aim at.
        --false-blocks: Largest share of clean turns that may be stopped.
        --feature-spread: How far a feature may move from its prior.
        --group-spread: The same for a group of claims.
        --marker-spread: The same for a single marker.
        --ablation: Also measure without each part of the model.
    """
    fits_all = model or write is not None
    if not fits_all:
        refuse_given(ctx, ("--group-spread", "--marker-spread"), "only with --model or --write")
    runtime = runtime_of(shipped, set_, patterns)
    samples = read_sets(labels)
    from groundwire.settings.patterns.weights import load_model  # pydantic

    numbers = load_model(write)
    with extra_needed("calibrate"):  # takes seconds, so it comes after what can be refused
        from groundwire_lab import report
        from groundwire_lab import write as files
        from groundwire_lab.crossval import ablation as without_each
        from groundwire_lab.crossval import calibrate as run
        from groundwire_lab.figures import find_script
        from groundwire_lab.fit import Spreads, plan_in_use, plan_of, read_cases
        from groundwire_lab.tables import wide_console
        from groundwire_lab.thresholds import Wanted
    settings = runtime.settings
    spreads = Spreads(feature_spread, group_spread, marker_spread)
    plan = plan_of(numbers, spreads) if fits_all else plan_in_use(numbers, settings, spreads)
    cases = read_cases(samples, runtime, together or ())
    fits = run(cases, plan, settings, Wanted(precision, false_blocks))
    console = wide_console()
    report.print_figures(console, cases, fits.columns, settings, find_script(labels[0]), plan.held)
    report.print_proposal(console, fits.proposal, settings.thresholds, plan.title)
    report.print_details(console, plan.title, fits.columns[plan.title])
    report.print_fitted(console, cases, plan, fits.fitted)
    if ablation:
        report.print_ablation(console, without_each(cases, plan, settings), plan.title)
    if write is not None:
        files.write_model(write, files.refitted(numbers, fits.fitted, cases, spreads))
    text = files.fragment(fits.fitted, fits.proposal, f"Fitted on {report.summary(cases)}")
    if out is not None:
        files.save(out, text)
    elif not fits_all:
        typer.echo(f"\n{text}", nl=False)


def runtime_of(shipped: bool, set_: list[str] | None, patterns: list[str] | None) -> Runtime:
    """Return the settings in effect here, or the shipped ones; flags count in both."""
    if shipped:
        return shipped_runtime(flag_settings(set_, None, patterns))
    return runtime_for(set_, None, patterns)
