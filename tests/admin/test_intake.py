"""Taking in the decision log: once, in parts, across rotation, whatever stands in it."""

from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from groundwire.settings import Log
from groundwire_admin.store.database import Store
from groundwire_admin.store.intake import Taken, take_in
from groundwire_admin.store.tables import DecisionRow
from tests.admin.databases import at_once
from tests.admin.logs import a_match, a_record, line, write, write_raw


def ids(store: Store) -> list[int]:
    with store.read() as session:
        rows = session.scalars(select(DecisionRow.id).order_by(DecisionRow.id))
        return [int(identity.partition("-")[0], 16) for identity in rows]


def count(store: Store, table: Any) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(table)) or 0


def test_all_of_a_line_is_kept(store: Store, tmp_path: Path) -> None:
    matches = [a_match(), a_match(offset=40, kind="causality_language", verdict="unsupported")]
    record = a_record(3, matches=matches, decision="block", notes=["a", "b"], why="so")
    write(tmp_path, record)
    assert take_in(store, str(tmp_path)) == Taken(1, 0, ())
    with store.read() as session:
        row = session.get_one(DecisionRow, record["id"])
        assert row.at.isoformat() == "2026-11-01T00:03:00+00:00"
        assert row.day == "2026-11-01"
        for name in ("version", "event", "session", "message_id", "transcript", "decision", "why"):
            assert getattr(row, name) == record[name]
        assert (row.found, row.notes, row.milliseconds) == (2, ["a", "b"], 23.0)
        kept = [{name: getattr(match, name) for name in matches[0]} for match in row.matches]
        assert kept == matches


def test_a_line_that_is_being_written_waits(store: Store, tmp_path: Path) -> None:
    whole = line(a_record(2))
    write_raw(tmp_path, line(a_record(1)) + whole[:30])
    assert take_in(store, str(tmp_path)).added == 1
    write_raw(tmp_path, whole[30:])
    assert take_in(store, str(tmp_path)) == Taken(1, 0, ())
    assert ids(store) == [1, 2]
    other, first = tmp_path / "other", line(a_record(3))  # a file's first line
    write_raw(other, first[:30])
    assert take_in(store, str(other)) == Taken(0, 0, ())
    write_raw(other, first[30:])
    assert take_in(store, str(other)) == Taken(1, 0, ())


def test_rotation_loses_and_doubles_nothing(store: Store, tmp_path: Path) -> None:
    small = Log(max_bytes=3_000, keep=50)
    added = 0
    for number in range(40):
        write(tmp_path, a_record(number), settings=small)
        if number % 7 == 0:
            added += take_in(store, str(tmp_path)).added
    assert (tmp_path / "decisions.3.jsonl").exists()
    added += take_in(store, str(tmp_path)).added
    assert (added, ids(store)) == (40, list(range(40)))


BAD = [
    ("torn", b'{"id": "x"\n'),
    ("empty", b"\n"),
    ("not an object", b"[1]\n"),
    ("no decision", line({"id": "x", "time": "2026-11-01T00:00:00Z"})),
    ("unknown decision", line(a_record(5, decision="maybe"))),
    ("no time", line(a_record(5, time=None))),
    ("time without zone", line(a_record(5, time="2026-11-01T00:00:00"))),
    ("time beyond all", line(a_record(5, time="0001-01-01T00:00:00+23:59"))),
    ("no id", line(a_record(5, id=""))),
    ("id of another type", line(a_record(5, id=3))),
    ("not UTF-8", b'{"id": "\xff"}\n'),
]


def test_what_is_no_record_is_counted(store: Store, tmp_path: Path) -> None:
    for number, (name, bad) in enumerate(BAD):
        write_raw(
            tmp_path, line(a_record(2 * number + 100)) + bad + line(a_record(2 * number + 101))
        )
        assert take_in(store, str(tmp_path)) == Taken(2, 1, ()), name


HOSTILE: list[dict[str, Any]] = [
    {"session": "a\0b"},
    {"why": "half \ud800 of a pair"},
    {"transcript": "/" + "x" * 5_000},
    {"agent_type": 7, "message_id": None, "notes": "none", "counts": [], "milliseconds": "fast"},
    {"milliseconds": 10**400, "counts": {"matches": 10**30, "blocking": True}},
    {"notes": [1, "a\0", None]},
    {"matches": [a_match(evidence="\0\udfff", offset=-(10**20), confidence="high"), 3, None]},
    {"matches": [{}]},
    {"matches": {}},
    {"id": "i" * 500},
]


def test_whatever_stands_in_a_line_fits(store: Store, tmp_path: Path) -> None:
    for number, fields in enumerate(HOSTILE):
        write_raw(tmp_path, line(a_record(number, **fields)))
        assert take_in(store, str(tmp_path)) == Taken(1, 0, ()), fields
    assert count(store, DecisionRow) == len(HOSTILE)


def test_several_servers_at_once(store: Store, tmp_path: Path) -> None:
    write_raw(tmp_path, b"".join(line(a_record(number)) for number in range(300)))
    outcomes = at_once(4, lambda _: take_in(store, str(tmp_path)).added)
    assert sorted(map(str, outcomes)) == ["0", "0", "0", "300"]
    assert ids(store) == list(range(300))


def test_a_planted_link_is_told_and_not_followed(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    write(folder, a_record(1))
    (folder / "decisions.1.jsonl").symlink_to(folder / "decisions.jsonl")
    taken = take_in(store, str(folder))
    assert taken.added == 1
    assert "decisions.1.jsonl is a symbolic link" in taken.problems[0]
