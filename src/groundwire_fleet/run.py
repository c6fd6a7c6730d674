"""One run over all sources: what is new is read in batches, and each batch is published whole.

A batch is written below ``staging/``, then a file COMMIT says how it is published: which files
move into the tables and which old ones go. A killed run is taken up by carrying out what is
committed and dropping the rest; no row is there twice, and none is missing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import reduce
from typing import Any, NamedTuple

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr

from groundwire.base.errors import FileError
from groundwire_fleet.folder import Folder, reason
from groundwire_fleet.frames import (
    TABLE_KINDS,
    analysed,
    analysed_files,
    contents,
    framed,
    listed,
    table,
)
from groundwire_fleet.plan import Batch, batches, files_of, manifest
from groundwire_fleet.rows import COLUMNS, TABLES, VERSION, ddl, rows_ddl
from groundwire_fleet.task import Work

ABOUT, STAGING, COMMIT = "about.json", "staging", "COMMIT"
#: Size of the Parquet files that come out, in rows.
_ROWS_OF_A_FILE = 1_000_000


class Done(NamedTuple):
    """What a run has done; ``peak_mib`` is the largest of a Python process of a task."""

    listed: int = 0
    read: int = 0
    turns: int = 0
    stopped: int = 0
    errors: int = 0
    bytes: int = 0
    seconds: float = 0.0
    peak_mib: int = 0

    def and_also(self, other: Done) -> Done:
        """Add up two."""
        peak = max(self.peak_mib, other.peak_mib)
        both = Done._make(mine + its for mine, its in zip(self, other, strict=True))
        return both._replace(peak_mib=peak)


class Fleet:
    """The folder that holds the tables, and the session that reads and writes it.

    Raises FileError when it is of another schema or was written with another salt.
    """

    def __init__(self, spark: SparkSession, out: str, job: Work) -> None:
        self._spark, self._job = spark, job
        self._started, self._batches = f"{datetime.now(UTC):%Y%m%dT%H%M%S}", 0
        self._failed: list[str] = []
        self.folder = Folder(spark, out)
        about = {"schema_version": VERSION, "salt": job.options.hashed("the salt of this folder")}
        known = json.loads(self.folder.read(ABOUT) or "{}") or about
        for name, value in about.items():
            if known.get(name) != value:
                what = f"{name} {known.get(name)!r}, not {value!r}"
                raise FileError(f"{self.folder.place(ABOUT)}: {what}: choose another --out")
        self.folder.write(ABOUT, json.dumps(about))

    def run(
        self, sources: list[str], *, again: bool = False, tell: Callable[[str], None] = print
    ) -> Done:
        """Read what is new or has changed, ``again`` all.

        Raises FileError for a bad source, and after all others when a batch failed.
        """
        begun, self._tell = time.monotonic(), tell
        self._take_up()
        done = Done()
        for listing, texts in self._parts(sources):
            done = self._run_part(listing, texts, done, again)
        if self._failed:
            what = f"{len(self._failed)} of {self._batches} batches failed, the next run reads them"
            raise FileError(f"{what}: {self._failed[-1]}")
        return done._replace(seconds=time.monotonic() - begun)

    def _parts(self, sources: list[str]) -> Iterator[tuple[DataFrame, DataFrame | None]]:
        """Yield listings, and the table with the contents where these stand in one."""
        plain = [one for one in sources if one.partition(":")[0] not in TABLE_KINDS]
        for one in sources:
            kind, _, place = one.partition(":")
            if kind not in TABLE_KINDS:
                continue
            frame = table(self._spark, kind, place)
            if "content" in frame.columns:
                texts = contents(frame)
                columns = ("key path", "key", "size", "mtime", "etag")
                yield texts.selectExpr(*columns), texts
            else:
                plain += [row["path"] for row in frame.select("path").distinct().collect()]
        if plain:
            yield listed(self._spark, plain), None

    def _run_part(
        self, listing: DataFrame, texts: DataFrame | None, done: Done, again: bool
    ) -> Done:
        if self.folder.exists("files"):
            known = self._table("files").selectExpr(
                "path key", "struct(size, mtime, etag) was", "bytes = 0 and size > 0 unread"
            )
            listing = listing.join(known, "key", "left").selectExpr(
                "path", "key", "size", "mtime", "etag",
                "was is not null known", "was <=> struct(size, mtime, etag) and not unread same",
            )  # fmt: skip
        rows = listing.toArrow().to_pylist()
        files = files_of(rows)
        if texts is not None and len(files) < len(rows):  # texts of one name; else none is moved
            texts = texts.dropDuplicates(["key"])
        new = [it for it in files if again or not it.same]
        self._tell(f"{len(files)} transcripts, {len(new)} of them new or changed")
        done = done._replace(listed=done.listed + len(files))
        for batch in batches(new, self._spark.sparkContext.defaultParallelism):
            self._batches += 1
            name = f"{self._started}-{self._batches:05}"
            try:
                counts = self._stage(name, batch, self._rows(batch, texts))
                self._publish(name)
            except (PySparkException, Py4JError) as error:
                self._failed.append(reason(error))
                self._tell(f"batch {name} of {len(batch)} failed: {self._failed[-1]}")
                continue
            done = done.and_also(counts)
            self._tell(
                f"{done.read} of {len(new)} read, {done.turns} turns, {done.stopped} to be "
                f"stopped, {done.errors} errors, {done.peak_mib} MiB in a task at most"
            )
        return done

    def _rows(self, batch: Batch, texts: DataFrame | None) -> DataFrame:
        if texts is None:
            return analysed_files(self._spark, batch, self._job)
        keys = framed(self._spark, "files", [{"path": it.key} for it in batch])
        return analysed(texts.join(keys.selectExpr("path key"), "key", "left_semi"), self._job)

    def _stage(self, name: str, batch: Batch, rows: DataFrame) -> Done:
        """Write the files of a batch and how they are to be published; return what was counted."""
        place, hashed = f"{STAGING}/{name}", self._job.options.hashed
        raw = self.folder.place(f"{place}/rows")
        rows.write.parquet(raw)
        staged = self._spark.read.schema(rows_ddl()).parquet(raw)
        counts = _counts(staged)
        kinds = {row["kind"] for row in counts} - {"files"}
        new = {it: staged.where(f"kind = '{it}'").selectExpr(f"{it}.*", "date") for it in kinds}
        read = {row["files"]["source"]: row["files"] for row in counts if row["files"]}
        files, errors = manifest(batch, read, {row["told"] for row in counts}, hashed)
        new["files"] = framed(self._spark, "files", files)
        if errors:
            more = framed(self._spark, "errors", errors)
            new["errors"] = new["errors"].unionByName(more) if "errors" in new else more
        sources = new["files"].select("source")
        if "decisions" in new:
            dates = {row["date"] for row in counts if row["kind"] == "decisions"}
            first = self._first(new["decisions"], sources, sorted(dates))
            for it in {"decisions", "matches"} & new.keys():
                new[it] = new[it].join(first, ["turn", "source"], "left_semi")
        gone = []
        for table_name in TABLES:
            old = self._replaced(table_name, sources) if any(it.known for it in batch) else []
            gone += [f"{table_name}/{it}" for it in old]
            frames = [self._kept(table_name, old, sources)] if old else []
            frames += [new[table_name]] if table_name in new else []
            if frames:
                writer = reduce(DataFrame.unionByName, frames).repartition("date").write
                writer = writer.option("maxRecordsPerFile", _ROWS_OF_A_FILE).partitionBy("date")
                writer.parquet(self.folder.place(f"{place}/{table_name}"))
        self.folder.write(f"{place}/{COMMIT}", json.dumps({"remove": gone}))
        return Done(
            read=len(batch),
            turns=sum(row["rows"] for row in counts if row["kind"] == "decisions"),
            stopped=sum(row["stopped"] for row in counts),
            errors=sum(row["rows"] for row in counts if row["kind"] == "errors") + len(errors),
            bytes=sum(row["bytes"] for row in files),
            peak_mib=max(row["peak_mib"] for row in files),
        )

    def _first(self, decisions: DataFrame, sources: DataFrame, dates: list[str]) -> DataFrame:
        """Return turn and source of turns that do not stand in another file, too."""
        first = decisions.groupBy("turn").agg({"source": "min"})
        first = first.withColumnRenamed("min(source)", "source")
        if self.folder.exists("decisions"):
            others = self._table("decisions").join(sources, "source", "left_anti")
            others = others.where(others["date"].isin(dates)).select("turn")
            first = first.join(others, "turn", "left_anti")
        return first

    def _table(self, name: str) -> DataFrame:
        reader = self._spark.read.schema(f"{ddl(name)}, date string")
        return reader.parquet(self.folder.place(name))

    def _replaced(self, name: str, sources: DataFrame) -> list[str]:
        """Return the files of a table with rows of sources that were read again."""
        if not self.folder.exists(name):
            return []
        old = self._table(name).selectExpr("source", "date", "_metadata.file_name name")
        old = old.join(sources, "source", "left_semi").select("date", "name")
        files = old.distinct().collect()
        return sorted(f"date={row['date']}/{row['name']}" for row in files)

    def _kept(self, name: str, files: list[str], sources: DataFrame) -> DataFrame:
        reader = self._spark.read.schema(f"{ddl(name)}, date string")
        reader = reader.option("basePath", self.folder.place(name))
        old = reader.parquet(*(self.folder.place(f"{name}/{it}") for it in files))
        return old.join(sources, "source", "left_anti").select(*COLUMNS[name], "date")

    def _publish(self, name: str) -> None:
        """Move the files of a committed batch into the tables; may be done again after a kill."""
        folder, place = self.folder, f"{STAGING}/{name}"
        for it in json.loads(folder.read(f"{place}/{COMMIT}"))["remove"]:
            folder.delete(it)
        for table_name in reversed(TABLES):
            for file in folder.files(f"{place}/{table_name}"):
                date, _, part = file.rpartition("/")
                if date:  # not what Spark writes beside the data
                    target = f"{table_name}/{date}/{name}-{part.removeprefix('part-')}"
                    folder.move(f"{place}/{table_name}/{file}", target)
        folder.delete(place)

    def _take_up(self) -> None:
        """Publish what a killed run has committed, and drop what it has not."""
        for name in sorted({it.partition("/")[0] for it in self.folder.files(STAGING)}):
            if self.folder.exists(f"{STAGING}/{name}/{COMMIT}"):
                self._tell(f"batch {name} of a run that was ended is published now")
                self._publish(name)
        self.folder.delete(STAGING)


def _counts(staged: DataFrame) -> list[dict[str, Any]]:
    """Return how many rows and stops there are by kind and date, and the rows of ``files``."""
    columns = ("kind", "date", "files", "told")
    rows = staged.selectExpr("*", "errors.source told", "decisions.decision = 'block' stops")
    counted = rows.groupBy(*columns).agg(expr("count(*) rows"), expr("count_if(stops) stopped"))
    counts: list[dict[str, Any]] = counted.toArrow().to_pylist()
    return counts
