"""Transcripts as data frames: where they are, their lines, and the rows that they give."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr

from groundwire.base.digest import digest
from groundwire.base.errors import FileError
from groundwire.base.paths import state_folder
from groundwire.base.version import __version__
from groundwire.hook.compiled import Compiled
from groundwire.hook.compiled_file import encode
from groundwire.hook.sources import FLEET_SALT
from groundwire.settings.load import load
from groundwire_fleet.files import lines_at, lines_in, readable
from groundwire_fleet.folder import prepare, reason
from groundwire_fleet.plan import Batch, files_of, tasks
from groundwire_fleet.rows import TABLES, Options, rows_ddl
from groundwire_fleet.task import KEY, TASK_MEMORY, Work, analysed_apart, fields

#: What a source that is a table begins with.
TABLE_KINDS = ("parquet", "delta", "table")
NAMES = "*.{jsonl,jsonl.gz}"
_GLOB_SIGN = re.compile(r"([][{}*?\\])")
#: What the files of a session share, as ``plan`` has it.
_SESSION = "regexp_replace(key, '/subagents/.*|[.]jsonl([.]gz)?$', '')"
_TASKS = 16  # of a core, for what Spark hands over
_UNTOLD_CORES = 32  # of a cluster behind Spark Connect, which does not tell
#: Largest transcript that Spark hands over: Java and Python hold it whole, several times.
_WHOLE = 256 << 20


def work(
    flags: dict[str, Any] | None = None,
    *,
    keep_text: bool = False,
    salt: str = "",
    memory: int = TASK_MEMORY,
) -> Work:
    """Return what tasks need, by the settings in effect here and ``flags``; raises ConfigError.

    Without ``salt`` that of the variable GROUNDWIRE_FLEET_SALT is used, or one that is made once
    for this user and kept in the state folder.
    """
    loaded = load(os.environ, os.getcwd(), flags)
    compiled = encode(Compiled(loaded.settings, loaded.rules), KEY)
    payload = compiled[compiled.rfind(b"\n") + 1 :]
    analyser = f"{__version__} {digest(payload)[:12]}"
    key = digest((salt or os.environ.get(FLEET_SALT) or _own_salt()).encode()).encode()
    return Work(Options(key, analyser, keep_text), compiled, memory)


def _own_salt() -> str:
    folder = state_folder(os.environ)
    if not folder:
        raise FileError(f"no salt for the hashes: set {FLEET_SALT}, or HOME to keep one there")
    path = Path(folder) / "fleet-salt"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_hex(32))
    except FileExistsError:
        pass
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}; or set {FLEET_SALT}") from None
    return path.read_text(encoding="utf-8")


def framed(spark: SparkSession, name: str, rows: list[dict[str, Any]]) -> DataFrame:
    """Return rows of a table as a data frame."""
    schema = pa.schema([*fields(name), ("date", pa.string())])
    return spark.createDataFrame(pa.Table.from_pylist(rows, schema))


def listed(spark: SparkSession, sources: list[str]) -> DataFrame:
    """Return path, key, size, mtime and etag of all transcripts in folders and globs.

    What two sources have in common is there twice.
    """
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        files = reader.option("pathGlobFilter", NAMES).load(sources)
    except Exception as error:
        raise FileError(f"{', '.join(sources)}: {reason(error)}") from None
    columns = ("path", "_metadata.file_path key", "length size", "modificationTime mtime")
    return files.selectExpr(*columns, "cast(null as string) etag")


def table(spark: SparkSession, kind: str, place: str) -> DataFrame:
    """Return a table of transcripts; raises FileError when it cannot be read, or has no columns."""
    try:
        frame = spark.table(place) if kind == "table" else spark.read.format(kind).load(place)
        names = set(frame.columns)
    except Exception as error:
        why = reason(error)
        if kind == "delta" and "DATA_SOURCE_NOT_FOUND" in why:
            why = "Spark has no Delta here: start it with the delta-spark package (--packages)"
        raise FileError(f"{kind}:{place}: {why}") from None
    if not names & {"path", "content"}:
        columns = ", ".join(sorted(names))
        raise FileError(f"{kind}:{place}: needs a column path or content; it has {columns}")
    return frame


def contents(frame: DataFrame) -> DataFrame:
    """Return key, size, mtime, etag and content of a table whose rows are whole transcripts."""
    etag = "sha2(cast(content as binary), 256)"
    key = "cast(path as string)" if "path" in frame.columns else f"concat('content:', {etag})"
    size = "cast(octet_length(content) as bigint)"
    return frame.where("content is not null").selectExpr(
        f"{key} key", f"{size} size", "cast(null as timestamp) mtime", f"{etag} etag",
        "cast(content as binary) content",
    )  # fmt: skip


def analysed_files(spark: SparkSession, batch: Batch, job: Work) -> DataFrame:
    """Return the rows of all tables for a batch of files, in tasks as ``plan`` has them.

    The tasks read the files themselves. Those of a file system that Arrow does not know, or that
    refuses this process, Spark hands over.
    """
    paths = [file.path for file in batch]
    if not readable(paths):
        reader = spark.read.format("binaryFile")
        frame = reader.load([_GLOB_SIGN.sub(r"\\\1", path) for path in paths])
        frame = frame.where(f"length <= {_WHOLE}").selectExpr("_metadata.file_path path", "content")
        return analysed(contents(frame), job)
    parts = tasks(batch, _cores(spark))

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for numbers in batches:
            for number in numbers.column(0).to_pylist():
                yield from analysed_apart(
                    [(it.key, lines_at(it.path)) for it in parts[number]], job
                )

    numbers = spark.range(0, len(parts), 1, max(1, len(parts)))
    return numbers.mapInArrow(run, rows_ddl())


def analysed(texts: DataFrame, job: Work) -> DataFrame:
    """Return the rows of all tables for ``contents``, those of a session in one task."""

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            keys, sizes, binaries = (batch.column(name) for name in ("key", "size", "content"))
            rows = zip(keys.to_pylist(), sizes.to_pylist(), binaries, strict=True)
            given = [(key, lines_in(text.as_buffer(), size)) for key, size, text in rows]
            yield from analysed_apart(given, job)

    number = _TASKS * _cores(texts.sparkSession)
    short = f"if(size <= {_WHOLE}, content, null) content"
    given = texts.repartition(number, expr(_SESSION)).selectExpr("key", "size", short)
    return given.mapInArrow(run, rows_ddl())


def _cores(spark: SparkSession) -> int:
    """Return how many tasks run at once."""
    context = getattr(spark, "sparkContext", None)
    return context.defaultParallelism if context else _UNTOLD_CORES


def _rows(transcripts: DataFrame, kind: str, job: Work) -> DataFrame:
    spark = transcripts.sparkSession
    prepare(spark)
    if "content" in transcripts.columns:
        rows = analysed(contents(transcripts).dropDuplicates(["key"]), job)
    elif "path" in transcripts.columns:
        paths = [row["path"] for row in transcripts.select("path").distinct().collect()]
        rows = analysed_files(
            spark, tuple(files_of(listed(spark, paths).toArrow().to_pylist())), job
        )
    else:
        names = ", ".join(transcripts.columns)
        raise FileError(f"transcripts: needs a column path or content; it has {names}")
    return rows.where(f"kind = '{kind}'").selectExpr(f"{kind}.*", "date")


def decisions(transcripts: DataFrame, **options: Any) -> DataFrame:
    """Return a row for each turn of ``transcripts``, a data frame with a column path or content.

    A path may be a folder or a glob; a content is a whole transcript. ``options`` are those of
    ``work``: flags, keep_text, salt, memory. The columns are those of ``schema.COLUMNS``.
    """
    return _rows(transcripts, TABLES[0], work(**options))


def matches(transcripts: DataFrame, **options: Any) -> DataFrame:
    """Return a row for each match, as ``decisions`` does for each turn."""
    return _rows(transcripts, TABLES[1], work(**options))
