"""``groundwire quality``: how good the settings in effect are on labelled sets."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.calibrate.samples import read_sets
from groundwire.cli.calibrate import Labels, Shipped, Together, runtime_of
from groundwire.cli.extras import extra_needed
from groundwire.cli.options import Patterns, Set


def quality(
    labels: Labels,
    together: Together = None,
    worst: Annotated[
        int, typer.Option(min=0, help="How many false alarms and misses to explain.")
    ] = 10,
    shipped: Shipped = False,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Measure the present settings on labelled messages, with each repository left out in turn.

    The figures are those of score.py when it stands in the folder of the first labels or beside
    it. Needs the extra: pip install 'groundwire[calibrate]'.

    Examples:

        groundwire quality gold/dev gold/wide --together 'team/*' --shipped

        groundwire quality labels.jsonl --worst 0
    """
    runtime = runtime_of(shipped, set_, patterns)
    samples = read_sets(labels)
    with extra_needed("calibrate"):  # takes seconds, so it comes after what can be refused
        from groundwire.calibrate.design import read_cases
        from groundwire.calibrate.quality import print_quality
        from groundwire.calibrate.reference import find_script
        from groundwire.calibrate.tables import wide_console
    cases = read_cases(samples, runtime, together or ())
    script = find_script(labels[0])
    from groundwire.lexicon.weights import load_model  # pydantic

    print_quality(wide_console(), cases, load_model(), runtime.settings, script, worst)
