"""The A/B report as lines for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire_server.admin.service.experiment import ExperimentView, duration
from groundwire_server.admin.service.experiment_report import GroupView
from groundwire_server.admin.service.view import ShareView

_NOTHING = "-"
_BARS = " .:-=+*#%@"  # a count from 0 to the largest

_ROWS: tuple[tuple[str, Callable[[GroupView], str]], ...] = (
    ("sessions", lambda group: str(group.sessions)),
    ("judgements", lambda group: str(group.judgements)),
    ("fell back to the formula", lambda group: str(group.fell_back)),
    ("answered from the cache", lambda group: str(group.cached)),
    ("scores, 0 to 1", lambda group: _bars(group.scores.counts)),
    ("score, mean", lambda group: _number(group.scores.mean, ".3f")),
    ("score, median", lambda group: _number(group.scores.p50, ".3f")),
    ("escalated", lambda group: _share(group.escalation)),
    ("thumbs up / down", lambda group: f"{group.thumbs_up} / {group.thumbs_down}"),
    ("false positives", lambda group: _share(group.false_positive)),
    ("false negatives", lambda group: _share(group.false_negative)),
    ("wrong ones detected", lambda group: _share(group.detection)),
    ("milliseconds, median", lambda group: _number(group.milliseconds_p50, ".1f")),
    ("milliseconds, p95", lambda group: _number(group.milliseconds_p95, ".1f")),
    ("tokens", lambda group: str(group.tokens)),
    ("cost", lambda group: _dollars(group.cost)),
    (
        "cost of one",
        lambda group: _dollars(group.cost_per_judgement) if group.judgements else _NOTHING,
    ),
)


def print_report(console: Console, report: ExperimentView) -> None:
    """Print the report."""
    shares, since = report.shares, report.since
    window = f"since {since:%Y-%m-%d %H:%M} UTC" if since else "since the beginning"
    split = f"{shares.formula}/{shares.llm}/{shares.hybrid}"
    _line(console, f"A/B test, answers {window}; formula/llm/hybrid {split} percent of sessions")
    _line(console, duration(shares, report.until))
    _line(console, f"Low scores are those below {report.threshold:g}.", "dim")
    console.print()
    console.print(_table(report.groups))
    _line(console, "\nSuccess criteria", "bold")
    for one in report.criteria:
        _line(console, f"  {one.state:<16} {one.name}: {one.measured}")
        _line(console, f"  {'':<16} {one.why}", "dim")


def _table(groups: Sequence[GroupView]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for group in groups:
        table.add_column(group.method, justify="right")
    for title, cell in _ROWS:
        table.add_row(title, *(Text(cell(group)) for group in groups))
    return table


def _line(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), soft_wrap=True)


def _bars(counts: Sequence[int]) -> str:
    most = max(counts)
    if not most:
        return _NOTHING
    steps = len(_BARS) - 1
    # whatever is there shows, however little
    return "|" + "".join(_BARS[-(-count * steps // most)] for count in counts) + "|"


def _share(share: ShareView) -> str:
    if share.share is None or share.low is None or share.high is None:
        return _NOTHING
    interval = f"{share.low:.0%}-{share.high:.0%}"
    return f"{share.count}/{share.of} {share.share:.0%} ({interval})"


def _number(value: float | None, form: str) -> str:
    return _NOTHING if value is None else format(value, form)


def _dollars(value: float | None) -> str:
    return "not known" if value is None else f"${value:.4g}"
