"""``groundwire quality``: how good the settings in effect are on labelled sets."""

from __future__ import annotations

from typing import Annotated

import typer

from groundwire.commands.extras import extra_needed
from groundwire.commands.options import Patterns, Set
from groundwire_lab.commands.calibrate import Labels, Shipped, Together, runtime_of
from groundwire_lab.samples import read_sets


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
        from groundwire_lab.figures import find_script
        from groundwire_lab.fit import read_cases
        from groundwire_lab.quality import print_quality
        from groundwire_lab.tables import wide_console
    cases = read_cases(samples, runtime, together or ())
    script = find_script(labels[0])
    from groundwire.settings.patterns.weights import load_model  # pydantic

    print_quality(wide_console(), cases, load_model(), runtime.settings, script, worst)
