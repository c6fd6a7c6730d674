"""What other thresholds would have made of the turns that are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from groundwire.base.model import BLOCK, PASS, Marker, Match, Verdict
from groundwire.base.record import Record
from groundwire.base.rules import language_rules, marker_of, shipped_rules
from groundwire.base.settings import Thresholds
from groundwire.inputs.event import SUBAGENT_STOP
from groundwire.language.detect import LANGUAGES
from groundwire.verdict.decision import blocking
from groundwire_judge.applied import DECIDE
from groundwire_server.admin.service.reading import message_text
from groundwire_server.admin.service.view import View
from groundwire_server.admin.store import decisions
from groundwire_server.admin.store.database import Store
from groundwire_server.admin.store.decisions import Filter
from groundwire_server.admin.store.tables import DecisionRow

#: Newest turns that are looked at.
TURNS = 200
_MODE = "mode is "


class CountView(View):
    """How many of ``turns`` would be stopped, and how many of the others reported."""

    turns: int
    stopped: int
    reported: int


class KeptTurn(Record):
    """A turn as the log has it.

    ``stopped`` is what thresholds do not decide: True or False for a turn that a judge stopped or
    that was let through for another reason, None for all others.
    """

    matches: tuple[Match, ...] = ()
    stopped: bool | None = None


def kept_turns(store: Store) -> list[KeptTurn]:
    """Return the newest turns that were checked. Raises StoreError."""
    with store.read() as db:
        rows = decisions.page(db, Filter(), limit=TURNS)
        return [_turn(row) for row in rows if not row.error]


def count(turns: Sequence[KeptTurn], thresholds: Mapping[str, Any], mode: str) -> CountView:
    """Return what these thresholds and this mode would make of the turns.

    The log keeps what was reported then, so that a lower ``report`` or ``doubt`` may find more.
    """
    limits = Thresholds(**thresholds)
    stopped = reported = 0
    for turn in turns if mode != "off" else ():
        wanted = turn.stopped
        if wanted is None:
            wanted = bool(blocking(turn.matches, limits))
        if wanted and mode == "enforce":
            stopped += 1
        elif any(one.confidence >= limits.report for one in turn.matches):
            reported += 1
    return CountView(turns=len(turns), stopped=stopped, reported=reported)


def logged_matches(row: DecisionRow) -> tuple[Match, ...]:
    """Return the matches of a decision as its log has them, with the place of their sentence."""
    text = message_text(row.transcript, row.message_id, agent=row.event == SUBAGENT_STOP)
    return tuple(
        Match(
            one.kind,
            one.evidence,
            one.offset,
            one.confidence,
            _shipped_markers().get(one.marker) or Marker(one.marker, one.kind),
            (_begin(text, one.offset), 0),
            verdict=Verdict(one.verdict) if one.verdict else None,
            accuser=one.accuser,
        )
        for one in row.matches
    )


@lru_cache(maxsize=1)
def _shipped_markers() -> Mapping[str, Marker]:
    """Return the markers that groundwire ships with, by id."""
    rules = [shipped_rules(), *map(language_rules, LANGUAGES)]
    markers = [marker_of(row) for one in rules for row in one.rows()]
    return {one.id: one for one in reversed(markers)}


def _turn(row: DecisionRow) -> KeptTurn:
    matches = logged_matches(row)
    if row.judge and row.judge["may"] == DECIDE:
        return KeptTurn(matches, row.decision == BLOCK)
    held = row.decision != PASS and bool(row.why) and not row.why.startswith(_MODE)
    return KeptTurn(matches, False if held else None)


def _begin(text: str, offset: int) -> int:
    """Return where the sentence at an offset begins: what stands in one counts once.

    The log keeps no sentences; of a message that is gone all of it counts as one.
    """
    return max(text.rfind(end, 0, offset) for end in (". ", "! ", "? ", ".\n", "\n"))
