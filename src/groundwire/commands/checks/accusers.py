"""The accusers: which of them may stop a turn, and which lost that by the votes of the user."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.base.rules.weights import ACCUSERS
from groundwire.commands.checks.finding import NOTE, OK, Finding, Surroundings
from groundwire.hook.accuser_votes import lost_rights

AREA = "accusers"


def accuser_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield who may stop a turn, who only reports, and who lost the right on this machine."""
    lost = lost_rights(place.env, ACCUSERS)
    stopping = [name for name, stops in ACCUSERS.items() if stops and name not in lost]
    yield Finding(AREA, OK, f"may stop a turn: {', '.join(stopping) or 'none'}")
    reporting = [name for name, stops in ACCUSERS.items() if not stops]
    if reporting:
        yield Finding(AREA, NOTE, f"only report: {', '.join(reporting)}")
    for name in sorted(lost):
        text = f"{name} may not stop: your last votes on it were wrong"
        yield Finding(AREA, NOTE, text, "groundwire wrong --right takes that back")
