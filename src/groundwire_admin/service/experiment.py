"""The A/B test of the three methods: groups, metrics, success criteria (R002-36)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pydantic import Field

from groundwire.config.words import show_value
from groundwire.errors import ConfigError
from groundwire_admin.service.experiment_groups import (
    GROUPS,
    SHARES,
    bucket_of,
    checked_shares,
    group_of,
)
from groundwire_admin.service.experiment_report import (
    ESCALATE_BELOW,
    CriterionView,
    GroupView,
    criteria,
    group_view,
)
from groundwire_admin.service.view import View
from groundwire_admin.store import judgements, options
from groundwire_admin.store.database import Store

#: R002-36: two weeks.
PLANNED_DAYS = 14


class SharesView(View):
    """The A/B test: whether it runs, and the percent of sessions in each group.

    ``started`` is when it was last switched on, null while it is off. ``version`` is what a change
    has to name.
    """

    running: bool
    started: datetime | None = None
    formula: int
    llm: int
    hybrid: int
    version: int


class ExperimentView(View):
    """The A/B report of a window."""

    since: datetime | None
    until: datetime
    threshold: float = Field(description="Scores below it count as low and are escalated.")
    shares: SharesView
    groups: list[GroupView]
    criteria: list[CriterionView]


def duration(shares: SharesView, now: datetime) -> str:
    """Return in words whether the test runs, since when, and for how much of its two weeks."""
    if not shares.running:
        return "The test is not running."
    if shares.started is None:
        return "The test is running."
    days = (now - shares.started).total_seconds() / 86_400
    begun = f"{shares.started:%Y-%m-%d %H:%M} UTC"
    return f"The test has been running since {begun}, for {days:.1f} of {PLANNED_DAYS} days."


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
        version: int | None = None,
    ) -> SharesView:
        """Start or stop the test and set the percent of each group.

        A session that has a group keeps it. Raises ConfigError unless the shares sum to 100, and
        ConflictError when ``version`` is not the present one.
        """
        one, two, three = checked_shares(formula, llm, hybrid)
        value: dict[str, Any] = {"running": bool(running)}
        value |= {"formula": one, "llm": two, "hybrid": three}
        with self._store.write() as session:
            row = options.option(session, options.SHARES)
            if running:
                begun = row.value.get("started") if row and row.value["running"] else None
                value["started"] = begun or datetime.now(UTC).isoformat(timespec="seconds")
            options.save(session, options.SHARES, value, version=version, who=who)
        return self.shares()

    def method_of(self, session_id: str) -> str:
        """Return the method of a session, which is put in its group now; "" while no test runs."""
        shares = self.shares()
        if not shares.running:
            return ""
        bucket = bucket_of(session_id)
        group = group_of(bucket, (shares.formula, shares.llm, shares.hybrid))
        with self._store.write() as session:
            return judgements.assign(session, session_id, group, bucket).group

    def report(
        self,
        since: datetime | None = None,
        until: datetime | None = None,
        threshold: float = ESCALATE_BELOW,
    ) -> ExperimentView:
        """Return the figures of each group in a window, and the success criteria.

        Scores below ``threshold`` are low, and an answer with one is escalated. Raises ConfigError
        for a threshold beyond 0 to 1 or a time without its zone.
        """
        if not 0 <= threshold <= 1:
            allowed = "a number from 0 to 1"
            raise ConfigError(f"threshold: value {show_value(threshold)}: allowed: {allowed}")
        for name, moment in (("since", since), ("until", until)):
            if moment is not None and moment.tzinfo is None:
                raise ConfigError(f"{name}: value {moment}: allowed: a time with its zone")
        last = until or datetime.now(UTC)
        shares = self.shares()
        with self._store.read() as session:
            sizes = judgements.group_sizes(session)
            found = {name: judgements.of_group(session, name, since, last) for name in GROUPS}
        groups = [group_view(name, sizes.get(name, 0), found[name], threshold) for name in GROUPS]
        return ExperimentView(
            since=since,
            until=last,
            threshold=threshold,
            shares=shares,
            groups=groups,
            criteria=criteria({group.method: group for group in groups}),
        )
