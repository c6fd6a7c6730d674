"""``groundwire quality``: how good the settings in effect are on labelled sets, or a judge is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundwire.commands.extras import extra_needed
from groundwire.commands.options import Patterns, Set, refuse_given
from groundwire_lab.commands.calibrate import runtime_of
from groundwire_lab.commands.judge_eval import Asked, answers
from groundwire_lab.errors import CalibrateError
from groundwire_lab.samples import read_sets


def quality(  # noqa: PLR0913, PLR0917 - one parameter for each option
    ctx: typer.Context,
    labels: list[Path],
    together: list[str] | None = None,
    worst: Annotated[int, typer.Option(min=0)] = 10,
    replay: Path | None = None,
    provider: str = "",
    prompts: Path | None = None,
    record: Path | None = None,
    model: str = "",
    limit: Annotated[int, typer.Option(min=0)] = 0,
    shipped: bool = False,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Measure the present settings on labelled messages, with each repository left out in turn.

    With answers of a judge it measures linear model, judge, and both together side by side. They
    come from a recording (--replay), from a provider (--provider), or from files that you fill in
    (--prompts). The figures are those of score.py when it stands in the folder of the first labels
    or beside it. Needs the extra: pip install 'groundwire[calibrate]'.

    Examples:

        groundwire quality gold/dev gold/wide --together 'team/*' --shipped

        groundwire quality labels.jsonl --worst 0

        groundwire quality gold/wide --replay benchmarks/judge/answers.jsonl.xz

        groundwire quality labels.jsonl --provider claude-code --limit 20 --record answers.jsonl

    Options:
        labels: Label files, or folders with gold.jsonl and events.jsonl.
        --worst: How many false alarms and misses to explain; not with a judge.
        --replay FILE: Score recorded answers of a judge again.
        --provider NAME: Ask this provider; sends digests to it.
        --prompts DIR: Write each prompt as ID.txt; answers beside them (ID.json) are scored.
        --record FILE: Keep the answers of a judge, to score them again.
        --model NAME: Which model to ask, or that answered.
        --limit: Ask about so many turns; 0: all.
    """
    judges = sum(map(bool, (replay, provider, prompts)))
    if judges > 1:
        raise CalibrateError("answers: name one of --replay FILE, --provider NAME, --prompts DIR")
    if not judges:
        refuse_given(ctx, ("--record", "--model", "--limit"), "only with answers of a judge")
    refuse_given(ctx, ("--limit", "--model") if replay else (), "not with --replay")
    refuse_given(ctx, ("--worst",) if judges else (), "not with answers of a judge")
    runtime, samples = runtime_of(shipped, set_, patterns), read_sets(labels)
    asked = Asked(replay, provider, prompts, record, model, limit)
    recorded = answers(samples, runtime, asked) if judges else {}
    with extra_needed("calibrate"):  # takes seconds, so it comes after what can be refused
        from groundwire.settings.patterns.weights import load_model
        from groundwire_lab.figures import find_script
        from groundwire_lab.fit import plan_of, read_cases
        from groundwire_lab.judge_report import print_judged
        from groundwire_lab.judged import judged_cases
        from groundwire_lab.quality import print_quality
        from groundwire_lab.tables import wide_console
        from groundwire_lab.write import spreads_of
    cases, numbers = read_cases(samples, runtime, together or ()), load_model()
    console, script = wide_console(), find_script(labels[0])
    if not judges:
        print_quality(console, cases, numbers, runtime.settings, script, worst)
        return
    judged = judged_cases(cases, runtime, plan_of(numbers, spreads_of(numbers)), recorded)
    print_judged(console, judged, list(recorded.values()), runtime.settings, script)
