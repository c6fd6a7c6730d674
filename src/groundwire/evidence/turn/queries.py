"""Counts and listings that came back empty: they show that nothing of the kind is there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.evidence.runs.shell import Command

#: Words of a question for rows, files or things; each stands in the text of the command.
_ASKING = (
    "select ",
    "count(",
    ".count",
    "find(",
    "findmany",
    "countdocuments",
    ".all()",
    "scan",
    "keys ",
    "grep -c",
    "grep -rc",
    "wc -l",
    "get ",
    "list",
    " ls",
    "ps ",
    "len(",
)
#: Programs that are asked for rows or things; the others are asked in code.
_ASKED = frozenset(
    "psql sqlite3 mysql mariadb mongosh mongo redis-cli duckdb clickhouse-client sqlcmd cqlsh bq "
    "kubectl docker podman aws gcloud az gh python python3 node ruby php rails deno bun wc grep "
    "rg".split()
)
_COUNTERS = ("grep", "rg")
_ENDED = ("exit code 1", "error: exit code 1")
_EMPTY_LINES = frozenset(
    (
        "0",
        "(0,)",
        "[(0,)]",
        "[[0]]",
        "[]",
        "{}",
        "()",
        "set()",
        "(0 rows)",
        "0 rows",
        "no rows",
        "no rows found",
        "empty set",
        "(empty array)",
        "(empty list or set)",
        "none found",
        "count: 0",
        "count = 0",
        "total: 0",
    )
)
_EMPTY_STARTS = ("no resources found", "empty set", "0 rows", "(0 rows)", "no rows")
_SOME_ROWS = tuple(f"({digit}" for digit in "123456789")
#: Lines around the number that name the column and draw a table.
_FRAME = frozenset(("count", "count(*)", "n", "total", "rows", "cnt"))
_MOST_LINES = 6


def is_empty_query(commands: Sequence[Command], command: str, output: str) -> bool:
    """Tell whether the last of ``commands`` asked for rows or things, and none came back."""
    if not commands or not commands[-1].argv:
        return False
    program = commands[-1].argv[0].rpartition("/")[2]
    text = command.lower()
    if program not in _ASKED or not any(words in text for words in _ASKING):
        return False
    lines = [line.strip(" |\t").lower() for line in output.split("\n")]
    if program in _COUNTERS:  # with nothing to count they end with 1
        lines = [line for line in lines if line not in _ENDED]
    lines = [line for line in lines if line.strip("-+=| ") and line not in _FRAME]
    lines = [line for line in lines if line != "(1 row)" and not line.startswith("1 row in set")]
    if not 0 < len(lines) <= _MOST_LINES:
        return False
    if lines[-1].startswith(_EMPTY_STARTS):  # below the names of the columns
        return not any(line.startswith(_SOME_ROWS) for line in lines)
    return all(line in _EMPTY_LINES for line in lines)
