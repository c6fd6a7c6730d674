"""Taking in the decision log: once, in parts, across rotation, whatever stands in it."""

import json
from pathlib import Path

from sqlalchemy import select

from groundwire.base.settings import Log
from groundwire.hook.log import append
from groundwire_server.admin.store.database import Store
from groundwire_server.admin.store.log_rows import Taken, take_in
from groundwire_server.admin.store.tables import DecisionRow
from tests.admin.databases import at_once
from tests.admin.logs import a_record, write
from tests.support.tables import tables

TABLES = tables(__file__)


def ids(store: Store) -> list[int]:
    with store.read() as session:
        rows = session.scalars(select(DecisionRow.id).order_by(DecisionRow.id))
        return [int(identity.partition("-")[0], 16) for identity in rows]


def test_a_line_that_is_being_written_waits(store: Store, tmp_path: Path) -> None:
    for number in (1, 3):  # behind another one, and as the first one of a file
        folder, line = tmp_path / str(number), json.dumps(a_record(number)).encode() + b"\n"
        begun = [a_record(number + 1)] if number == 1 else []
        write(folder, *begun, line[:30])
        assert take_in(store, str(folder)).added == len(begun)
        write(folder, line[30:])
        assert take_in(store, str(folder)) == Taken(1, 0, ())
    assert ids(store) == [1, 2, 3]


def test_rotation_loses_and_doubles_nothing(store: Store, tmp_path: Path) -> None:
    added = 0
    for number in range(40):
        assert append(str(tmp_path), a_record(number), Log(max_bytes=600, keep=50)) == ""
        if number % 7 == 0:
            added += take_in(store, str(tmp_path)).added
    assert (tmp_path / "decisions.3.jsonl").exists()
    added += take_in(store, str(tmp_path)).added
    assert (added, ids(store)) == (40, list(range(40)))


def test_what_is_no_record_is_counted(store: Store, tmp_path: Path) -> None:
    for number, bad in enumerate(TABLES["no_record"]):
        data = bad.encode("latin-1") + b"\n"
        write(tmp_path, a_record(2 * number), data, a_record(2 * number + 1))
        assert take_in(store, str(tmp_path)) == Taken(2, 1, ()), bad


def test_whatever_stands_in_a_line_fits(store: Store, tmp_path: Path) -> None:
    for number, fields in enumerate(TABLES["hostile"]):
        write(tmp_path, {**a_record(number), **json.loads(fields)})
        assert take_in(store, str(tmp_path)) == Taken(1, 0, ()), fields
    assert len(ids(store)) == len(TABLES["hostile"])


def test_several_servers_at_once(store: Store, tmp_path: Path) -> None:
    write(tmp_path, *map(a_record, range(300)))
    outcomes = at_once(4, lambda _: take_in(store, str(tmp_path)).added)
    assert sorted(map(str, outcomes)) == ["0", "0", "0", "300"]
    assert ids(store) == list(range(300))
