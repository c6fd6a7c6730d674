"""Figures of the settings in effect on labelled sets, those that were left out first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from groundwire.base.settings import Settings, Thresholds
from groundwire.report.explain import explain
from groundwire.report.prose import one_line
from groundwire.settings.patterns.weights import Model
from groundwire_lab import report, tables
from groundwire_lab.crossval import left_out
from groundwire_lab.fit import Case, Plan, plan_of
from groundwire_lab.samples import Prediction, Unit
from groundwire_lab.write import spreads_of

IN_USE = "in use (in sample)"
_SENTENCE_WIDTH = 300
Pair = tuple[Prediction, Unit]


def columns_of(
    cases: Sequence[Case], model: Model, settings: Settings
) -> dict[str, Sequence[Prediction]]:
    """Return what is compared: the model fitted without each repository, and the one in use.

    The model in use was fitted on such labels, if not on these. What the settings say of features
    holds in both.
    """
    plan = _plan(model, settings)
    return {
        plan.title: left_out(cases, plan, settings),
        IN_USE: [case.prediction for case in cases],
    }


def _plan(model: Model, settings: Settings) -> Plan:
    return plan_of(model, spreads_of(model)).with_weights(dict(settings.features))


def print_quality(
    console: Console,
    cases: Sequence[Case],
    model: Model,
    settings: Settings,
    script: Path | None,
    worst: int,
) -> None:
    """Print every figure, and the worst sentences with their explanation."""
    columns = columns_of(cases, model, settings)
    report.print_figures(console, cases, columns, settings, script, _plan(model, settings).held)
    for title, predictions in columns.items():
        report.print_kinds(console, title, predictions, settings.thresholds.report)
        report.print_details(console, title, predictions)
    _print_worst(console, columns[IN_USE], settings.thresholds, worst)


def false_alarms(predictions: Sequence[Prediction]) -> list[Pair]:
    """Return the sentences that nobody would challenge and that have a match, highest first."""
    pairs = [(one, unit) for one in predictions for unit in one.units if not unit.flag]
    return sorted(
        (pair for pair in pairs if pair[1].best is not None), key=lambda pair: -pair[1].confidence
    )


def misses(predictions: Sequence[Prediction]) -> list[Pair]:
    """Return the flagged sentences, lowest confidence first."""
    pairs = [(one, unit) for one in predictions for unit in one.units if unit.flag]
    return sorted(pairs, key=lambda pair: pair[1].confidence)


def explained(prediction: Prediction, unit: Unit, thresholds: Thresholds) -> str:
    """Return where a sentence stands, the sentence, and why it has its confidence."""
    message = prediction.sample.message
    start, end = message.units[unit.number - 1]
    analysis = prediction.analysis
    inside = analysis.replace(
        matches=unit.matches,
        suppressed=tuple(one for one in analysis.suppressed if start <= one.offset < end),
    )
    label = message.labels.get(unit.number)
    kind = label.kind if label else "not judged by itself"
    place = f"{message.id} ({message.repo}), sentence {unit.number}: {unit.confidence}"
    rated = f"raters: {'flagged' if unit.flag else 'not flagged'}, {kind}"
    support = label.more.get("support") if label else None
    rated += f", {support}" if support else ""
    sentence = one_line(message.text[start:end], _SENTENCE_WIDTH)
    return "\n".join((place, rated, f"  {sentence}", "", explain(inside, thresholds)))


def _print_worst(
    console: Console, predictions: Sequence[Prediction], thresholds: Thresholds, worst: int
) -> None:
    ranked = {"false alarms": false_alarms(predictions), "misses": misses(predictions)}
    for title, pairs in ranked.items():
        shown = pairs[:worst]
        if shown:
            tables.heading(console, f"the {len(shown)} worst {title}, {IN_USE}")
        for prediction, unit in shown:
            console.print()
            console.print(Text(explained(prediction, unit, thresholds)), soft_wrap=True)
