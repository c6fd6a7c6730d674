"""From counts to what a report says: rates with intervals, small groups together, drift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from groundwire_confidence.assessment import Share

#: Values of ``thresholds.stop_from`` for which the report says what they would stop.
THRESHOLDS = tuple(range(40, 100, 5))
MOST_MARKERS, MOST_GROUPS = 15, 20
OTHERS = "all others"


def figures(counts: Mapping[str, Any], group: int) -> dict[str, Any]:
    """Return the figures of ``counts.counted``; nothing is said of fewer than ``group`` people.

    A person is a user, or a session where the user is not known. Groups with fewer people are
    added up as one, and that is left out when it is still too small.
    """
    turns = counts["turns"]
    by_sort = {
        "week": _together(counts["week"], group, None),
        "model": _together(counts["model"], group, None),
        "agent": _together(counts["agent"], group, None),
        "repository": _together(counts["repository"], group, None, MOST_GROUPS),
        "kind": _together(counts["kind"], group, turns),
        "marker": _together(counts["marker"], group, turns, MOST_MARKERS),
    }
    if by_sort["week"] and by_sort["week"][-1]["name"] == OTHERS:
        by_sort["week"].pop()  # it is no week
    return {
        "group": group,
        **{name: counts[name] for name in ("turns", "sessions", "files", "bytes", "errors")},
        "people": counts["people"] if counts["people"] >= group else None,
        "stopped": rate(counts["stopped"], turns),
        "reported": rate(counts["reported"], turns),
        "by": by_sort,
        "thresholds": [{"threshold": it, **rate(counts[f"at_{it}"], turns)} for it in THRESHOLDS],
        "drift": drift(counts["week"], counts["recent"], group),
        "statements": [
            {name: row[name] for name in ("sentence", "kind", "confidence")}
            for row in counts["statements"]
        ],
    }


def rate(hits: int, count: int) -> dict[str, Any]:
    """Return ``hits`` of ``count`` with the share and its 95 % interval; null without a case."""
    share = Share(hits, count)
    low, high = share.interval
    if not count:
        return {"count": hits, "of": 0, "share": None, "low": None, "high": None}
    rounded = {"share": share.value, "low": low, "high": high}
    return {"count": hits, "of": count, **{k: round(v, 5) for k, v in rounded.items()}}


def _together(
    rows: Sequence[Mapping[str, Any]], group: int, of: int | None, most: int | None = None
) -> list[dict[str, Any]]:
    """Return the large groups, at most so many, and what is left as one, if it is large enough.

    ``of`` is what the stopped turns are a share of, None: the turns of the group.
    """
    large = [row for row in rows if row["people"] >= group][:most]
    names = {row["name"] for row in large}
    rest = [row for row in rows if row["name"] not in names]
    groups = [dict(row) for row in large]
    # turns of several kinds or markers would count more than once
    if of is None and sum(row["people"] for row in rest) >= group:
        sums = {key: sum(row[key] for row in rest) for key in ("turns", "stopped", "people")}
        groups.append({"name": OTHERS, **sums})
    return [
        {
            "name": row["name"],
            **({"kind": row["kind"]} if "kind" in row else {}),
            "turns": row["turns"],
            **rate(row["stopped"], row["turns"] if of is None else of),
        }
        for row in groups
    ]


def drift(
    weeks: Sequence[Mapping[str, Any]], recent: Sequence[Mapping[str, Any]], group: int
) -> dict[str, Any] | None:
    """Return the last week against the one before: of all turns, each model and each kind.

    The interval of a difference is Newcombe's (1998), from the Wilson intervals of both shares;
    ``clear`` says that it does not hold 0. None without two weeks of enough people.
    """
    if len(weeks) < 2 or min(week["people"] for week in weeks[-2:]) < group:
        return None
    before, last = weeks[-2:]
    turns = {week["name"]: week["turns"] for week in (before, last)}
    rows = [{"sort": "all", "name": "all turns", **_difference(before, last)}]
    names = sorted({(row["sort"], row["name"]) for row in recent})
    for sort, name in names:
        pair = {row["week"]: row for row in recent if (row["sort"], row["name"]) == (sort, name)}
        if len(pair) < 2 or min(row["people"] for row in pair.values()) < group:
            continue
        week_rows = [pair[week["name"]] for week in (before, last)]
        if sort == "kind":  # of all turns of its week
            week_rows = [{**row, "turns": turns[row["week"]]} for row in week_rows]
        rows.append({"sort": sort, "name": name, **_difference(*week_rows)})
    return {"week": last["name"], "before": before["name"], "rows": rows}


def _difference(before: Mapping[str, Any], last: Mapping[str, Any]) -> dict[str, Any]:
    old, new = Share(before["stopped"], before["turns"]), Share(last["stopped"], last["turns"])
    (old_low, old_high), (new_low, new_high) = old.interval, new.interval
    change = new.value - old.value
    low = change - sqrt((new.value - new_low) ** 2 + (old_high - old.value) ** 2)
    high = change + sqrt((new_high - new.value) ** 2 + (old.value - old_low) ** 2)
    numbers = {"before": old.value, "share": new.value, "change": change, "low": low, "high": high}
    return {**{k: round(v, 5) for k, v in numbers.items()}, "clear": low > 0 or high < 0}
