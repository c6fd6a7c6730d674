"""What a person sees of a replay: totals, tables, and the turns that would have been stopped."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.model import KINDS
from groundwire.render.prose import counted, one_line
from groundwire.replay.job import Blocked
from groundwire.replay.tally import Tally

MOST_MARKERS = 15
_PROMPT_WIDTH = 100


def print_report(console: Console, tally: Tally, blocked: list[Blocked]) -> None:
    """Print the totals, the tables and the stopped turns that were kept as examples."""
    for turn in blocked:
        _print_blocked(console, turn)
    if len(blocked) < tally.blocked:
        more = counted(tally.blocked - len(blocked), "more stopped turn")
        console.print(Text(f"... and {more}: --limit {tally.blocked}", style="dim"))
        console.print()
    kinds = [kind for kind in KINDS if tally.reported["kind"][kind]]
    if kinds:
        _print_counts(console, "kind", kinds, tally)
        markers = [name for name, _ in tally.reported["marker"].most_common(MOST_MARKERS)]
        _print_counts(console, "marker", markers, tally)
    console.print(Text(_summary(tally), style="bold"), soft_wrap=True)


def _print_blocked(console: Console, turn: Blocked) -> None:
    place = f"{turn.repository}, session {turn.session}, turn {turn.turn}"
    console.print(Text(f"{one_line(place)}, confidence {turn.confidence}", "bold"), soft_wrap=True)
    console.print(Text(f"  {one_line(turn.path)}", style="dim"), soft_wrap=True)
    prompt = one_line(turn.prompt, _PROMPT_WIDTH)
    console.print(Text(f"  asked: {prompt}", style="dim"), soft_wrap=True)
    for line in turn.statements:
        console.print(Text(f"  {line.confidence:3} {line.quote}"), soft_wrap=True)
        console.print(Text(f"      {line.why} [{line.marker}]"), soft_wrap=True)
    console.print()


def _print_counts(console: Console, title: str, names: list[str], tally: Tally) -> None:
    table = Table(title, "matches", "in stopped turns", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for name in names:
        row = (tally.reported[title][name], tally.stopped[title][name])
        table.add_row(name, *map(str, row))
    console.print(table)
    console.print()


def share_of(tally: Tally) -> float:
    """Return the share of stopped turns in percent, 0 without turns."""
    return 100 * tally.blocked / tally.turns if tally.turns else 0.0


def _summary(tally: Tally) -> str:
    unchecked = tally.not_checked.total()
    text = (
        f"{counted(tally.turns, 'turn')} in {counted(tally.sessions, 'transcript')}: "
        f"{tally.blocked} would have been stopped ({share_of(tally):.1f} %), "
        f"{tally.actions['report']} reported, {tally.actions['pass'] - unchecked} clean"
    )
    if unchecked:
        named = ", ".join(f"{count} {name}" for name, count in tally.not_checked.most_common())
        text += f", {unchecked} not checked ({named})"
    return f"{text}; {tally.unreadable} unreadable" if tally.unreadable else text
