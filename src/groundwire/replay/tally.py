"""Counting outcomes per kind and per marker."""

from __future__ import annotations

from collections import Counter

from groundwire.model import BLOCK, PASS
from groundwire.replay.run import Outcome


class Tally:
    """Running totals of a replay; holds counts only, so memory does not grow with sessions.

    ``stopped`` counts the matches that stand in stopped turns, as the statistics do.
    """

    def __init__(self) -> None:
        self.sessions = 0
        self.turns = 0
        self.unreadable = 0
        self.actions: Counter[str] = Counter()
        self.looks: Counter[str] = Counter()  # by what came of them
        self.not_checked: Counter[str] = Counter()  # turns without a finding, by their language
        self.reported: dict[str, Counter[str]] = {"kind": Counter(), "marker": Counter()}
        self.stopped: dict[str, Counter[str]] = {"kind": Counter(), "marker": Counter()}

    def add(self, outcome: Outcome) -> None:
        """Count one outcome."""
        self.turns += 1
        action = outcome.decision.action
        self.actions[action] += 1
        self.looks.update([outcome.look["act"]] if outcome.look else [])
        if outcome.not_checked and action == PASS:
            self.not_checked[outcome.not_checked] += 1
        matches = outcome.decision.matches
        stops = action == BLOCK
        for counters in (self.reported, self.stopped) if stops else (self.reported,):
            counters["kind"].update(match.kind for match in matches)
            counters["marker"].update(match.marker.id for match in matches)

    def merge(self, other: Tally) -> None:
        """Add the counts of ``other``."""
        self.sessions += other.sessions
        self.turns += other.turns
        self.unreadable += other.unreadable
        self.actions.update(other.actions)
        self.looks.update(other.looks)
        self.not_checked.update(other.not_checked)
        for mine, others in ((self.reported, other.reported), (self.stopped, other.stopped)):
            for name, counter in others.items():
                mine[name].update(counter)

    @property
    def blocked(self) -> int:
        """Turns that would have been stopped."""
        return self.actions[BLOCK]
