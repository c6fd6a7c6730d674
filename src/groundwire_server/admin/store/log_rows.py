"""Lines of the decision log as columns, and taking in what is new.

Whatever stands in the log, it fits: texts are cut to their columns, numbers that are none count 0,
and characters that a database does not take (NUL, halves of surrogate pairs) are replaced.

The log is a few files that are renamed as they grow (``hook/log.py``). A file is known by the
digest of its first line, which no rename changes, and is read on from where it was left. Lines
have an id of their own, so that reading one twice adds nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from typing import Any, BinaryIO, NamedTuple

from sqlalchemy import Float, Integer, String, insert
from sqlalchemy.orm import Session

from groundwire.base.digest import digest
from groundwire.base.model import BLOCK, PASS, REPORT
from groundwire.hook.log_lines import record_of, snapshot
from groundwire.hook.second_look_state import EVENT, looked
from groundwire_judge.applied import JUDGE
from groundwire_server.admin.store.database import Store, insert_new
from groundwire_server.admin.store.history import now
from groundwire_server.admin.store.tables import Base, DecisionMatch, DecisionRow, LogFile, LookRow

_JUDGE_TEXTS = ("may", "provider", "model", "asked")
_JUDGE_NUMBERS = ("prompt_version", "input_tokens", "output_tokens", "dropped")
_SAID_TEXTS = {"kind": 60, "why": 500}
_SAID_NUMBERS = ("n", "offset", "probability", "call")
_LOOK_TEXTS = ("act", "why", "key")
_FOUND_TEXTS = ("text", "quote", "missing", "act", "dropped")
_ID_CHARACTERS = 64
#: Of a text whose column has no length of its own.
_LONGEST = 2000
_LARGEST = 2**31 - 1


def row_of(line: bytes) -> dict[str, Any] | None:
    """Return the columns of a decision or of a second look; None when it is neither.

    A decision has its matches under ``matches``, a look all that was found under ``look``.
    """
    record = record_of(line + b"\n")
    if record is None:
        return None
    identity, at = clean(record["id"], _ID_CHARACTERS), _moment(record.get("time"))
    if not identity or at is None:
        return None
    if record.get("event") == EVENT:
        look = _look(looked(record))
        return {**_columns(LookRow, {**record, **look}), "id": identity, "at": at, "look": look}
    if record.get("decision") not in (BLOCK, REPORT, PASS):
        return None
    counts = record.get("counts")
    counts = counts if isinstance(counts, dict) else {}
    return {
        **_columns(DecisionRow, {**record, **counts}),
        "id": identity,
        "at": at,
        "day": at.date().isoformat(),
        "found": _whole(counts.get("matches")),
        "notes": [clean(note, _LONGEST) for note in _list(record, "notes")],
        "judge": _judge(record.get(JUDGE)),
        "matches": [
            {**_columns(DecisionMatch, one), "position": position}
            for position, one in enumerate(_list(record, "matches"))
            if isinstance(one, dict)
        ],
    }


def clean(value: object, length: int) -> str:
    """Return a text as a database takes it; "" for what is none."""
    if not isinstance(value, str):
        return ""
    return value[:length].replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def cleaned(value: Any) -> Any:
    """Return a document with texts as a database takes them."""
    if isinstance(value, str):
        return clean(value, len(value))
    if isinstance(value, dict):
        return {clean(str(key), len(str(key))): cleaned(one) for key, one in value.items()}
    return [cleaned(one) for one in value] if isinstance(value, list | tuple) else value


def _judge(entry: object) -> dict[str, Any] | None:
    """Return what a judge said; None when it was not asked."""
    if not isinstance(entry, dict):
        return None
    statements = [_said(one) for one in _list(entry, "statements") if isinstance(one, dict)]
    return {**_judge_columns(entry), "statements": statements}


def _judge_columns(entry: Mapping[str, Any]) -> dict[str, Any]:
    cost = entry.get("cost")
    return {
        **{name: clean(entry.get(name), _ID_CHARACTERS) for name in _JUDGE_TEXTS},
        **{name: _whole(entry.get(name)) for name in _JUDGE_NUMBERS},
        "cost": None if cost is None else _number(cost),
        "milliseconds": _number(entry.get("milliseconds")),
        "cached": entry.get("cached") is True,
    }


def _look(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a second look found, and what came of it."""
    found = [one for one in _list(entry, "statements") if isinstance(one, dict)]
    return {
        **_judge_columns(entry),
        **{name: clean(entry.get(name), _LONGEST) for name in _LOOK_TEXTS},
        "statements": [
            {**_said(one), **{name: clean(one.get(name), 200) for name in _FOUND_TEXTS}}
            for one in found
        ],
    }


def _said(one: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: clean(one.get(name), length) for name, length in _SAID_TEXTS.items()}
    return {**texts, **{name: _whole(one.get(name)) for name in _SAID_NUMBERS}}


def _columns(table: type[Base], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts and numbers of ``given`` that a table has columns for."""
    values: dict[str, Any] = {}
    for column in table.__table__.columns:
        if column.foreign_keys:
            continue
        if isinstance(column.type, String):
            values[column.name] = clean(given.get(column.name), column.type.length or _LONGEST)
        elif isinstance(column.type, Integer):
            values[column.name] = _whole(given.get(column.name))
        elif isinstance(column.type, Float):
            values[column.name] = _number(given.get(column.name))
    return values


def _list(record: Mapping[str, Any], key: str) -> list[Any]:
    value = record.get(key)
    return value if isinstance(value, list) else []


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return moment.astimezone(UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        return 0
    return max(-_LARGEST, min(_LARGEST, value))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        exact = float(value)
    except OverflowError:
        return 0.0
    return exact if isfinite(exact) else 0.0


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
