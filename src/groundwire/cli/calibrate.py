"""``groundwire calibrate``: fit the numbers of the settings to labels."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from groundwire.calibrate.errors import CalibrateError
from groundwire.calibrate.runtime import shipped_runtime
from groundwire.calibrate.samples import read_samples, require
from groundwire.cli.extras import extra_needed
from groundwire.cli.options import Patterns, Set, flag_settings, runtime_for
from groundwire.service.full import Runtime

Shipped = Annotated[
    bool, typer.Option("--shipped", help="Ignore settings files and variables of this machine.")
]


class Split(StrEnum):
    """Which part of the labelled messages is used."""

    TUNE = "tune"
    CHECK = "check"
    ALL = "all"


class Start(StrEnum):
    """Where the fit starts, and what it is drawn to."""

    SHIPPED = "shipped"
    DESIGN = "design"


def calibrate(  # noqa: PLR0913, PLR0917 - one parameter for each option
    labels: Annotated[Path, typer.Argument(help="Labelled messages, as groundwire label writes.")],
    events: Annotated[
        Path | None,
        typer.Option(help="Hook inputs of the messages; events.jsonl beside LABELS, if it exists."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write a settings fragment (TOML).")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a reliability plot (PNG).")] = None,
    precision: Annotated[
        float, typer.Option(min=0.01, max=1, help="Wanted where a turn is stopped.")
    ] = 0.8,
    shrinkage: Annotated[
        float, typer.Option(min=0, max=10_000, help="Pull towards the start; 0: none.")
    ] = 1.0,
    start: Annotated[
        Start, typer.Option(help="Start from the shipped numbers, or those before any fit.")
    ] = Start.SHIPPED,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="A key or table that is not fitted; may be repeated."),
    ] = None,
    split: Annotated[Split, typer.Option(help="Which part of the labels to learn from.")] = (
        Split.TUNE
    ),
    folds: Annotated[int, typer.Option(min=2, max=100, help="For cross-validation.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Chooses the folds.")] = 1,
    shipped: Shipped = False,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Fit weights, strengths, verdict and context values to labels, and measure the result.

    Needs the extra: pip install 'groundwire[calibrate]'. Nothing is changed; --out writes a file
    to put into your settings.

    Examples:

        groundwire calibrate labels.jsonl --out fitted.toml --plot reliability.png

        groundwire calibrate labels.jsonl --precision 0.9

        groundwire calibrate labels.jsonl --keep strengths --keep weights.text_length
    """
    runtime = runtime_of(shipped, set_, patterns)
    samples = [one for one in read_samples(labels, events) if split in (one.message.split, "all")]
    require(samples, labels)
    with extra_needed("calibrate"):  # takes seconds, so it comes after what can be refused
        from groundwire.calibrate.crossval import Folds
        from groundwire.calibrate.fragment import fragment
        from groundwire.calibrate.parameters import START, named
        from groundwire.calibrate.predict import units_of
        from groundwire.calibrate.report import print_calibration, summary
        from groundwire.calibrate.run import Plan
        from groundwire.calibrate.run import calibrate as run
        from groundwire.calibrate.tables import wide_console

        if plot:
            from groundwire.calibrate.plot import save_plot
    try:
        kept = named(keep or ())
    except ValueError as error:
        raise CalibrateError(f"--keep {error}") from None
    plan = Plan(shrinkage=shrinkage, folds=Folds(folds, seed), precision=precision, kept=kept)
    if start is Start.DESIGN:
        plan = plan.replace(start=START)
    calibration = run(samples, runtime, plan)
    print_calibration(wide_console(), calibration, plan, runtime.settings)
    if out:
        lines = (
            "Fitted by groundwire calibrate on labelled sentences:",
            summary(calibration, plan),
        )
        save(out, fragment(calibration.settings, calibration.proposal, lines))
    if plot:
        series = {
            "in use": units_of(calibration.before),
            "fitted, out of fold": units_of(calibration.out_of_fold),
        }
        try:
            save_plot(plot, series)
        except OSError as error:
            raise CalibrateError(f"{plot}: {error.strerror}; expected a writable path") from None


def runtime_of(shipped: bool, set_: list[str] | None, patterns: list[str] | None) -> Runtime:
    """Return the settings in effect here, or the shipped ones; flags count in both."""
    if shipped:
        return shipped_runtime(flag_settings(set_, None, patterns))
    return runtime_for(set_, None, patterns)


def save(path: Path, text: str) -> None:
    """Write a text file; raises CalibrateError naming it."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CalibrateError(f"{path}: {error.strerror}; expected a writable path") from None
