"""A replay for people and programs: lines of JSON, JUnit, totals, and one HTML page."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from html import escape

from rich.console import Console
from rich.table import Table
from rich.text import Text

from groundwire.base.model import BLOCK, PASS, REPORT
from groundwire.hook.second_look_state import NOTE, WAKE
from groundwire.report.ci import case_of, gitlab, gitlab_rows, junit
from groundwire.report.json_output import full_fields
from groundwire.report.page import html_page, section, statement, table, tiles
from groundwire.report.prose import counted, one_line
from groundwire.runs.replay import Blocked, Outcome, Tally

JSONL, GITLAB, JUNIT = "jsonl", "gitlab", "junit"


def json_line(outcome: Outcome) -> list[str]:
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
    if outcome.not_checked:
        fields["not_checked"] = outcome.not_checked
    if outcome.look:
        fields["second_look"] = outcome.look
    return [json.dumps(fields)]


def _issues(outcome: Outcome) -> list[str]:
    matches = outcome.decision.matches
    return gitlab_rows(str(outcome.path), outcome.turn.message, matches, outcome.number)


def _case(outcome: Outcome) -> list[str]:
    head, _, more = outcome.reason.partition("\n")
    stopped = outcome.decision.action == BLOCK
    name = f"turn {outcome.number}"
    return [case_of(str(outcome.path), name, head, more.splitlines(), "block" if stopped else "")]


#: Format -> what one outcome gives, and format -> the document of all, by transcript.
LINES: dict[str, Callable[[Outcome], list[str]]] = {JSONL: json_line, GITLAB: _issues, JUNIT: _case}
DOCUMENTS: dict[str, Callable[[Sequence[tuple[str, list[str]]]], str]] = {
    GITLAB: lambda files: gitlab(row for _, rows in files for row in rows),
    JUNIT: junit,
}


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
    for sort in ("kind", "marker"):
        _print_counts(console, sort, tally.rows(sort))
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


def _print_counts(console: Console, title: str, rows: list[tuple[str, int, int]]) -> None:
    if not rows:
        return
    table = Table(title, "matches", "in stopped turns", box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(*map(str, row))
    console.print(table)
    console.print()


def share_of(tally: Tally) -> float:
    """Return the share of stopped turns in percent, 0 without turns."""
    return 100 * tally.blocked / tally.turns if tally.turns else 0.0


def _summary(tally: Tally) -> str:
    unchecked, looks = tally.of("not checked"), tally.of("look")
    clean = tally.counts["action", PASS] - unchecked.total()
    text = (
        f"{counted(tally.turns, 'turn')} in {counted(tally.sessions, 'transcript')}: "
        f"{tally.blocked} would have been stopped ({share_of(tally):.1f} %), "
        f"{tally.counts['action', REPORT]} reported, {clean} clean"
    )
    if unchecked:
        named = ", ".join(f"{count} {name}" for name, count in unchecked.most_common())
        text += f", {unchecked.total()} not checked ({named})"
    if looks:
        acts = f"{counted(looks[WAKE], 'wake')} and {counted(looks[NOTE], 'note')}"
        text += f"; {counted(looks.total(), 'second look')}: {acts}"
    return f"{text}; {tally.unreadable} unreadable" if tally.unreadable else text


_PROMPT_LENGTH = 300


def page(
    tally: Tally,
    blocked: Sequence[Blocked],
    since: str = "",
    looked: Sequence[Blocked] | None = None,
) -> str:
    """Return the page for the totals and the stopped turns that were kept as examples.

    After a second look, ``looked`` are the turns that it would have woken or noted: they take the
    place of the examples.
    """
    figures = [
        ("turns", str(tally.turns)),
        ("sessions", str(tally.sessions)),
        ("would be stopped", f"{tally.blocked} ({share_of(tally):.1f} %)"),
        ("reported", str(tally.counts["action", REPORT])),
        ("clean", str(tally.counts["action", PASS])),
    ]
    if looks := tally.of("look"):
        figures += [("would wake Claude", str(looks[WAKE])), ("noted", str(looks[NOTE]))]
    if tally.unreadable:
        figures.append(("unreadable", str(tally.unreadable)))
    body = tiles(figures)
    if looked:
        body += section("Second look", "".join(map(_card, looked)))
    elif blocked and looked is None:
        more = tally.blocked - len(blocked)
        cut = f'<p class="soft">and {counted(more, "more turn")}: --limit {tally.blocked}</p>\n'
        body += section("Stopped turns", "".join(map(_card, blocked)) + (cut if more else ""))
    headings = {"kind": "Matches by kind", "marker": "Most frequent markers"}
    for sort, heading in headings.items():
        columns = (sort, "matches", "in_stopped_turns")
        rows = [dict(zip(columns, row, strict=True)) for row in tally.rows(sort)]
        body += section(heading, table("", columns, rows)) if rows else ""
    window = f", from {since[:10]} on" if since else ""
    return html_page("groundwire replay", f"Past turns as the hook sees them{window}", body)


def _card(turn: Blocked) -> str:
    place = f"{turn.repository}, session {turn.session}, turn {turn.turn}"
    statements = "".join(statement(*line) for line in turn.statements)
    return (
        f"<article>\n<h3>{escape(one_line(place))}</h3>\n"
        f'<p class="soft">{escape(turn.time[:16].replace("T", " "))} UTC, '
        f"{ACTS.get(turn.act) or f'confidence {turn.confidence}'}</p>\n"
        f"<p>Asked: {escape(one_line(turn.prompt, _PROMPT_LENGTH))}</p>\n"
        f"{statements}</article>\n"
    )
