"""The composite confidence: history, agent names, the factor that is low, the threshold.

These are the troubleshooting cases of requirement R000-26.
"""

from __future__ import annotations

import difflib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.base.settings import Composite
from groundwire.commands.checks.activity import unwritable
from groundwire.commands.checks.finding import BROKEN, NOTE, WARNING, Examined, Finding, found
from groundwire.report.prose import counted, one_line
from groundwire_confidence.composite.formula import (
    LIFTS,
    TITLES,
    WEIGHTS,
    percent,
    threshold_of,
    type_of_event,
)
from groundwire_confidence.history import day_of, history_folder
from groundwire_confidence.history_read import history_score, read_rows, stamp
from groundwire_confidence.stats import factor_averages, run_figures, weakest_on_average

_DAYS = 7
_HOUR = 3_600
#: An agent: one name may work as several types.
_AGENT = ("agent_name", "agent_type")
_MOST_AGENTS = 10
#: Runs from which on it can be said that a threshold was never reached.
_ENOUGH_RUNS = 3
_NEUTRAL = 0.5
_CERTAINTY, _HISTORY = "response_certainty_score", "agent_history_score"

Row = dict[str, Any]


def confidence_findings(known: Examined) -> Iterator[Finding]:
    """Yield what stands in the way of the composite."""
    place, composite, records = known.place, known.settings.composite, known.records
    folder = history_folder(composite.history, place.env)
    if folder is None:
        yield found("confidence.no-home")
        return
    history = read_rows(folder, place.now - _DAYS * 24 * _HOUR, place.now)
    yield from _history_findings(Path(folder), composite, history.skipped, history.problems)
    rows = list(history.rows)
    if composite.enabled:
        yield from _type_findings(rows, records, composite)
    if place.agent:
        yield from _name_findings(rows, place.agent)
        rows = [row for row in rows if row["agent_name"] == place.agent]
    agents = run_figures(rows)["per_agent"]
    for agent in sorted(agents, key=lambda one: one["success_rate"])[:_MOST_AGENTS]:
        agent_rows = [row for row in rows if all(row[key] == agent[key] for key in _AGENT)]
        yield from _agent_findings(agent, agent_rows, composite, folder, place.now)
        yield _last_run_finding(max(agent_rows, key=stamp))
    yield from _marker_findings(records, place.agent)


def _history_findings(
    folder: Path, composite: Composite, skipped: int, problems: Sequence[str]
) -> Iterator[Finding]:
    state = "on" if composite.enabled else "off"
    problem = unwritable(folder)
    days = [one for one in folder.iterdir() if day_of(one.name)] if folder.is_dir() else []
    if problem:
        level = BROKEN if composite.enabled else WARNING
        yield found("confidence.unwritable", level, problem=problem, folder=folder)
    elif not days:
        remedy = "" if composite.enabled else "composite.enabled = true in the settings"
        yield found("confidence.empty", remedy=remedy, folder=folder, state=state)
    else:
        yield found(
            "confidence.history", days=counted(len(days), "day"), folder=folder, state=state
        )
    if skipped:
        yield found("confidence.unreadable", count=skipped)
    for one in problems:
        yield found("confidence.problem", problem=one_line(one), folder=folder)


def _type_findings(
    rows: Sequence[Row], records: Sequence[Mapping[str, Any]], known: Composite
) -> Iterator[Finding]:
    """Yield the agents whose type has no threshold of its own, with the entry to add."""
    names = {row["agent_name"] for row in rows}
    for record in records:
        composite = record.get("composite")
        if isinstance(composite, dict) and isinstance(composite.get("agent_name"), str):
            names.add(composite["agent_name"])
    types = dict(known.thresholds)
    typed_names = {
        row["agent_name"] for row in rows if str(row.get("agent_type")) in types
    }  # their own type is known
    for name in sorted(names - typed_names)[:_MOST_AGENTS]:
        if type_of_event(name, known) in types:
            continue
        first, *others = types
        yield found(
            "confidence.no-type",
            name=json.dumps(name),
            threshold=percent(known.default_threshold),
            first=first,
            others=f" (or {', '.join(others)})" if others else "",
        )


def _name_findings(rows: Sequence[Row], agent: str) -> Iterator[Finding]:
    names = sorted({row["agent_name"] for row in rows})
    if agent in names:
        yield found("confidence.known", name=json.dumps(agent))
        return
    near = difflib.get_close_matches(agent.lower(), [name.lower() for name in names], 3)
    similar = [name for name in names if name.lower() in near]
    shown = ", ".join(json.dumps(name) for name in similar or names[:_MOST_AGENTS]) or "none"
    yield found("confidence.no-run", name=json.dumps(agent), days=_DAYS, names=shown)


def _agent_findings(
    agent: Mapping[str, Any], rows: Sequence[Row], composite: Composite, folder: str, now: float
) -> Iterator[Finding]:
    """Yield how an agent fares, which factor costs it most, and whether it can pass at all."""
    name, kind, total = agent["agent_name"], agent["agent_type"], agent["executions"]
    threshold = threshold_of(kind, composite)
    met = round(agent["success_rate"] * total)
    label = f"{one_line(name, 60)} ({one_line(kind, 60)})"
    values = {
        "label": label,
        "met": met,
        "runs": counted(total, "run"),
        "threshold": percent(threshold),
        "average": percent(agent["average_confidence"]),
    }
    weakest = weakest_on_average(rows)
    if met == total or weakest is None:
        yield found("confidence.fares", **values)
        return
    values |= {"factor": TITLES[weakest], "low": percent(factor_averages(rows)[weakest])}
    level = WARNING if met < total / 2 else NOTE
    yield found("confidence.weakest", level, LIFTS[weakest], **values)
    best = max(row["composite_confidence"] for row in rows)
    if total >= _ENOUGH_RUNS and best < threshold:
        values |= {"percent": percent(best), "type": kind, "best": best}
        yield found("confidence.out-of-reach", **values)
    yield from _lockout_findings(label, name, threshold, composite, folder, now)


def _last_run_finding(row: Row) -> Finding:
    """Return the four factors of a run, and the words that made its certainty."""
    factors = row.get("factors")
    scores = factors if isinstance(factors, dict) else {}
    parts = []
    for name, title in TITLES.items():
        value = scores.get(name)
        parts.append(f"{title} {percent(value) if isinstance(value, int | float) else 'not known'}")
    words = row.get("certainty_markers")
    shown = f" (certainty {one_line(words, 200)})" if isinstance(words, str) else ""
    name = one_line(row["agent_name"], 60)
    return found("confidence.last-run", name=name, factors=", ".join(parts), words=shown)


def _lockout_findings(
    label: str, name: str, threshold: float, composite: Composite, folder: str, now: float
) -> Iterator[Finding]:
    """Yield whether the history alone keeps an agent below its threshold."""
    hours = composite.lookback_hours
    history = history_score(folder, name, now, hours, composite.prior_runs)
    weight = dict(WEIGHTS)[_HISTORY]
    best = 1 - weight * (1 - history.score)
    if best < threshold:
        values = {"label": label, "why": history.why(hours), "best": percent(best)}
        yield found("confidence.locked-out", agent=shlex.quote(name), **values)


def _marker_findings(records: Sequence[Mapping[str, Any]], agent: str) -> Iterator[Finding]:
    """Yield which words lowered the certainty of the last response that was not certain."""
    for record in reversed(records):
        composite = record.get("composite")
        if not isinstance(composite, dict) or agent not in ("", composite.get("agent_name")):
            continue
        factors, sources = composite.get("factors"), composite.get("factor_sources")
        if not isinstance(factors, dict) or not isinstance(sources, dict):
            continue
        value = factors.get(_CERTAINTY)
        if isinstance(value, int | float) and value < _NEUTRAL:
            why = one_line(str(sources.get(_CERTAINTY, "")), 200)
            lift = LIFTS[_CERTAINTY]
            yield found("confidence.uncertain", remedy=lift, certainty=percent(value), why=why)
            return
