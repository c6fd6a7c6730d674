"""What a person sees of a replay: totals, tables, and the turns that would have been stopped."""

from __future__ import annotations

import json

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.model import KINDS
from groundwire.render.match_json import full_fields
from groundwire.render.prose import one_line
from groundwire.replay.run import Outcome
from groundwire.replay.tally import Tally

_MOST_MARKERS = 15
_PROMPT_WIDTH = 100


def json_line(outcome: Outcome) -> str:
    """Return one outcome as one line of JSON."""
    fields = {
        "session_id": outcome.turn.session_id,
        "transcript": str(outcome.path),
        "turn": outcome.number,
        "timestamp": outcome.turn.timestamp,
        "message_id": outcome.turn.message_id,
        "decision": outcome.decision.action,
        "reason": outcome.reason,
        "matches": [full_fields(match) for match in outcome.decision.matches],
    }
    return json.dumps(fields)


def print_report(console: Console, tally: Tally, blocked: list[Outcome]) -> None:
    """Print the totals, the tables and the stopped turns that were kept as examples."""
    for outcome in blocked:
        _print_blocked(console, outcome)
    if len(blocked) < tally.blocked:
        console.print(f"... and {tally.blocked - len(blocked)} more stopped turns", style="dim")
        console.print()
    kinds = [kind for kind in KINDS if tally.reported["kind"][kind]]
    if kinds:
        _print_counts(console, "kind", kinds, tally)
        markers = [name for name, _ in tally.reported["marker"].most_common(_MOST_MARKERS)]
        _print_counts(console, "marker", markers, tally)
    console.print(Text(_summary(tally), style="bold"), soft_wrap=True)


def _print_blocked(console: Console, outcome: Outcome) -> None:
    place = f"{one_line(str(outcome.path))}, turn {outcome.number}"
    console.print(Text(place, style="bold"), soft_wrap=True)
    prompt = one_line(outcome.turn.prompt, _PROMPT_WIDTH)
    console.print(Text(f"  asked: {prompt}", style="dim"), soft_wrap=True)
    for line in outcome.reason.splitlines():
        console.print(Text(f"  {one_line(line)}"), soft_wrap=True)
    console.print()


def _print_counts(console: Console, title: str, names: list[str], tally: Tally) -> None:
    table = Table(title, "reported", "stopping", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for name in names:
        row = (tally.reported[title][name], tally.blocking[title][name])
        table.add_row(name, *map(str, row))
    console.print(table)
    console.print()


def _summary(tally: Tally) -> str:
    share = 100 * tally.blocked / tally.turns if tally.turns else 0.0
    text = (
        f"{tally.turns} turns in {tally.sessions} transcripts: {tally.blocked} would have been "
        f"stopped ({share:.1f} %), {tally.actions['report']} reported, "
        f"{tally.actions['pass']} clean"
    )
    return f"{text}; {tally.unreadable} unreadable" if tally.unreadable else text
