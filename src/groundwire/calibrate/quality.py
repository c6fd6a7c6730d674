"""Figures of the settings on a labelled set: by part, repository, kind and verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from groundwire.calibrate import tables
from groundwire.calibrate.crossval import out_of_fold
from groundwire.calibrate.figures import by_verdict, reliability
from groundwire.calibrate.labels import SPLITS, Label, Message
from groundwire.calibrate.predict import Prediction, Unit, predict, units_of
from groundwire.calibrate.reference import measure
from groundwire.calibrate.run import Plan, fitted
from groundwire.calibrate.samples import Sample, without_tools
from groundwire.calibrate.worst import explained, false_alarms, misses
from groundwire.confidence.share import Share
from groundwire.model import KINDS
from groundwire.service.full import Runtime
from groundwire.settings import Thresholds

IN_USE = "in use"
VERDICTS_OFF = "verdicts off"
Variants = Mapping[str, Sequence[Prediction]]
Belongs = Callable[[Message], bool]


def variants(samples: Sequence[Sample], runtime: Runtime, plan: Plan | None) -> Variants:
    """Return the predictions to compare; with ``plan`` also those of fits, in and out of fold.

    Verdicts off: the same settings on the same messages as if no tool call were known. Own
    thresholds: out of fold, with thresholds for the wanted precision chosen in the same folds.
    """
    found = {
        IN_USE: predict(samples, runtime),
        VERDICTS_OFF: predict(map(without_tools, samples), runtime),
    }
    if plan:
        settings = fitted(samples, runtime, plan)
        found["in fold"] = predict(samples, runtime.replace(settings=settings))
        found["out of fold"] = out_of_fold(samples, runtime, plan.goal, plan.folds)
        own = plan.folds.replace(precision=plan.precision)
        found["own thresholds"] = out_of_fold(samples, runtime, plan.goal, own)
    return found


def parts(messages: Sequence[Message]) -> dict[str, Belongs]:
    """Return the parts that are reported apart: all, tune and check, each repository."""
    found: dict[str, Belongs] = {"all": lambda _: True}
    for split in SPLITS:
        found[split] = lambda message, split=split: message.split == split  # type: ignore[misc]
    repos = sorted({message.repo for message in messages})
    for repo in repos if len(repos) > 1 else ():
        found[repo or "no repository"] = (
            lambda message, repo=repo: message.repo == repo  # type: ignore[misc]
        )
    present = (name for name, belongs in found.items() if any(map(belongs, messages)))
    return {name: found[name] for name in present}


def print_quality(
    console: Console, found: Variants, runtime: Runtime, script: Path | None, worst: int
) -> None:
    """Print every figure; texts only of the tune part."""
    thresholds = runtime.settings.thresholds
    messages = [one.sample.message for one in found[IN_USE]]
    source = "score.py" if script else "groundwire itself: no score.py beside the labels"
    console.print(Text(f"figures by {source}"), soft_wrap=True)
    for name, belongs in parts(messages).items():
        part = {title: _only(predictions, belongs) for title, predictions in found.items()}
        measured = {
            title: measure(predictions, thresholds.report, script)
            for title, predictions in part.items()
        }
        tables.heading(console, f"== {name}")
        tables.figures_table(
            console,
            {title: one.figures for title, one in measured.items()},
            {title: one.intervals for title, one in measured.items()},
        )
        if name in ("all", *SPLITS):
            _print_details(console, part[IN_USE], thresholds)
    _print_worst(console, found[IN_USE], thresholds, worst)


def recall_by_kind(predictions: Sequence[Prediction], report: int) -> dict[str, Share]:
    """Return how many flagged sentences there are of each rated kind, and how many are found."""
    found: dict[str, list[bool]] = {}
    for one in predictions:
        for unit in one.units:
            if unit.flag:
                kind = one.sample.message.labels[unit.number].kind
                found.setdefault(kind, []).append(unit.confidence >= report)
    return {kind: Share(sum(hits), len(hits)) for kind, hits in sorted(found.items())}


def precision_by_kind(units: Sequence[Unit], report: int) -> dict[str, Share]:
    """Return how many sentences have a highest match of each kind from ``report`` on; flagged."""
    hits = [unit for unit in units if unit.best and unit.confidence >= report]
    return {
        kind: share
        for kind in KINDS
        if (share := _share([u for u in hits if u.best and u.best.kind == kind])).count
    }


def rated_support(label: Label) -> str | None:
    """Return what raters said of the evidence for a sentence."""
    return label.more.get("support")


def supported_assertion(label: Label) -> str | None:
    """Return the kind of an assertion that raters found supported; None for other sentences."""
    asserted = label.more.get("use") == "assertion"
    return label.kind if asserted and rated_support(label) == "supported" else None


def stopped_by(
    predictions: Sequence[Prediction], group: Callable[[Label], str | None]
) -> dict[str, Share]:
    """Return for each ``group`` of labels how many sentences are in it, and stop their turn."""
    found: dict[str, list[bool]] = {}
    for one in predictions:
        message = one.sample.message
        stopping = {message.unit_at(match.offset) for match in one.decision.blocking}
        for unit in one.units:
            label = message.labels.get(unit.number)
            name = group(label) if label else None
            if name:
                found.setdefault(name, []).append(unit.number in stopping)
    return {name: Share(sum(hits), len(hits)) for name, hits in sorted(found.items())}


def _print_details(
    console: Console, predictions: Sequence[Prediction], thresholds: Thresholds
) -> None:
    units = units_of(predictions)
    console.print()
    recall = recall_by_kind(predictions, thresholds.report)
    tables.shares_table(console, "rated kind", recall, titles=("flagged", "found"))
    console.print()
    tables.shares_table(console, "reported kind", precision_by_kind(units, thresholds.report))
    console.print()
    tables.groups_table(console, "verdict", by_verdict(units))
    console.print()
    for title, group in (
        ("rated support", rated_support),
        ("supported assertions", supported_assertion),
    ):
        stopping = stopped_by(predictions, group)
        tables.shares_table(console, title, stopping, titles=("sentences", "stopping"))
        console.print()
    tables.groups_table(console, "confidence", reliability(units))


def _print_worst(
    console: Console, predictions: Sequence[Prediction], thresholds: Thresholds, worst: int
) -> None:
    ranked = {"false alarms": false_alarms(predictions), "misses": misses(predictions)}
    for title, pairs in ranked.items():
        shown = pairs[:worst]
        tables.heading(console, f"== the {len(shown)} worst {title} of the tune part")
        for prediction, unit in shown:
            console.print()
            console.print(Text(explained(prediction, unit, thresholds)), soft_wrap=True)


def _only(predictions: Sequence[Prediction], belongs: Belongs) -> list[Prediction]:
    return [one for one in predictions if belongs(one.sample.message)]


def _share(units: Sequence[Unit]) -> Share:
    return Share(sum(unit.flag for unit in units), len(units))
