"""A replay as one HTML page: what would have been stopped, and why."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from groundwire.model import KINDS
from groundwire.render.page import html_page, section, statement, table, tiles
from groundwire.render.prose import counted, one_line
from groundwire.replay.job import Blocked
from groundwire.replay.report import ACTS, MOST_MARKERS, share_of
from groundwire.replay.tally import Tally
from groundwire.state.second_look import NOTE, WAKE

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
        ("reported", str(tally.actions["report"])),
        ("clean", str(tally.actions["pass"])),
    ]
    if tally.looks:
        figures += [
            ("would wake Claude", str(tally.looks[WAKE])),
            ("noted", str(tally.looks[NOTE])),
        ]
    if tally.unreadable:
        figures.append(("unreadable", str(tally.unreadable)))
    body = tiles(figures)
    if looked:
        body += section("Second look", "".join(map(_card, looked)))
    elif blocked and looked is None:
        more = tally.blocked - len(blocked)
        cut = f'<p class="soft">and {counted(more, "more turn")}: --limit {tally.blocked}</p>\n'
        body += section("Stopped turns", "".join(map(_card, blocked)) + (cut if more else ""))
    body += _counts_table("kind", [one for one in KINDS if tally.reported["kind"][one]], tally)
    markers = [name for name, _ in tally.reported["marker"].most_common(MOST_MARKERS)]
    body += _counts_table("marker", markers, tally)
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


def _counts_table(title: str, names: Sequence[str], tally: Tally) -> str:
    if not names:
        return ""
    rows = [
        {
            title: name,
            "matches": tally.reported[title][name],
            "in_stopped_turns": tally.stopped[title][name],
        }
        for name in names
    ]
    heading = "Matches by kind" if title == "kind" else "Most frequent markers"
    return section(heading, table("", (title, "matches", "in_stopped_turns"), rows))
