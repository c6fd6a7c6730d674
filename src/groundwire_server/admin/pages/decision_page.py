"""One decision: the message with its matches marked, what each rests on, and the vote."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from fastapi import Request
from nicegui import ui

from groundwire.base.errors import NotFoundError
from groundwire.base.model import BLOCK
from groundwire_judge.applied import JUDGE
from groundwire_server.admin.pages.charts import signed_bars
from groundwire_server.admin.pages.decisions import (
    MAIN_AGENT,
    PATH,
    Chosen,
    Mark,
    decision_words,
    kind_words,
    look_words,
    marked_text,
    verdict_words,
    vote_buttons,
)
from groundwire_server.admin.pages.elements import (
    ask,
    chip,
    day,
    empty,
    facts,
    heading,
    load,
    notice,
    words,
)
from groundwire_server.admin.pages.frame import Route, frame, who
from groundwire_server.admin.pages.judge import (
    call_details,
    digest_panel,
    judge_panel,
    judged,
    look_panel,
    vote_on_look,
)
from groundwire_server.admin.pages.panels import panel
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.decisions import DecisionDetail, MatchView
from groundwire_server.admin.service.judge_view import told
from groundwire_server.admin.service.reading import ReadMatchView

AnyMatch = MatchView | ReadMatchView
_GONE = {
    "transcript_gone": (
        "The transcript is gone",
        "Claude Code has removed it. The matches below are from the log.",
    ),
    "message_gone": (
        "The message is gone",
        "It is no longer in the transcript. The matches below are from the log.",
    ),
    "unreadable": ("The transcript cannot be read", "The matches below are from the log."),
    "unknown": (
        "No message",
        "The log names no transcript for this turn. The matches below are from the log.",
    ),
}
_TOLD_NOW = "The transcript has no record of it. With today's settings:"
_TOLD_NOW_UNJUDGED = "The transcript has no record of it. With today's settings, without the judge:"
_NOT_TOLD = "The transcript has no record of it."
_LOST = "Found at the time, but not today: files, settings or markers have changed."
_MOVED = "The transcript has changed since. The message was checked again."


def add(route: Route, admin: Admin) -> None:
    """Add the page."""

    @route("/decisions/{decision}")
    async def page(decision: str, request: Request) -> None:
        chosen = Chosen.of(request.query_params)
        with frame(PATH, "Decision"):
            fetch = partial(_fetch, admin, decision, chosen, who())
            await load("the decision", fetch, lambda data: _show(admin, chosen, data))


class Found(NamedTuple):
    """A decision, and the ids of those before and after it in the list that it was opened from."""

    detail: DecisionDetail
    newer: str
    older: str


async def _fetch(admin: Admin, decision: str, chosen: Chosen, person: str) -> Found | None:
    """Return a decision; None for one that is not there."""
    try:
        detail = await ask(admin.decisions.detail, decision, who=person)
    except NotFoundError:
        return None
    return Found(detail, *await ask(admin.decisions.beside, chosen.filter(person), decision))


def _show(admin: Admin, chosen: Chosen, data: Found | None) -> None:
    with ui.element("div").classes("line").props('role=navigation aria-label="Decisions"'):
        ui.link("All decisions" if chosen == Chosen() else "Back to the list", chosen.address())
        for key, name, other in (
            ("k", "Newer", data.newer if data else ""),
            ("j", "Older", data.older if data else ""),
        ):
            if other:
                title = f"{name} ({key.upper()})"
                ui.link(title, chosen.address(other)).props(f"data-key={key}")
    if data is None:
        empty("Decision not found", "It may be too old.")
        return
    detail = data.detail
    _summary(detail)
    keep = partial(admin.decisions.vote, detail.decision.id)
    vote_buttons("Was the hook right?", detail.decision.vote, keep)
    _told(detail)
    shown, below = _split(detail, detail.report)
    _message(detail, shown)
    _matches(detail, shown)
    _below(below, detail.report)
    if detail.look:
        look_panel(detail, vote_on_look(admin, detail.look))
    judge_panel(detail)
    digest_panel(detail)


def _summary(detail: DecisionDetail) -> None:
    decision = detail.decision
    with panel("Verdict"):
        with ui.element("div").classes("line"):
            chip(*decision_words(decision.decision))
            if told(detail.look):
                chip(*look_words(detail.look.act if detail.look else ""))
            words(detail.verdict, "strong", "verdict wrap")
        facts(
            {
                "Reason": decision.why,
                "When": day(decision.at),
                "Project": decision.project.strip("-"),
                "Agent": decision.agent_type or MAIN_AGENT,
                "Event": decision.event,
                "Session": decision.session,
                "Took": f"{decision.milliseconds:.0f} ms, groundwire {detail.version}",
                "Ignored": _left_out(detail.suppressed),
                "Error": decision.error,
            }
        )
        for note in detail.notes:
            words(note, "p", "help")


def _told(detail: DecisionDetail) -> None:
    """Add what was sent back to the model when the turn was stopped."""
    if detail.decision.decision != BLOCK:
        return
    with panel("What Claude was told"):
        if not detail.told_kept:
            now = _TOLD_NOW_UNJUDGED if detail.judge else _TOLD_NOW
            words(now if detail.told else _NOT_TOLD, "p", "soft")
        if detail.told:
            words(detail.told, "pre", "wrap told")


def _left_out(count: int) -> str:
    """Return how many words were candidates and were explained by what stands around them."""
    if not count:
        return ""
    return f"{count} {'word' if count == 1 else 'words'}, harmless in context"


def _message(detail: DecisionDetail, shown: Sequence[AnyMatch]) -> None:
    with panel("Message"):
        if detail.text_state != "found":
            title, text = _GONE[detail.text_state]
            notice("warn", title, text, *filter(None, (detail.problem,)))
            return
        if not detail.offsets_hold:
            notice("info", _MOVED)
        marks = [
            Mark(one.offset, one.length, number, verdict_words(one.verdict)[1])
            for number, one in enumerate(shown, 1)
        ]
        marked_text(detail.text, marks)


def _split(detail: DecisionDetail, threshold: int) -> tuple[list[AnyMatch], list[ReadMatchView]]:
    """Return the matches to show, and those of confidence below the threshold.

    Logged ones that reading the transcript anew does not find are shown, too.
    """
    read = {(one.kind, one.offset) for one in detail.read_matches if detail.offsets_hold}
    lost = [one for one in detail.decision.matches if (one.kind, one.offset) not in read]
    below = [
        one
        for one in detail.read_matches
        if one.logged_confidence is None and one.confidence < threshold
    ]
    shown: list[AnyMatch] = [*(one for one in detail.read_matches if one not in below), *lost]
    return sorted(shown, key=lambda one: one.offset), below


def _matches(detail: DecisionDetail, shown: Sequence[AnyMatch]) -> None:
    if not shown:
        return
    heading(2, "Matches")
    calls = {call.id: call for call in detail.calls}
    for number, match in enumerate(shown, 1):
        with ui.element("section").classes("panel").props(f"id=match-{number}"):
            _match_head(number, match)
            if detail.text_state == "found" and match.offset < len(detail.text):
                ui.link("Show in the message", f"#mark-{number}").classes("small")
            judged(detail, match.offset)
            if isinstance(match, ReadMatchView):
                _reading(match)
            elif detail.text_state == "found" and match.marker != JUDGE:
                words(_LOST, "p", "help")
            if isinstance(match, ReadMatchView) and match.factors:
                points = [(kind_words(one.name), one.points) for one in match.factors]
                sign = "".join(f" {'-' if one < 0 else '+'} {abs(one)}" for _, one in points if one)
                with ui.element("details").props("open" if number == 1 else ""):
                    words(f"{match.confidence} = {match.base} (base){sign}", "summary", "sum")
                    signed_bars(points)
            named = match.call_ids if isinstance(match, ReadMatchView) else [match.call_id]
            for call in filter(None, map(calls.get, named)):
                call_details(call)


def _below(below: Sequence[ReadMatchView], report: int) -> None:
    """Add what stays below the report threshold; it opens on demand."""
    if not below:
        return
    with ui.element("details").classes("panel"):
        words(f"{len(below)} below the report threshold ({report})", "summary")
        for match in below:
            line = f"“{match.evidence}”, {kind_words(match.kind)}, {match.confidence}"
            words(f"{line}: {match.why}" if match.why else line, "p", "small")


def _match_head(number: int, match: AnyMatch) -> None:
    text, tone, meaning = verdict_words(match.verdict)
    with ui.element("div").classes("title-row head"):
        heading(3, f"{number}. “{match.evidence}”")
        words(f"{match.confidence}", "strong", "score").props('aria-label="Confidence"')
    with ui.element("div").classes("line"):
        chip(text, tone)
        chip(kind_words(match.kind))
        words(meaning, classes="soft")
    if match.marker != JUDGE:
        words(f"marker: {match.marker}", "p", "mono small soft")
    if match.accuser:
        words(f"fact by: {match.accuser}", "p", "mono small soft")


def _reading(match: ReadMatchView) -> None:
    """Say what the log does not keep: what changed since, and what the verdict rests on."""
    if match.logged_confidence is None:
        words("Not found at the time: markers or settings have changed.", "p", "help")
    elif match.logged_confidence != match.confidence:
        words(f"Confidence at the time: {match.logged_confidence}.", "p", "help")
    if match.why:
        words(match.why, "p")
    if match.line:
        words(match.line, "pre", "mono small wrap")
