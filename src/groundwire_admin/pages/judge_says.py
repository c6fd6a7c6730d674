"""What the judge said of a turn, the page it was shown, and a tool call that was looked at."""

from __future__ import annotations

from nicegui import ui

from groundwire_admin.pages.panels import panel
from groundwire_admin.pages.text import chip, money, words
from groundwire_admin.pages.verdicts import kind_words
from groundwire_admin.service.decisions import DecisionDetail
from groundwire_admin.service.judge_view import JudgeView, StatementView, said_at
from groundwire_admin.service.reading import CallView

_MAY = {
    "advise": "Advisory only: it changed nothing.",
    "clear": "It could lift a stop, not add one.",
    "decide": "Its probabilities were combined with the hook's confidences.",
}
#: Probability from which a statement is coloured.
_DOUBTED, _CHALLENGED = 30, 60
_LONGEST_TITLE = 100


def judge_panel(detail: DecisionDetail) -> None:
    """Add what the judge said; nothing when none was asked."""
    judge = detail.judge
    if judge is None:
        return
    calls = {call.id: call for call in detail.calls}
    with panel("What the judge said"):
        words(_how(judge), "p", "soft")
        for one in sorted(judge.statements, key=lambda one: (-one.probability, one.n)):
            with ui.element("div").classes("said"):
                words(f"Statement {one.n}" + (f": “{one.text}”" if one.text else ""), "p")
                _opinion(one)
                if one.call_id in calls:
                    call_details(calls[one.call_id], f"Call {one.call}: ")
                elif one.call:
                    words(f"Call {one.call} of the turn", "p", "small soft")
        if not judge.statements:
            words("No statement was challenged.", "p")
        if judge.dropped:
            words(f"Unusable entries in its answer: {judge.dropped}", "p", "help")


def judged(detail: DecisionDetail, offset: int) -> None:
    """Add what the judge said of the statement at an offset, if it did."""
    said = said_at(detail.judge, offset)
    if said:
        _opinion(said, "Judge: ")


def _opinion(one: StatementView, lead: str = "") -> None:
    probability_chips(one.probability, one.kind, one.why, lead)


def probability_chips(probability: int, kind: str, why: str, lead: str = "") -> None:
    """Add how likely a statement would be challenged, as what, and why."""
    tone = "bad" if probability >= _CHALLENGED else "warn"
    with ui.element("div").classes("line"):
        chip(f"{lead}{probability} %", tone if probability >= _DOUBTED else "")
        if kind:
            chip(kind_words(kind))
        words(why)


def _how(judge: JudgeView) -> str:
    """Return who was asked, what it may do, and what it took."""
    model = " ".join(filter(None, (judge.provider, judge.model))) or "unnamed model"
    if judge.cached:
        spent = "answered from the cache"
    else:
        spent = f"{judge.milliseconds / 1000:.1f} s, {money(judge.cost)}"
    asked = f"{model}, prompt v{judge.prompt_version}, {spent}."
    meaning = "Percent: how likely a reviewer would challenge the statement."
    return " ".join(filter(None, (asked, _MAY.get(judge.may, ""), meaning)))


def digest_panel(detail: DecisionDetail) -> None:
    """Add the digest of the turn, folded: as the judge saw it where that is kept."""
    seen = "The digest that the judge saw"
    title = seen if detail.digest_kept else "The turn as a judge would see it"
    with panel(title):
        if not detail.digest:
            words("Not kept, and it cannot be rebuilt without the transcript.", "p")
            return
        if detail.digest_kept:
            words("Kept as it was sent.", "p", "soft")
        else:
            words("Rebuilt from the transcript with today's settings.", "p", "soft")
        with ui.element("details").classes("call digest"):
            words("Show the digest", "summary")
            words(detail.digest, "pre", "mono small wrap output").props("tabindex=0")


def call_details(call: CallView, lead: str = "") -> None:
    """Add a tool call that was looked at; it opens on demand."""
    with ui.element("details").classes("call"):
        state = "failed" if call.is_error else "succeeded"
        command = call.input.partition("\n")[0][:_LONGEST_TITLE]
        words(f"{lead}{call.name}: {command} ({state})", "summary", "wrap")
        words(call.input, "pre", "mono small wrap")
        result = call.result if call.result is not None else "(no result)"
        words(result, "pre", "mono small wrap output").props("tabindex=0")
