"""The columns of what a fleet job writes; one Parquet table each, partitioned by ``date``."""

from __future__ import annotations

#: Changes when a column changes its name, type or meaning; a folder holds one version.
VERSION = 1
#: Column, type in Spark's words. ``source`` is the salted hash of the file that a row comes from.
COLUMNS: dict[str, dict[str, str]] = {
    "decisions": {
        "turn": "string",  # hash of message, id and time: the same in a copy of the session
        "session": "string",  # salted hash
        "user": "string",  # salted hash of the name in the home folder, null without one
        "host": "string",
        "host_version": "string",
        "model": "string",
        "agent": "string",  # main or sub-agent
        "repository": "string",  # last part of the session's first folder
        "time": "timestamp",  # of the final message
        "seconds": "double",  # from the prompt to the final message
        "calls": "int",
        "tokens_in": "bigint",  # with what was read from and written to the cache
        "tokens_out": "bigint",
        "decision": "string",
        "confidence": "int",  # highest of all statements, 0 without one
        "stops_at": "int",  # highest thresholds.block that stops the turn, 0: none does
        "matches": "int",  # rows of the turn in matches
        "number": "int",  # of the turn in its file, from 1
        "analyser": "string",  # version of groundwire and digest of the settings
        "schema_version": "int",
        "source": "string",
    },
    "matches": {
        "turn": "string",
        "session": "string",
        "user": "string",
        "model": "string",
        "repository": "string",
        "time": "timestamp",
        "kind": "string",
        "marker": "string",
        "confidence": "int",
        "verdict": "string",  # null on bare text
        "stopping": "boolean",
        "features": "map<string,double>",
        "points": "map<string,int>",
        "call_id": "string",  # the tool call that decided, if one did
        "offset": "int",  # of the matched words in the message, in code points
        "length": "int",
        "sentence": "string",  # null without --keep-text
        "source": "string",
    },
    "errors": {
        "path": "string",
        "offset": "bigint",  # in bytes from the beginning of the file; -1: the file as a whole
        "error": "string",
        "source": "string",
    },
    "files": {
        "path": "string",
        "size": "bigint",  # as listed
        "mtime": "timestamp",
        "etag": "string",  # of a transcript in a table: digest of its text
        "bytes": "bigint",  # as read
        "lines": "bigint",
        "turns": "int",
        "cpu_seconds": "double",
        "peak_mib": "int",  # of the Python process so far
        "source": "string",
    },
}
TABLES = tuple(COLUMNS)
#: Date of rows whose time is not known.
UNDATED = "1970-01-01"


def ddl(table: str) -> str:
    """Return the columns of a table in Spark's words."""
    return ", ".join(f"`{name}` {kind}" for name, kind in COLUMNS[table].items())


def rows_ddl() -> str:
    """Return the schema of what a task yields: one of the tables' rows in a column of its name."""
    structs = (
        f"`{table}` struct<{', '.join(f'`{n}`:{k}' for n, k in COLUMNS[table].items())}>"
        for table in TABLES
    )
    return ", ".join(("`kind` string", "`date` string", *structs))
