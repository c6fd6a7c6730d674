"""What a task does: a process of its own reads its transcripts, so that none can end the task."""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

import pyarrow as pa

from groundwire.base.process import collect_rarely
from groundwire.base.rules import shipped_rules
from groundwire.hook.compiled_file import decode
from groundwire.language.automaton import Scanner
from groundwire.settings.runtime import Runtime
from groundwire_fleet.rows import COLUMNS, TABLES, UNDATED, Line, Options, rows_of

#: MiB of memory that reading transcripts may take beside what their process begins with.
TASK_MEMORY = 2_048
_NO_MEMORY = 2  # exit status
#: What the settings are encoded for.
KEY = "fleet"
#: Key and lines of one; the lines are not read before they are asked for.
Transcript = tuple[str, Iterable[Line]]
_FLUSH = 500  # rows
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


def fields(table: str) -> list[tuple[str, pa.DataType]]:
    """Return the columns of a table in Arrow's words."""
    return [(name, _ARROW[kind]) for name, kind in COLUMNS[table].items()]


def analysed_apart(transcripts: Sequence[Transcript], job: Work) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all tables that transcripts give, those of each in one piece.

    The process that reads them may die, of a lack of memory or a fault in a library. Then what it
    was reading has a row of ``errors`` and none of ``files``, and another one goes on behind it.
    """
    runtime, done = _runtime(job.compiled), 0
    while done < len(transcripts):
        source, target = os.pipe()
        child = os.fork()
        if not child:
            os.close(source)
            _child(transcripts[done:], target, runtime, job)
        os.close(target)
        try:
            with os.fdopen(source, "rb") as pipe:
                for batch in _received(pipe):
                    done += batch.column("kind").to_pylist().count("files")
                    yield batch
        except GeneratorExit:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            _, status = os.waitpid(child, 0)
        if status and done < len(transcripts):  # what is behind its last one is at fault
            yield _ended(transcripts[done][0], os.waitstatus_to_exitcode(status), job)
            done += 1


def _ended(key: str, code: int, job: Work) -> pa.RecordBatch:
    """Return the row of ``errors`` for the transcript whose process has ended."""
    why = f"the process that read it was ended by signal {-code}"
    if code == _NO_MEMORY:
        why = f"reading it takes more than {job.memory} MiB of memory: raise --task-memory"
    elif code > 0:
        why = "the process that read it has failed, standard error of the task says how"
    row = {"path": key, "offset": -1, "error": why, "source": job.options.hashed(key)}
    rows = [{"kind": "errors", "date": UNDATED, "errors": row}]
    return pa.RecordBatch.from_pylist(rows, _schema())


def _schema() -> pa.Schema:
    structs = [(name, pa.struct(fields(name))) for name in TABLES]
    return pa.schema([("kind", pa.string()), ("date", pa.string()), *structs])


def _inherited() -> int:
    """Return the bytes of data that a process has from the one that it was forked from.

    Most of a Spark worker's are no use to it: Arrow reserves a GiB when it is loaded.
    """
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[5]) * resource.getpagesize()
    except OSError:  # not on Linux
        return 0


def _received(pipe: Any) -> Iterator[pa.RecordBatch]:
    try:
        yield from pa.ipc.open_stream(pipe)
    except (pa.ArrowException, OSError):
        return  # it ended in the middle; its status says so


def _child(transcripts: Sequence[Transcript], target: int, runtime: Runtime, job: Work) -> NoReturn:
    status = 1
    try:
        most = _inherited() + (job.memory << 20)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        schema = _schema()
        with os.fdopen(target, "wb") as pipe, pa.ipc.new_stream(pipe, schema) as stream:
            for key, lines in transcripts:
                rows: list[dict[str, Any]] = []
                for kind, date, row in rows_of(key, lines, runtime, job.options):
                    rows.append({"kind": kind, "date": date, kind: row})
                    if len(rows) >= _FLUSH or kind == "files":
                        stream.write_batch(pa.RecordBatch.from_pylist(rows, schema))
                        pipe.flush()
                        rows = []
        status = 0
    except MemoryError:
        status = _NO_MEMORY
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


@lru_cache(1)
def _runtime(data: bytes) -> Runtime:
    compiled = decode(data, KEY)
    if compiled is None:
        raise RuntimeError("the tasks run another version of groundwire or Python than the driver")
    # Arrow loads pandas for its first rows: here, not again in every process that reads
    pa.RecordBatch.from_pylist([], _schema())
    collect_rarely()
    return Runtime(compiled.settings, Scanner(compiled.rules or shipped_rules()))
