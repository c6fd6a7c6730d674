"""The A/B test of the three methods: groups, metrics, success criteria (R002-36)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pydantic import Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from groundwire.base.digest import digest
from groundwire.base.errors import ConfigError
from groundwire.settings.toml_text import show_value
from groundwire_server.admin.service.comparison import (
    SelectiveView,
    ShadowView,
    scored_in,
    selective_view,
    shadow_cost,
    shadow_views,
)
from groundwire_server.admin.service.experiment_report import (
    ESCALATE_BELOW,
    CriterionView,
    GroupView,
    criteria,
    group_view,
    judged_in,
)
from groundwire_server.admin.service.view import View
from groundwire_server.admin.store import history, options
from groundwire_server.admin.store.database import Store, insert_new
from groundwire_server.admin.store.history import now
from groundwire_server.admin.store.log_rows import clean
from groundwire_server.admin.store.tables import Assignment

#: R002-36: two weeks.
PLANNED_DAYS = 14
GROUPS = ("formula", "llm", "hybrid")
#: Percent of sessions; what 100 does not divide by three leaves over goes to hybrid.
SHARES = (33, 33, 34)
BUCKETS = 100
_SALT = "groundwire a/b:"
_SESSION_CHARACTERS = 200
_MOST_CHANGES = 10_000


class SharesView(View):
    """The A/B test: whether it runs, and the percent of sessions in each group.

    ``started`` is when it was last switched on, ``ended`` when it was switched off since then, null
    while it runs. ``version`` is what a change has to name.
    """

    running: bool
    started: datetime | None = None
    ended: datetime | None = None
    formula: int
    llm: int
    hybrid: int
    shadow: int = Field(
        default=0, description="Percent of answers that all methods score, one of them serving."
    )
    version: int


class ExperimentView(View):
    """The A/B report of a window."""

    since: datetime | None
    until: datetime
    threshold: float = Field(description="Scores below it count as low and are escalated.")
    shares: SharesView
    groups: list[GroupView]
    criteria: list[CriterionView]
    shadows: list[ShadowView]
    shadow_cost: float | None = Field(description="Dollars that only the comparison took.")
    selective: SelectiveView | None


def duration(shares: SharesView, now: datetime) -> str:
    """Return in words whether the test runs, since when, and on which of its days."""
    state = "The test is running." if shares.running else "The test is not running."
    if shares.started is None or not (shares.running or shares.ended):
        return state
    begun = f"{shares.started:%Y-%m-%d %H:%M}"
    day = ((shares.ended or now) - shares.started).days + 1
    if shares.ended:
        times = f"It ran from {begun} to {shares.ended:%Y-%m-%d %H:%M} UTC"
        return f"{state} {times}, until day {day}; {PLANNED_DAYS} were planned."
    since = f"The test has been running since {begun} UTC."
    return f"{since} This is day {day}; {PLANNED_DAYS} are planned."


def session_name(session_id: str) -> str:
    """Return the name of a session as it is kept."""
    return clean(session_id, _SESSION_CHARACTERS)


def bucket_of(session_id: str) -> int:
    """Return the bucket of a session, 0 to 99; the same one always and everywhere (A002-13)."""
    return int(digest((_SALT + session_id).encode("utf-8", "surrogatepass")), 16) % BUCKETS


def group_of(bucket: int, shares: tuple[int, int, int] = SHARES) -> str:
    """Return the group of a bucket: the first ones are formula, then llm, then hybrid."""
    formula, llm, _ = shares
    if bucket < formula:
        return GROUPS[0]
    return GROUPS[1] if bucket < formula + llm else GROUPS[2]


class Experiment:
    """The A/B test. While it runs, a chat is scored by the method of its session's group."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def shares(self) -> SharesView:
        """Return whether the test runs and how sessions are shared out."""
        with self._store.read() as session:
            row = options.option(session, options.SHARES)
        if row is None:
            formula, llm, hybrid = SHARES
            return SharesView(running=False, formula=formula, llm=llm, hybrid=hybrid, version=0)
        return SharesView(**row.value, version=row.version)

    def save_shares(
        self,
        *,
        running: bool,
        who: str,
        formula: int = SHARES[0],
        llm: int = SHARES[1],
        hybrid: int = SHARES[2],
        shadow: int = 0,
        version: int | None = None,
    ) -> SharesView:
        """Start or stop the test, set the percent of each group and of shadow scores.

        A session that has a group keeps it. Raises ConfigError unless the shares sum to 100, and
        ConflictError when ``version`` is not the present one.
        """
        total = formula + llm + hybrid
        if total != BUCKETS or min(formula, llm, hybrid) < 0:
            given = f"value {formula} + {llm} + {hybrid} = {total}"
            raise ConfigError(f"shares: formula, llm, hybrid: {given}: allowed: a sum of 100")
        value: dict[str, Any] = {"running": running, "formula": formula, "llm": llm}
        if not 0 <= shadow <= BUCKETS:
            raise ConfigError(f"shares: shadow: value {shadow}: allowed: from 0 to 100")
        value |= {"hybrid": hybrid, "shadow": shadow}
        with self._store.write() as session:
            row = options.option(session, options.SHARES)
            before: dict[str, Any] = row.value if row else {"running": False}
            times = {name: before[name] for name in ("started", "ended") if before.get(name)}
            if running != before["running"]:
                present = datetime.now(UTC).isoformat(timespec="seconds")
                times = {"started": present} if running else {**times, "ended": present}
            value |= times
            options.save(session, options.SHARES, value, version=version, who=who)
        return self.shares()

    def method_of(self, session_id: str) -> str:
        """Return the method of a session, which is put in its group now; "" while no test runs."""
        shares = self.shares()
        if not shares.running:
            return ""
        bucket = bucket_of(session_id)
        group = group_of(bucket, (shares.formula, shares.llm, shares.hybrid))
        name = session_name(session_id)
        fresh = {"session": name, "group": group, "bucket": bucket, "at": now()}
        with self._store.write() as session:
            session.execute(insert_new(session, Assignment), fresh)
            return session.get_one(Assignment, name).group  # the first one that it was put in

    def report(
        self,
        since: datetime | None = None,
        until: datetime | None = None,
        threshold: float = ESCALATE_BELOW,
    ) -> ExperimentView:
        """Return the figures of each group in a window, and the success criteria.

        Scores below ``threshold`` are low, and an answer with one is escalated. Raises ConfigError
        for a threshold beyond 0 to 1.
        """
        if not 0 <= threshold <= 1:
            allowed = "a number from 0 to 1"
            raise ConfigError(f"threshold: value {show_value(threshold)}: allowed: {allowed}")
        last = until or datetime.now(UTC)
        shares = self.shares()
        with self._store.read() as session:
            query = select(Assignment.group, func.count()).group_by(Assignment.group)
            sizes = {row[0]: row[1] for row in session.execute(query)}
            ran = _periods(session)
            judged = {name: judged_in(session, name, since, last, ran) for name in GROUPS}
            scored = scored_in(session, since, last)
        groups = [group_view(name, sizes.get(name, 0), judged[name], threshold) for name in GROUPS]
        return ExperimentView(
            since=since,
            until=last,
            threshold=threshold,
            shares=shares,
            groups=groups,
            criteria=criteria({group.method: group for group in groups}),
            shadows=shadow_views(scored, threshold),
            shadow_cost=shadow_cost(scored),
            selective=selective_view(scored, threshold),
        )


def _periods(session: Session) -> list[tuple[datetime, datetime | None]]:
    """Return from when until when the test ran, each time, by the history of its shares."""
    periods: list[tuple[datetime, datetime | None]] = []
    begun: datetime | None = None
    changes = history.changes(session, history.OPTION, options.SHARES, limit=_MOST_CHANGES)
    for change in reversed(changes):
        if change.after["running"]:
            begun = begun or change.at
        elif begun:
            periods.append((begun, change.at))
            begun = None
    return [*periods, (begun, None)] if begun else periods
