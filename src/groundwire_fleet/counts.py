"""The counts that a report is made of: what Spark adds up, as plain data."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession

from groundwire.base.errors import FileError
from groundwire_fleet.figures import THRESHOLDS
from groundwire_fleet.folder import Folder
from groundwire_fleet.rows import TABLES, ddl

_MOST = 200  # groups of one sort
_WEEK = "date_format(date_trunc('week', date), 'yyyy-MM-dd')"
_PEOPLE = "count(distinct coalesce(user, session, source)) people"
_TURNS = f"""count(*) turns, count_if(decision = 'block') stopped,
    count_if(decision = 'report') reported, {_PEOPLE}"""
_MATCHES = f"""count(distinct turn) turns, count(distinct if(stopping, turn, null)) stopped,
    count(*) matches, {_PEOPLE}"""
#: Sort of group: its name in SQL and the table that it is counted in.
GROUPS = {
    "model": ("coalesce(model, 'not known')", "decisions"),
    "repository": ("coalesce(repository, 'not known')", "decisions"),
    "agent": ("agent", "decisions"),
    "kind": ("kind", "matches"),
    "marker": ("marker", "matches"),
}


def counted(spark: SparkSession, folder: str) -> dict[str, Any]:
    """Return the counts of all tables in ``folder``; raises FileError when there are none."""
    place = Folder(spark, folder)
    if not place.exists("decisions"):
        raise FileError(f"{place.place('decisions')}: not there; groundwire fleet writes it")
    for table in TABLES:
        columns = f"{ddl(table)}, date date"
        frame = spark.createDataFrame([], columns)
        if place.exists(table):
            frame = spark.read.schema(columns).parquet(place.place(table))
        frame.createOrReplaceTempView(table)

    def rows(query: str) -> list[dict[str, Any]]:
        return [row.asDict() for row in spark.sql(query).collect()]

    steps = ", ".join(f"count_if(stops_at >= {it}) at_{it}" for it in THRESHOLDS)
    [total] = rows(f"select {_TURNS}, count(distinct session) sessions, {steps} from decisions")
    [read] = rows("select count(*) files, coalesce(sum(bytes), 0) bytes from files")
    [wrong] = rows("select count(*) errors from errors")
    counts: dict[str, Any] = {**total, **read, **wrong}
    counts["week"] = rows(f"select {_WEEK} name, {_TURNS} from decisions group by 1 order by 1")
    weeks = [row["name"] for row in counts["week"]][-2:]
    recent = f"{_WEEK} in ({', '.join(repr(week) for week in weeks) or repr('')})"
    counts["recent"] = []
    for sort, (name, table) in GROUPS.items():
        sums = _TURNS if table == "decisions" else _MATCHES
        counts[sort] = rows(
            f"select {name} name, {'first(kind) kind,' if sort == 'marker' else ''} {sums} "
            f"from {table} group by 1 order by stopped desc, turns desc, 1 limit {_MOST}"
        )
        if sort in ("model", "kind"):
            counts["recent"] += rows(
                f"select '{sort}' sort, {_WEEK} week, {name} name, {sums} from {table} "
                f"where {recent} group by 1, 2, 3"
            )
    counts["statements"] = rows(
        f"select sentence, max_by(kind, confidence) kind, max(confidence) confidence, "
        f"max_by(repository, confidence) repository, {_PEOPLE} from matches "
        "where sentence is not null group by 1 order by confidence desc, sentence limit 10"
    )
    return counts
