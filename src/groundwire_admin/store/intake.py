"""Taking in the hook's decision log: only what is new, and every line once.

The log is a few files that are renamed as they grow (``state/log.py``). A file is known by the
digest of its first line, which no rename changes, and is read on from where it was left. Lines
have an id of their own, so that reading one twice adds nothing.
"""

from __future__ import annotations

from typing import Any, BinaryIO, NamedTuple

from sqlalchemy import insert
from sqlalchemy.orm import Session

from groundwire.digest import digest
from groundwire.state.log_lines import snapshot
from groundwire_admin.store.database import Store, insert_new
from groundwire_admin.store.history import now
from groundwire_admin.store.log_rows import row_of
from groundwire_admin.store.tables import DecisionMatch, DecisionRow, LogFile, LookRow

#: Bytes that one transaction takes in.
BATCH = 4 << 20
_LONGEST_LINE = 1 << 20


class Taken(NamedTuple):
    """What came of one intake: new decisions, lines that are no records, files not read."""

    added: int
    skipped: int
    problems: tuple[str, ...]


def take_in(store: Store, folder: str) -> Taken:
    """Take in what was added to the log in ``folder`` since the last time. Raises StoreError.

    Several processes may do so at once. A decision is kept when its log file is long gone.
    """
    added = skipped = 0
    problems: list[str] = []
    files = snapshot(folder, problems)
    try:
        for file, size in files:
            while True:
                with store.write() as session:
                    step = _step(session, file, size)
                added += step.added
                skipped += step.skipped
                if step.done:
                    break
    finally:
        for file, _ in files:
            file.close()
    return Taken(added, skipped, tuple(problems))


class _Step(NamedTuple):
    added: int = 0
    skipped: int = 0
    done: bool = True


def _step(session: Session, file: BinaryIO, size: int) -> _Step:
    """Take in one batch of a file and remember how far it went, both or neither."""
    file.seek(0)
    first = file.readline(_LONGEST_LINE)
    if not first.endswith(b"\n"):
        return _Step()  # empty, or its first line is being written
    entry = _entry(session, digest(first))
    start = entry.offset if entry.offset <= size else 0
    file.seek(start)
    data = file.read(min(BATCH, size - start))
    end = data.rfind(b"\n") + 1
    if not end and len(data) == BATCH:  # nobody of ours writes such a line: its parts are none
        end = len(data)
    if not end:
        return _Step()
    lines = data[:end].removesuffix(b"\n").split(b"\n")
    rows = [row for line in lines if (row := row_of(line)) is not None]
    looks = [row for row in rows if "look" in row]
    if looks:
        session.execute(insert_new(session, LookRow), looks)
    added = _add(session, [row for row in rows if "look" not in row])
    skipped = len(lines) - len(rows)
    entry.offset, entry.skipped, entry.read_at = start + end, entry.skipped + skipped, now()
    return _Step(added, skipped, start + end >= size or len(data) < BATCH)


def _entry(session: Session, name: str) -> LogFile:
    """Return how far a file was read; nobody else reads it on until the transaction ends."""
    fresh = {"name": name, "offset": 0, "skipped": 0, "read_at": now()}
    session.execute(insert_new(session, LogFile), fresh)
    return session.get_one(LogFile, name, with_for_update=True)


def _add(session: Session, rows: list[dict[str, Any]]) -> int:
    """Insert decisions that are not there yet, with their matches; return how many."""
    unique = {row["id"]: row for row in rows}
    if not unique:
        return 0
    statement = insert_new(session, DecisionRow).returning(DecisionRow.id)
    matches = {key: row.pop("matches") for key, row in unique.items()}
    added = session.scalars(statement, list(unique.values())).all()
    match_rows = [{"decision_id": key, **match} for key in added for match in matches[key]]
    if match_rows:
        session.execute(insert(DecisionMatch), match_rows)
    return len(added)
