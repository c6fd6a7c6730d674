"""Transcripts as data frames: where they are, their lines, and the rows that they give."""

from __future__ import annotations

import os
import re
import resource
import secrets
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from groundwire import __version__
from groundwire.config.load import load
from groundwire.digest import digest
from groundwire.errors import FileError
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.collector import collect_rarely
from groundwire.service.runtime import Runtime
from groundwire.state.compiled import Compiled
from groundwire.state.compiled_file import decode, encode
from groundwire.state.paths import state_folder
from groundwire.state.sources import FLEET_SALT
from groundwire.transcript.session import LINE_CAP
from groundwire_fleet.folder import prepare, reason
from groundwire_fleet.plan import Batch, files_of, scan_settings, tasks
from groundwire_fleet.rows import Line, Options, lines_of_file, rows_of
from groundwire_fleet.schema import COLUMNS, TABLES, rows_ddl

#: What a source that is a table begins with.
TABLE_KINDS = ("parquet", "delta", "table")
NAMES = "*.{jsonl,jsonl.gz}"
#: Largest amount of memory that a Python process of a task may take, in MiB.
TASK_MEMORY = 2_048
#: Key and lines of one.
Transcript = tuple[str, Iterable[Line]]
_KEY = "fleet"
_LOCAL = "file:"
_GLOB_SIGN = re.compile(r"([][{}*?\\])")
_FLUSH = 500  # rows
_WHOLE = -1  # size of a row that is a whole transcript
_BOOKKEEPING = '{"type":"file-history-snapshot"'

_ARROW = {
    "string": pa.string(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "timestamp": pa.timestamp("us", "UTC"),
    "map<string,double>": pa.map_(pa.string(), pa.float64()),
    "map<string,int>": pa.map_(pa.string(), pa.int32()),
}


class Work(NamedTuple):
    """What every task needs: options, the settings as bytes, MiB of memory."""

    options: Options
    compiled: bytes
    memory: int = TASK_MEMORY


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
    compiled = encode(Compiled(loaded.settings, loaded.rules), _KEY)
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
    schema = pa.schema([*_fields(name), ("date", pa.string())])
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
        found = ", ".join(sorted(names))
        raise FileError(f"{kind}:{place}: needs a column path or content; it has {found}")
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

    Files of this machine are read by the tasks themselves; of others Spark hands the lines over.
    """
    cores = spark.sparkContext.defaultParallelism
    if all(file.path.startswith(_LOCAL) for file in batch):
        parts = tasks(batch, cores)
        return analysed(spark.range(0, len(parts), 1, max(1, len(parts))), job, parts)
    for name, value in scan_settings(batch, cores).items():
        spark.conf.set(name, value)
    return analysed(_lines(spark, [file.path for file in batch]), job)


def _lines(spark: SparkSession, paths: list[str]) -> DataFrame:
    """Return key, length in bytes and text of every line; long and bookkeeping ones without text.

    How files are cut into tasks is up to the settings of the session; lines stay in order.
    """
    plain = [_GLOB_SIGN.sub(r"\\\1", path) for path in paths]
    read = f"startswith(value, '{_BOOKKEEPING}') or octet_length(value) > {LINE_CAP}"
    return (
        spark.read.option("lineSep", "\n")
        .text(plain)
        .selectExpr(
            "_metadata.file_path key",
            "octet_length(value) size",
            f"if({read}, null, cast(value as binary)) value",
        )
    )


def analysed(given: DataFrame, job: Work, parts: list[Batch] | None = None) -> DataFrame:
    """Return the rows of all tables, as ``schema.rows_ddl`` has them.

    ``given`` are lines, contents, or numbers of ``parts``, whose files the tasks read.
    """
    if "content" in given.columns:
        given = given.selectExpr("key", f"{_WHOLE} size", "content value")

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            found = _files(batches, parts) if parts is not None else _handed_over(batches)
            yield from _task(found, job)
        except MemoryError:
            # Spark keeps the process for later tasks, with what earlier ones left in it: the next
            # attempt gets one of its own.
            os._exit(1)

    return given.mapInArrow(run, rows_ddl())


def _task(transcripts: Iterable[Transcript], job: Work) -> Iterator[pa.RecordBatch]:
    structs = [(name, pa.struct(_fields(name))) for name in TABLES]
    schema = pa.schema([("kind", pa.string()), ("date", pa.string()), *structs])
    most = job.memory << 20
    resource.setrlimit(resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    runtime = _runtime(job.compiled)
    rows: list[dict[str, Any]] = []
    for key, lines in transcripts:
        for kind, date, row in rows_of(key, lines, runtime, job.options):
            rows.append({"kind": kind, "date": date, kind: row})
            if len(rows) >= _FLUSH:
                yield pa.RecordBatch.from_pylist(rows, schema)
                rows = []
    yield pa.RecordBatch.from_pylist(rows, schema)


def _fields(table: str) -> list[tuple[str, pa.DataType]]:
    return [(name, _ARROW[kind]) for name, kind in COLUMNS[table].items()]


def _files(batches: Iterable[pa.RecordBatch], parts: list[Batch]) -> Iterator[Transcript]:
    for batch in batches:
        for number in batch.column(0).to_pylist():
            for file in parts[number]:
                path = "/" + file.path.removeprefix(_LOCAL).lstrip("/")
                yield file.key, lines_of_file(path)


def _handed_over(batches: Iterable[pa.RecordBatch]) -> Iterator[Transcript]:
    for key, rows in groupby(_rows_of(batches), lambda row: row[0]):
        yield key, (line for _, size, value in rows for line in _lines_of(size, value))


def _rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[str, int, bytes | None]]:
    try:
        for batch in batches:
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
    except Exception:  # no file behind it would be read: the task fails, and is tried in halves
        os._exit(1)


def _lines_of(size: int, value: bytes | None) -> Iterator[Line]:
    if size != _WHOLE or value is None:
        yield size, value
        return
    for line in value.removesuffix(b"\n").split(b"\n"):
        yield len(line), line


@lru_cache(1)
def _runtime(data: bytes) -> Runtime:
    compiled = decode(data, _KEY)
    if compiled is None:
        raise RuntimeError("the tasks run another version of groundwire or Python than the driver")
    collect_rarely()
    return Runtime(compiled.settings, Scanner(compiled.rules or shipped_rules()))


def _rows(transcripts: DataFrame, kind: str, job: Work) -> DataFrame:
    spark = transcripts.sparkSession
    prepare(spark)
    if "content" in transcripts.columns:
        found = analysed(contents(transcripts).dropDuplicates(["key"]), job)
    elif "path" in transcripts.columns:
        paths = [row["path"] for row in transcripts.select("path").distinct().collect()]
        found = analysed_files(
            spark, tuple(files_of(listed(spark, paths).toArrow().to_pylist())), job
        )
    else:
        names = ", ".join(transcripts.columns)
        raise FileError(f"transcripts: needs a column path or content; it has {names}")
    return found.where(f"kind = '{kind}'").selectExpr(f"{kind}.*", "date")


def decisions(transcripts: DataFrame, **options: Any) -> DataFrame:
    """Return a row for each turn of ``transcripts``, a data frame with a column path or content.

    A path may be a folder or a glob; a content is a whole transcript. ``options`` are those of
    ``work``: flags, keep_text, salt, memory. The columns are those of ``schema.COLUMNS``.
    """
    return _rows(transcripts, TABLES[0], work(**options))


def matches(transcripts: DataFrame, **options: Any) -> DataFrame:
    """Return a row for each match, as ``decisions`` does for each turn."""
    return _rows(transcripts, TABLES[1], work(**options))
