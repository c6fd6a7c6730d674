"""Which decisions a page is about: its filters, as they stand in its address."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import quote, urlencode

from groundwire.model import KINDS
from groundwire_admin.pages.verdicts import DECISIONS, MAIN_AGENT
from groundwire_admin.service import Filter

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
