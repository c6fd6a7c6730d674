"""What a person sees of a replay: totals, tables, and the turns that would have been stopped."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.model import KINDS
from groundwire.render.prose import counted, one_line
from groundwire.replay.job import Blocked
from groundwire.replay.tally import Tally
from groundwire.state.second_look import NOTE, WAKE

MOST_MARKERS = 15
_PROMPT_WIDTH = 100
#: What a second look would have done, in words.
ACTS = {WAKE: "would have woken Claude", NOTE: "would have been noted"}


def print_report(
    console: Console, tally: Tally, blocked: list[Blocked], looked: list[Blocked] | None = None
) -> None:
    """Print the totals, the tables and the stopped turns that were kept as examples.

    After a second look, ``looked`` are the turns that it would have woken or noted: they take the
    place of the examples.
    """
    for turn in blocked if looked is None else looked:
        _print_turn(console, turn)
    if looked is None and len(blocked) < tally.blocked:
        more = counted(tally.blocked - len(blocked), "more stopped turn")
        console.print(Text(f"... and {more}: --limit {tally.blocked}", style="dim"))
        console.print()
    kinds = [kind for kind in KINDS if tally.reported["kind"][kind]]
    if kinds:
        _print_counts(console, "kind", kinds, tally)
        markers = [name for name, _ in tally.reported["marker"].most_common(MOST_MARKERS)]
        _print_counts(console, "marker", markers, tally)
    console.print(Text(_summary(tally), style="bold"), soft_wrap=True)


def _print_turn(console: Console, turn: Blocked) -> None:
    place = f"{turn.repository}, session {turn.session}, turn {turn.turn}"
    outcome = ACTS.get(turn.act) or f"confidence {turn.confidence}"
    console.print(Text(f"{one_line(place)}, {outcome}", "bold"), soft_wrap=True)
    console.print(Text(f"  {one_line(turn.path)}", style="dim"), soft_wrap=True)
    prompt = one_line(turn.prompt, _PROMPT_WIDTH)
    console.print(Text(f"  asked: {prompt}", style="dim"), soft_wrap=True)
    for line in turn.statements:
        console.print(Text(f"  {line.confidence:3} {line.quote}"), soft_wrap=True)
        marker = f" [{line.marker}]" if line.marker else ""
        console.print(Text(f"      {line.why}{marker}"), soft_wrap=True)
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
    if tally.looks:
        looks = f"{counted(tally.looks.total(), 'second look')}"
        told = f"{counted(tally.looks[WAKE], 'wake')} and {counted(tally.looks[NOTE], 'note')}"
        text += f"; {looks}: {told}"
    return f"{text}; {tally.unreadable} unreadable" if tally.unreadable else text
