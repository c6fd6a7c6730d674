"""``groundwire judge-eval``: how good a judge is on labelled turns, alone and with the model."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from groundwire.commands.extras import extra_needed
from groundwire.commands.options import Patterns, Set, refuse_given
from groundwire.runs.digest import digest_of_turn
from groundwire.settings.runtime import Runtime
from groundwire.turn.page import TurnDigest
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import examine
from groundwire_judge.request import VERSION, render
from groundwire_lab.commands.calibrate import Labels, Shipped, Together, runtime_of
from groundwire_lab.errors import CalibrateError
from groundwire_lab.judged import Recorded, line_of, prompt_hash, read_recording, write_recording
from groundwire_lab.samples import Sample, read_sets


def judge_eval(  # noqa: PLR0913, PLR0917 - one parameter for each option
    ctx: typer.Context,
    labels: Labels,
    replay: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Score recorded answers again.")
    ] = None,
    provider: Annotated[
        str, typer.Option(metavar="NAME", help="Ask this provider; sends digests to it.")
    ] = "",
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the answers, to score them again.")
    ] = None,
    prompts: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write each prompt as ID.txt; answers beside them (ID.json) are scored.",
        ),
    ] = None,
    model: Annotated[str, typer.Option(help="Which model to ask, or that answered.")] = "",
    limit: Annotated[int, typer.Option(min=0, help="Ask about so many turns; 0: all.")] = 0,
    together: Together = None,
    shipped: Shipped = False,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Measure linear model, judge, and both together side by side, left out by repository.

    Answers come from a recording (--replay), from a provider (--provider), or from files that you
    fill in (--prompts). Needs the extra: pip install 'groundwire[calibrate]'.

    Examples:

        groundwire judge-eval gold/wide --replay benchmarks/judge/answers.jsonl.xz

        groundwire judge-eval labels.jsonl --provider claude-code --limit 20 --record answers.jsonl
    """
    if sum(map(bool, (replay, provider, prompts))) != 1:
        raise CalibrateError("answers: name one of --replay FILE, --provider NAME, --prompts DIR")
    refuse_given(ctx, ("--limit", "--model") if replay else (), "not with --replay")
    runtime = runtime_of(shipped, set_, patterns)
    samples = read_sets(labels)
    chosen_samples = samples[:limit] if limit else samples
    if replay:
        recorded = read_recording(replay)
    elif prompts:
        recorded = _answers_beside_prompts(chosen_samples, runtime, prompts, model)
    else:
        recorded = _provider_answers(chosen_samples, runtime, provider, model, record)
    if record and not provider:
        write_recording(record, recorded.values())
    with extra_needed("calibrate"):  # takes seconds, so it comes after what can be refused
        from groundwire.settings.patterns.weights import load_model
        from groundwire_lab.figures import find_script
        from groundwire_lab.fit import plan_of, read_cases
        from groundwire_lab.judge_report import print_judged
        from groundwire_lab.judged import judged_cases
        from groundwire_lab.tables import wide_console
        from groundwire_lab.write import spreads_of
    numbers = load_model()
    plan = plan_of(numbers, spreads_of(numbers))
    cases = read_cases(samples, runtime, together or ())
    judged = judged_cases(cases, runtime, plan, recorded)
    script = find_script(labels[0])
    print_judged(wide_console(), judged, list(recorded.values()), runtime.settings, script)


def _digests(samples: Sequence[Sample], runtime: Runtime) -> Iterator[tuple[Sample, TurnDigest]]:
    for sample in samples:
        examined = examine(sample.event, sample.turn, runtime.scanner, runtime.settings, Memory())
        digest = digest_of_turn(examined, runtime.settings.judge.characters)
        if digest is not None:
            yield sample, digest


def _recorded(sample: Sample, digest: TurnDigest, answer: str, model: str) -> Recorded:
    places = tuple((one.start, one.end) for one in digest.statements)
    asked = prompt_hash(*render(digest))
    return Recorded(sample.message.id, places, digest.all_calls, answer, model, VERSION, asked)


def _answers_beside_prompts(
    samples: Sequence[Sample], runtime: Runtime, folder: Path, model: str
) -> dict[str, Recorded]:
    """Write the prompts that are not there, and return the answers that stand beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    recorded = {}
    for sample, digest in _digests(samples, runtime):
        name = sample.message.id
        prompt, answer = folder / f"{name}.txt", folder / f"{name}.json"
        if not prompt.exists():
            prompt.write_text("\n\n".join(render(digest)), encoding="utf-8")
        if answer.is_file():
            text = answer.read_text(encoding="utf-8").strip()
            recorded[name] = _recorded(sample, digest, text, model)
    if not recorded:
        raise CalibrateError(f"{folder}: prompts are written; put each answer beside its prompt")
    return recorded


def _provider_answers(
    samples: Sequence[Sample], runtime: Runtime, provider: str, model: str, record: Path | None
) -> dict[str, Recorded]:
    """Ask a provider about each turn; every answer is kept at once. Tells what failed."""
    from groundwire_judge.ask import ask_turn

    judge = runtime.settings.judge.replace(provider=provider, model=model)
    recorded: dict[str, Recorded] = {}
    console = Console(stderr=True)
    waiting = list(_digests(samples, runtime))
    progress = track(waiting, "turns", console=console, disable=not console.is_terminal)
    for sample, digest in progress:
        answer = ask_turn(digest, judge, os.environ)
        if answer.problem:
            typer.echo(f"groundwire: {sample.message.id}: {answer.problem}", err=True)
            continue
        statements = [
            {"n": one.number, "probability": one.probability, "kind": one.kind, "why": one.why}
            for one in answer.said
        ]
        text = json.dumps({"statements": statements}, ensure_ascii=False)
        one = _recorded(sample, digest, text, answer.model).replace(
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            seconds=round(answer.milliseconds / 1000, 2),
            cost=answer.cost,
        )
        recorded[one.id] = one
        if record:
            with record.open("a", encoding="utf-8") as file:
                file.write(line_of(one))
    if not recorded:
        raise CalibrateError(f"{provider}: no answer to any turn")
    return recorded
