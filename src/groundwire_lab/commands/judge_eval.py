"""The answers of a judge that ``groundwire quality`` measures: recorded, asked for, or written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import track

from groundwire.base.record import Record
from groundwire.runs.digest import digest_of_turn
from groundwire.settings.runtime import Runtime
from groundwire.turn.page import TurnDigest
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import examine
from groundwire_judge.ask import ask_turn
from groundwire_judge.request import VERSION, render
from groundwire_lab.errors import CalibrateError
from groundwire_lab.recording import Recorded, line_of, prompt_hash, read_recording, write_recording
from groundwire_lab.samples import Sample


class Asked(Record):
    """Where answers come from, the first of three; ``record`` keeps them, ``limit`` 0 is all."""

    replay: Path | None
    provider: str
    prompts: Path | None
    record: Path | None
    model: str
    limit: int


def answers(samples: Sequence[Sample], runtime: Runtime, asked: Asked) -> dict[str, Recorded]:
    """Return the answers about the samples by the id of their message; raises CalibrateError."""
    chosen = samples[: asked.limit] if asked.limit else samples
    if asked.provider:
        return _provider_answers(chosen, runtime, asked)
    if asked.replay:
        recorded = read_recording(asked.replay)
    else:
        recorded = _answers_beside_prompts(chosen, runtime, asked.prompts or Path(), asked.model)
    if asked.record:
        write_recording(asked.record, recorded.values())
    return recorded


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
    samples: Sequence[Sample], runtime: Runtime, asked: Asked
) -> dict[str, Recorded]:
    """Ask a provider about each turn; every answer is kept at once. Tells what failed."""
    judge = runtime.settings.judge.replace(provider=asked.provider, model=asked.model)
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
        if asked.record:
            with asked.record.open("a", encoding="utf-8") as file:
                file.write(line_of(one))
    if not recorded:
        raise CalibrateError(f"{asked.provider}: no answer to any turn")
    return recorded
