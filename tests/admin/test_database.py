"""Opening databases: private files, transactions, errors without secrets, several processes."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.base.errors import ConflictError
from groundwire_server.admin.service.prompts import Prompts
from groundwire_server.admin.store import history, options
from groundwire_server.admin.store.database import Store, database_url, open_store, upgrade
from tests.admin.databases import at_once
from tests.support.tables import rows
from tests.support.together import ends, together


def test_the_default_is_a_private_file_in_the_state_folder(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store = open_store(None, {"HOME": str(tmp_path)})
        upgrade(store)
        with store.write() as session:
            options.save(session, "x", {"a": 1}, version=0, who="ann")
            # beside it while it is open: what SQLite writes before it writes into the file
            modes = {
                path.name: stat.S_IMODE(path.stat().st_mode)
                for path in (tmp_path / ".local/state/groundwire").iterdir()
            }
        store.close()
    finally:
        os.umask(old)
    assert set(modes.values()) == {0o600}
    assert {"groundwire.db", "groundwire.db-wal"} <= set(modes)
    assert stat.S_IMODE((tmp_path / ".local/state/groundwire").stat().st_mode) == 0o700


def url(given: str | None, env: dict[str, str]) -> tuple[str, str | None]:
    found = database_url(given, env)
    return found.drivername, found.database


test_urls = rows(__file__, urls=url)


def test_all_or_nothing(store: Store) -> None:
    def half() -> None:
        with store.write() as session:
            options.save(session, "x", {"a": 1}, version=0, who="ann")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    with store.read() as session:
        assert options.option(session, "x") is None
        assert history.changes(session, history.OPTION) == []


WRITER = """
import sys
from groundwire.base.errors import ConflictError
from groundwire_server.admin.store import options
from groundwire_server.admin.store.database import open_store
store = open_store(sys.argv[1], {})
sys.stdout.write("ready\\n"); sys.stdout.flush(); sys.stdin.readline()
refused = 0
for _ in range(20):
    while True:
        with store.read() as session:
            row = options.option(session, "counter")
            value, version = (row.value["n"], row.version) if row else (0, 0)
        try:
            with store.write() as session:
                options.save(session, "counter", {"n": value + 1}, version=version, who="w")
            break
        except ConflictError:
            refused += 1
store.close()
print(refused)
"""


def test_processes_that_count_together_lose_nothing(store: Store, database_url: str) -> None:
    """Read, add one, save if nobody was faster, else again: 4 times 20 is 80."""
    with together(*[[sys.executable, "-c", WRITER, database_url]] * 4) as running:
        assert [code for *_, code in ends(running)] == [0] * 4
    with store.read() as session:
        row = options.option(session, "counter")
        assert row is not None
        assert (row.value, row.version) == ({"n": 80}, 80)


def test_a_killed_writer_leaves_nothing_behind(store: Store, database_url: str) -> None:
    program = (
        "import os, sys\n"
        "from groundwire_server.admin.store import options\n"
        "from groundwire_server.admin.store.database import open_store\n"
        "with open_store(sys.argv[1], {}).write() as session:\n"
        "    options.save(session, 'x', {'a': 1}, version=0, who='w')\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, database_url], check=False)
    assert done.returncode == -9
    with store.write() as session:
        assert options.option(session, "x") is None
        options.save(session, "x", {"a": 2}, version=0, who="ann")


def test_versions_made_at_once_have_different_numbers(store: Store) -> None:
    prompts = Prompts(store)
    made = at_once(5, lambda number: prompts.create(f"{number}", who="ann", activate=True).active)
    count = made.count(True)
    assert count
    assert made.count(ConflictError) == 5 - count
    versions = prompts.versions()
    assert [one.version for one in versions] == list(range(count + 1, 0, -1))
    assert sum(one.active for one in versions) == 1
