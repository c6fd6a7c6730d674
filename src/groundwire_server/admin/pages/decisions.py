"""Parts of the decision pages: filters, words and tones, marked text, votes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from html import escape
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote, urlencode

from nicegui import ui

from groundwire.base.errors import GroundwireError
from groundwire.base.model import KINDS
from groundwire_server.admin.pages.elements import ask, say, words
from groundwire_server.admin.pages.frame import who
from groundwire_server.admin.service import Filter
from groundwire_server.admin.service.verdict_line import MEANINGS

DECISIONS = {"block": "Blocked", "report": "Reported", "pass": "Passed"}
DECISION_TONES = {"block": "bad", "report": "warn", "pass": "good"}
_VERDICTS = {
    "contradicted": ("Contradicted", "bad"),
    "unsupported": ("Unsupported", "bad"),
    "qualified": ("Qualified", "warn"),
    "not_checkable": ("Not checkable", "info"),
    "earlier": ("Earlier", "info"),
    "supported": ("Supported", "good"),
}
_LOOKS = {"wake": ("Woken", "bad"), "note": ("Noted", "warn"), "nothing": ("Nothing told", "")}
MAIN_AGENT = "main agent"


def decision_words(decision: str) -> tuple[str, str]:
    """Return words and tone of a decision."""
    return DECISIONS.get(decision, decision), DECISION_TONES.get(decision, "")


def look_words(act: str) -> tuple[str, str]:
    """Return words and tone of what came of a second look."""
    return _LOOKS.get(act, _LOOKS["nothing"])


def verdict_words(verdict: str) -> tuple[str, str, str]:
    """Return words, tone and meaning of a verdict."""
    verdict = verdict if verdict in _VERDICTS else ""
    return (*_VERDICTS.get(verdict, ("Words only", "warn")), MEANINGS[verdict])


def kind_words(kind: str) -> str:
    """Return a kind as it is read."""
    return kind.replace("_", " ")


PATH = "/decisions"
FLAGGED, OPEN = "flagged", "open"


class Chosen(NamedTuple):
    """The filters; what is empty leaves everything in. Days are of the form 2026-11-23, UTC."""

    decision: str = FLAGGED
    kind: str = ""
    session: str = ""
    agent: str = ""
    since: str = ""
    until: str = ""
    vote: str = ""
    below: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Chosen:
        """Return what an address asks for; what is not allowed there counts as left out."""
        given = {name: query[name][:200] for name in cls._fields if query.get(name)}
        if given.get("decision") not in (*DECISIONS, "all"):
            given.pop("decision", None)
        if given.get("kind") not in KINDS:
            given.pop("kind", None)
        for name in ("since", "until"):
            if _day(given.get(name, "")) is None:
                given.pop(name, None)
        return cls(**given)

    def filter(self, who: str) -> Filter:
        """Return it in the service's words; ``who`` is whose votes count."""
        until = _day(self.until)
        agent = "" if self.agent == MAIN_AGENT else self.agent
        return Filter(
            decision=self.decision if self.decision in DECISIONS else "",
            flagged=self.decision == FLAGGED,
            kind=self.kind,
            session=self.session,
            agent_type=agent if self.agent else None,
            since=_day(self.since),
            until=until + timedelta(days=1) if until else None,
            unvoted=who if self.vote == OPEN else "",
        )

    def address(self, identity: str = "", /, **changed: str) -> str:
        """Return the address of the list, or of one decision in it, with filters changed."""
        path = f"{PATH}/{quote(identity)}" if identity else PATH
        pairs = {**self._asdict(), **({} if identity else {"below": ""}), **changed}
        query = urlencode(
            {name: one for name, one in pairs.items() if one != Chosen._field_defaults[name]}
        )
        return f"{path}?{query}" if query else path


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None


class Mark(NamedTuple):
    """A stretch of a text in code points; ``number`` is shown behind it and leads to its card."""

    offset: int
    length: int
    number: int
    tone: str


def marked_html(text: str, marks: Sequence[Mark]) -> str:
    """Return the text as HTML; a mark beyond its end is left out."""
    inside = [mark for mark in marks if 0 <= mark.offset < mark.offset + mark.length <= len(text)]
    edges = sorted({0, len(text), *_edges(inside)})
    parts = []
    for start, end in pairwise(edges):
        over = [one for one in inside if one.offset <= start and end <= one.offset + one.length]
        piece = escape(text[start:end])
        if not over:
            parts.append(piece)
            continue
        ending = [one for one in over if one.offset + one.length == end]
        links = (f'<a href="#match-{one.number}">{one.number}</a>' for one in ending)
        behind = f"<sup>{', '.join(links)}</sup>" if ending else ""
        names = [f'<span id="mark-{one.number}"></span>' for one in over if one.offset == start]
        parts.append(f'{"".join(names)}<mark class="{_worst(over)}">{piece}</mark>{behind}')
    return "".join(parts)


def marked_text(text: str, marks: Sequence[Mark]) -> None:
    """Add the text; it can be scrolled with the keyboard."""
    box = ui.html(marked_html(text, marks)).classes("message")
    box.props('tabindex=0 role=region aria-label="Message"')


def _edges(marks: Iterable[Mark]) -> list[int]:
    return [edge for mark in marks for edge in (mark.offset, mark.offset + mark.length)]


def _worst(marks: Iterable[Mark]) -> str:
    order = ("bad", "warn", "info", "good", "")
    return min((mark.tone for mark in marks), key=order.index)


#: Vote, icon, name, and the key that gives it (see keys.js).
_THUMBS = ((1, "thumb_up", "Right", "r"), (-1, "thumb_down", "Wrong", "w"))
_SAID = {1: "You said: right.", -1: "You said: wrong."}


def vote_buttons(question: str, vote: int | None, keep: Callable[..., None]) -> None:
    """Add the question with both thumbs; ``keep`` takes the vote (1, -1, 0) and who gave it."""
    with ui.element("div").classes("line").props(f'role=group aria-label="{question}"'):
        words(question, classes="field-name")
        _thumbs(vote, keep, small=False)


def vote_icons(question: str, vote: int | None, keep: Callable[..., None]) -> None:
    """Add both thumbs without words, for a row of a list."""
    with ui.element("div").classes("thumbs").props(f'role=group aria-label="{question}"'):
        _thumbs(vote, keep, small=True)


def _thumbs(vote: int | None, keep: Callable[..., None], *, small: bool) -> None:
    buttons: dict[int, ui.button] = {}
    chosen = vote or 0

    def show() -> None:
        for value, button in buttons.items():
            pressed = value == chosen
            look, other = ("unelevated", "outline") if pressed else ("outline", "unelevated")
            button.props(f"{look} aria-pressed={str(pressed).lower()}", remove=other)
        if said:
            said.text = _SAID.get(chosen, "")

    async def click(value: int) -> None:
        nonlocal chosen
        value = 0 if value == chosen else value
        try:
            await ask(keep, value, who=who())
        except GroundwireError as error:
            say(f"The vote was not saved: {error}", "negative")
        else:
            chosen = value
            show()

    for value, icon, name, key in _THUMBS:
        button = ui.button(
            "" if small else name, icon=icon, on_click=lambda value=value: click(value)
        )
        button.props(f'data-key={key} aria-label="{name}"' + (" dense round" if small else ""))
        buttons[value] = button
    said = None if small else words("", classes="soft").props("role=status")
    show()
