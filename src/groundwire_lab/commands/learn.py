"""``groundwire wrong --learn``: settings that labels speak for, with what they would do."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import typer

from groundwire.base.errors import TranscriptError, UsageError
from groundwire.base.model import BLOCK, Match
from groundwire.base.settings import Allow, Settings
from groundwire.commands.allow import refuse_model, words_of
from groundwire.commands.options import runtime_for
from groundwire.report.prose import counted, one_line
from groundwire.runs.replay import find_transcripts, parse_since, replay_transcript
from groundwire.settings.change import change_settings, user_file
from groundwire.settings.runtime import Runtime
from groundwire.settings.toml_text import show_path, to_toml
from groundwire_lab.samples import Sample, predict, read_sets

#: A phrase or a marker is proposed from so many labelled stops on, of which none was right.
_FEWEST = 2
_REASON = "each stop for it was labelled as wrong"


class _Finding(NamedTuple):
    """What stopped a labelled sentence: the match, and the words from its first to its last."""

    match: Match
    phrase: str
    place: tuple[str, int]  # message and its sentence


def propose(labels: Sequence[Path], sessions: Sequence[str], since: str, *, write: bool) -> None:
    """Propose phrases to allow, markers to switch off and a threshold, by labels of stops.

    Each is shown with the labelled stops and the turns of the replay that it changes. Nothing is
    written unless it is confirmed, on a terminal or by ``write``; then to the user's own settings.
    """
    runtime = runtime_for(None)
    samples = read_sets(labels)
    turns = _replayer(sessions, since)
    effect_now = _effect(samples, turns, runtime)
    typer.echo(f"now: {effect_now}")
    changes: dict[str, Any] = {}
    for proposal, settings in _proposals(samples, runtime):
        effect_then = _effect(samples, turns, runtime.replace(settings=settings))
        typer.echo(f"\n{to_toml(proposal)}would be: {effect_then}")
        changes |= proposal
    if not changes:
        few = f"words or a marker need {_FEWEST} labelled stops, all of them wrong"
        typer.echo(f"\nnothing to propose by these labels: {few}")
        return
    refuse_model(os.environ)
    path = user_file(os.environ)
    if not (write or (sys.stdin.isatty() and typer.confirm(f"write it to {show_path(path)}?"))):
        typer.echo("nothing was written; --yes writes it")
        return
    change_settings(os.environ, os.getcwd(), path, changes)
    typer.echo(f"wrote to {show_path(path)}; it holds from the next session on")


def _proposals(
    samples: Sequence[Sample], runtime: Runtime
) -> Iterator[tuple[dict[str, Any], Settings]]:
    """Yield settings and what comes of them: phrases and markers that were wrong, a threshold."""
    settings = runtime.settings
    wrong, right = _findings(samples, runtime)
    if phrases := _wrong_names(wrong, right, lambda one: one.phrase):
        allowed = tuple(Allow(_REASON, phrase=phrase) for phrase in phrases)
        settings = settings.replace(allow=settings.allow + allowed)
        yield {"allow": [{"phrase": phrase, "reason": _REASON} for phrase in phrases]}, settings
        wrong, right = _findings(samples, runtime.replace(settings=settings))
    if off := _wrong_names(wrong, right, lambda one: one.match.marker.id):
        settings = settings.replace(markers_off=tuple(sorted({*settings.markers_off, *off})))
        yield {"markers": dict.fromkeys(off, False)}, settings
        wrong, right = _findings(samples, runtime.replace(settings=settings))
    lowest = min((one.match.confidence for one in right), default=0)
    confidences = [one.match.confidence for one in wrong if one.match.confidence < lowest]
    if len(confidences) >= _FEWEST and max(confidences) >= settings.thresholds.stop_from:
        limits = settings.thresholds.replace(stop_from=max(confidences) + 1, message_block=100)
        yield (
            {"thresholds": {"stop_from": limits.stop_from, "message_block": 100}},
            settings.replace(thresholds=limits),
        )


def _wrong_names(
    wrong: Iterable[_Finding], right: Iterable[_Finding], name: Callable[[_Finding], str]
) -> list[str]:
    """Return the names of what stopped several sentences wrongly, and none rightly."""
    good = {name(one) for one in right}
    counts = Counter(key for key, _ in {(name(one), one.place) for one in wrong} if key not in good)
    return sorted(key for key, count in counts.items() if count >= _FEWEST)


def _findings(samples: Sequence[Sample], runtime: Runtime) -> tuple[list[_Finding], list[_Finding]]:
    """Return what stops labelled sentences wrongly, and rightly."""
    findings: tuple[list[_Finding], list[_Finding]] = ([], [])
    for prediction in predict(samples, runtime):
        for match in prediction.decision.blocking:
            message = prediction.sample.message
            unit = message.unit_at(match.offset)
            label = message.labels.get(unit)
            if label and label.answered and label.flag is not None:
                phrase = one_line(words_of(prediction.analysis, match))
                findings[label.flag].append(_Finding(match, phrase, (message.id, unit)))
    return findings


def _replayer(paths: Iterable[str], since: str) -> Callable[[Runtime], tuple[int, int]]:
    """Return what replays the past with a runtime: its stops, and its turns."""
    start = parse_since(since, datetime.now(UTC))
    try:
        files = find_transcripts(paths)
    except TranscriptError as error:
        raise UsageError(f"--sessions: {error}") from None

    def replayed(runtime: Runtime) -> tuple[int, int]:
        stops = turns = 0
        for path in files:
            try:
                for outcome in replay_transcript(path, runtime, start):
                    turns += 1
                    stops += outcome.decision.action == BLOCK
            except TranscriptError:  # one that cannot be read counts for nothing
                continue
        return stops, turns

    return replayed


def _effect(
    samples: Sequence[Sample], turns: Callable[[Runtime], tuple[int, int]], runtime: Runtime
) -> str:
    wrong, right = _findings(samples, runtime)
    stops, count = turns(runtime)
    labelled = f"{counted(len(wrong), 'labelled finding')} stopped wrongly, {len(right)} rightly"
    return f"{labelled}; {stops} of {counted(count, 'replayed turn')} stopped"
