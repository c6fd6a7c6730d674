"""The second look at a turn: what was found, which model said so, and a person's vote on it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from groundwire.judge.looked import untold
from groundwire.judge.wake import why_text
from groundwire.state.second_look import NOTE, WAKE
from groundwire_admin.service.view import View
from groundwire_admin.store.tables import LookRow

TOLD = (WAKE, NOTE)


class FoundView(View):
    """One statement of a second look.

    ``act``: wake, note, nothing, or dropped. ``reason`` is what the model said of it, and
    ``untold`` why it neither woke Claude nor was noted, "" where it did. ``call_id`` is empty when
    the turn cannot be read any more.
    """

    n: int
    text: str
    probability: int
    kind: str
    act: str
    reason: str
    untold: str
    quote: str
    call: int
    call_id: str


class LookView(View):
    """The second look at a turn; ``act`` is what came of it: wake, note or nothing.

    ``why`` says what kept it from waking Claude. ``vote`` is 1, -1 or null.
    """

    id: str
    at: datetime
    act: str
    why: str
    provider: str
    model: str
    cost: float | None
    milliseconds: float
    cached: bool
    statements: list[FoundView]
    vote: int | None


def look_view(row: LookRow, call_ids: Sequence[str] = (), vote: int | None = None) -> LookView:
    """Return a look; ``call_ids`` are those of the turn as it is read now."""
    look = row.look
    return LookView(
        **{name: look[name] for name in LookView.model_fields if name in look}
        | {
            "id": row.id,
            "at": row.at,
            "act": row.act,
            "vote": vote,
            "statements": [
                FoundView(
                    **{name: one[name] for name in FoundView.model_fields if name in one},
                    reason=why_text(one["why"], one["missing"], one["call"]),
                    untold="" if one["act"] in TOLD else untold(one),
                    call_id=call_ids[one["call"] - 1] if 0 < one["call"] <= len(call_ids) else "",
                )
                for one in look["statements"]
            ],
        }
    )


def told(look: LookView | None) -> list[FoundView]:
    """Return the statements that woke Claude or were noted."""
    return [one for one in look.statements if one.act in TOLD] if look else []
