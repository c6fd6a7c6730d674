"""One run over all sources: what is new is read in batches, and each batch is published whole.

A batch is written below ``staging/``, then a file COMMIT says how it is published: which files
move into the tables and which old ones go. A killed run is taken up by carrying out what is
committed and dropping the rest; no row is there twice, and none is missing.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import reduce
from typing import NamedTuple

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from groundwire.errors import FileError
from groundwire_fleet.folder import Folder, reason
from groundwire_fleet.frames import TABLE_KINDS, Work, analysed, contents, lines_of, listed, table
from groundwire_fleet.plan import Batch, File, batches, bounds, scan_settings
from groundwire_fleet.schema import TABLES, UNDATED, VERSION, ddl, rows_ddl

ABOUT, STAGING, COMMIT = "about.json", "staging", "COMMIT"
#: Size of the Parquet files that come out, in rows.
_ROWS_OF_A_FILE = 1_000_000
#: Files that may fail one after the other before the run ends; a full disk fails all of them.
_MOST_FAILED = 20


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


class Fleet:
    """The folder that holds the tables, and the session that reads and writes it.

    Raises FileError when it is of another schema or was written with another salt.
    """

    def __init__(self, spark: SparkSession, out: str, job: Work) -> None:
        self._spark, self._job = spark, job
        self._started, self._batches, self._failed = f"{datetime.now(UTC):%Y%m%dT%H%M%S}", 0, 0
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
        """Read what is new or has changed, ``again`` all; raises FileError for a bad source."""
        begun = time.monotonic()
        self._take_up(tell)
        done = Done()
        for part in self._parts(sources):
            done = self._run_part(part, done, again, tell)
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
        self,
        part: tuple[DataFrame, DataFrame | None],
        done: Done,
        again: bool,
        tell: Callable[[str], None],
    ) -> Done:
        listing, texts = part
        listing = listing.cache()
        known = self._table("files").selectExpr("path key", "size", "mtime", "etag")
        same = [listing[name].eqNullSafe(known[name]) for name in ("key", "size", "mtime", "etag")]
        new = listing if again else listing.join(known, same, "left_anti")
        files = [
            File(*row)
            for row in new.orderBy("mtime", "key").select("path", "key", "size").collect()
        ]
        count = listing.count()
        tell(f"{count} transcripts, {len(files)} of them new or changed")
        done = done._replace(listed=done.listed + count)
        for batch in batches(files, *bounds(self._spark.sparkContext.defaultParallelism)):
            self._batches += 1
            name = f"{self._started}-{self._batches:05}"
            for part_name in self._attempt(name, batch, listing, texts, tell):
                done = self._publish(part_name, done)
                tell(
                    f"{done.read} of {len(files)} read, {done.turns} turns, {done.stopped} to be "
                    f"stopped, {done.errors} errors, {done.peak_mib} MiB in a task at most"
                )
        listing.unpersist()
        return done

    def _attempt(
        self,
        name: str,
        batch: Batch,
        listing: DataFrame,
        texts: DataFrame | None,
        tell: Callable[[str], None],
    ) -> Iterator[str]:
        """Stage a batch and yield its name; one that fails in halves, down to the file at fault."""
        try:
            rows = self._rows(batch, texts)
            self._stage(name, batch, rows, listing)
            self._failed = 0
        except (PySparkException, Py4JError) as error:
            why = reason(error)
            tell(f"batch {name} of {len(batch.files)} failed: {why}")
            if len(batch.files) == 1:
                self._failed += 1
                if self._failed > _MOST_FAILED:
                    raise FileError(
                        f"{self._failed} files failed, this is no fault of theirs: {why}"
                    ) from None
                self._stage(name, batch, None, listing, why)
            else:
                for number, half in enumerate(batch.halves()):
                    yield from self._attempt(f"{name}-{number}", half, listing, texts, tell)
                return
        yield name

    def _rows(self, batch: Batch, texts: DataFrame | None) -> DataFrame:
        if texts is not None:
            keys = self._spark.createDataFrame([(it.key,) for it in batch.files], "key string")
            return analysed(texts.join(keys, "key", "left_semi"), self._job)
        settings = scan_settings(batch, self._spark.sparkContext.defaultParallelism)
        for key, value in settings.items():
            self._spark.conf.set(key, value)
        return analysed(lines_of(self._spark, [it.path for it in batch.files]), self._job)

    def _stage(
        self, name: str, batch: Batch, rows: DataFrame | None, listing: DataFrame, failed: str = ""
    ) -> None:
        """Write the files of a batch and how they are to be published."""
        spark, place = self._spark, f"{STAGING}/{name}"
        self.folder.delete(place)
        raw = self.folder.place(f"{place}/rows")
        if rows is not None:
            rows.write.parquet(raw)
        with self._default_scan():
            staged = spark.read.schema(rows_ddl()).parquet(raw) if rows is not None else None
            hashed = self._job.options.hashed
            planned = spark.createDataFrame(
                [(it.key, hashed(it.key)) for it in batch.files], "key string, source string"
            ).join(listing, "key")
            new = self._new_tables(staged, planned.cache(), failed)
            gone = []
            again = self._table("files").join(planned, "source", "left_semi").limit(1).count() > 0
            for table_name, rows_of_table in new.items():
                old = self._replaced(table_name, planned) if again else []
                gone += [f"{table_name}/{it}" for it in old]
                kept = [self._kept(table_name, old, planned)] if old else []
                frame = reduce(DataFrame.unionByName, kept, rows_of_table).repartition("date")
                writer = frame.write.option("maxRecordsPerFile", _ROWS_OF_A_FILE)
                writer.partitionBy("date").parquet(self.folder.place(f"{place}/{table_name}"))
            planned.unpersist()
        self.folder.write(f"{place}/{COMMIT}", json.dumps({"remove": gone}))

    def _new_tables(
        self, staged: DataFrame | None, planned: DataFrame, failed: str
    ) -> dict[str, DataFrame]:
        """Return the rows of a batch by table, without turns that stand in another file, too."""
        empty = self._spark.createDataFrame([], rows_ddl())
        of = {
            it: (empty if staged is None else staged)
            .where(f"kind = '{it}'")
            .selectExpr(f"{it}.*", "date")
            for it in TABLES
        }
        first = of["decisions"].groupBy("turn").agg({"source": "min"})
        first = first.withColumnRenamed("min(source)", "source")
        others = (
            self._table("decisions").join(planned, "source", "left_anti").select("turn", "date")
        )
        dates = [row["date"] for row in of["decisions"].select("date").distinct().collect()]
        first = first.join(others.where(others["date"].isin(dates)), "turn", "left_anti").cache()
        for it in ("decisions", "matches"):
            of[it] = of[it].join(first, ["turn", "source"], "left_semi")
        read = of["files"].select("source", "bytes", "lines", "turns", "cpu_seconds", "peak_mib")
        files = planned.join(read, "source", "left").fillna(
            {"bytes": 0, "lines": 0, "turns": 0, "cpu_seconds": 0.0, "peak_mib": 0}
        )
        date = f"coalesce(date_format(mtime, 'yyyy-MM-dd'), '{UNDATED}')"
        of["files"] = files.selectExpr(
            "key path", "size", "mtime", "etag", "bytes", "lines", "turns", "cpu_seconds",
            "peak_mib", "source", f"{date} date",
        )  # fmt: skip
        packed = "" if failed else "and path not like '%.gz'"
        short = of["files"].where(f"bytes + 1 < size {packed}")
        why = failed.replace("\\", "\\\\").replace("'", "\\'")
        told = f"'{why}'" if failed else "concat('only ', bytes, ' of ', size, ' bytes were read')"
        rest = short.selectExpr("path", "bytes offset", f"{told} error", "source", "date")
        of["errors"] = of["errors"].unionByName(rest)
        return of

    def _table(self, name: str) -> DataFrame:
        """Return a table as it is, empty when nothing was written yet."""
        if not self.folder.exists(name):
            return self._spark.createDataFrame([], f"{ddl(name)}, date string")
        reader = self._spark.read.schema(f"{ddl(name)}, date string")
        return reader.parquet(self.folder.place(name))

    def _replaced(self, name: str, planned: DataFrame) -> list[str]:
        """Return the files of a table with rows of sources that were read again."""
        if not self.folder.exists(name):
            return []
        old = self._table(name).selectExpr("source", "date", "_metadata.file_name name")
        old = old.join(planned, "source", "left_semi").select("date", "name")
        found = old.distinct().collect()
        return sorted(f"date={row['date']}/{row['name']}" for row in found)

    def _kept(self, name: str, files: list[str], planned: DataFrame) -> DataFrame:
        reader = self._spark.read.schema(f"{ddl(name)}, date string")
        reader = reader.option("basePath", self.folder.place(name))
        old = reader.parquet(*(self.folder.place(f"{name}/{it}") for it in files))
        return old.join(planned, "source", "left_anti").select(*self._table(name).columns)

    def _publish(self, name: str, done: Done | None = None) -> Done:
        """Move the files of a committed batch into the tables; may be done again after a kill."""
        folder, place = self.folder, f"{STAGING}/{name}"
        if done is not None:
            done = self._counted(name, done)
        for it in json.loads(folder.read(f"{place}/{COMMIT}"))["remove"]:
            folder.delete(it)
        for table_name in reversed(TABLES):
            for file in folder.files(f"{place}/{table_name}"):
                date, _, part = file.rpartition("/")
                if date:  # not what Spark writes beside the data
                    target = f"{table_name}/{date}/{name}-{part.removeprefix('part-')}"
                    folder.move(f"{place}/{table_name}/{file}", target)
        folder.delete(place)
        return done or Done()

    def _counted(self, name: str, done: Done) -> Done:
        """Add a staged batch to what is done."""
        raw = self.folder.place(f"{STAGING}/{name}/rows")
        if not self.folder.exists(f"{STAGING}/{name}/rows"):
            return done._replace(read=done.read + 1, errors=done.errors + 1)
        rows = self._spark.read.schema(rows_ddl()).parquet(raw)
        counted = rows.selectExpr(
            "count_if(kind = 'files')", "count_if(kind = 'decisions')",
            "count_if(decisions.decision = 'block')", "count_if(kind = 'errors')",
            "coalesce(sum(files.bytes), 0)", "coalesce(max(files.peak_mib), 0)",
        ).collect()[0]  # fmt: skip
        read, turns, stopped, errors, size, peak = counted
        return done._replace(
            read=done.read + read,
            turns=done.turns + turns,
            stopped=done.stopped + stopped,
            errors=done.errors + errors,
            bytes=done.bytes + size,
            peak_mib=max(done.peak_mib, peak),
        )

    def _take_up(self, tell: Callable[[str], None]) -> None:
        """Publish what a killed run has committed, and drop what it has not."""
        for name in sorted({it.partition("/")[0] for it in self.folder.files(STAGING)}):
            if self.folder.exists(f"{STAGING}/{name}/{COMMIT}"):
                tell(f"batch {name} of a run that was ended is published now")
                self._publish(name)
        self.folder.delete(STAGING)

    @contextmanager
    def _default_scan(self) -> Iterator[None]:
        """Let Spark cut the small files of the tables as it likes."""
        for name in scan_settings(Batch((File("", "", 1),)), 1):
            self._spark.conf.unset(name)
        yield
