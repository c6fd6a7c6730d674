"""The statements that stop a turn, for reports."""

from __future__ import annotations

from groundwire.model import Decision, Match
from groundwire.render.reason import QUOTE_LENGTHS, missing_in, quote_of, worst_per_sentence


def statements_of(text: str, decision: Decision) -> list[tuple[Match, str, str]]:
    """Return the worst match of each statement that stops a turn, its quotation, and why."""
    worst = worst_per_sentence(decision.blocking)
    return [(match, quote_of(text, match, QUOTE_LENGTHS[0]), missing_in(match)) for match in worst]
