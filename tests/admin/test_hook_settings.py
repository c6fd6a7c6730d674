"""admin.toml through the facade, and what the next command hook makes of it."""

import tomllib
from pathlib import Path

import pytest

from groundwire.base.errors import ConflictError, StoreError
from groundwire_server.admin.service import Admin
from groundwire_server.admin.service.consequences import count, kept_turns
from tests.admin.databases import at_once
from tests.admin.logs import a_record, write
from tests.conftest import Hook
from tests.support.tables import tables

TABLES = tables(__file__)


@pytest.fixture
def path(hook: Hook) -> Path:
    return hook.home / ".config/groundwire/admin.toml"


def test_what_other_thresholds_would_have_done(admin: Admin, hook: Hook) -> None:
    write(hook.state, *(a_record(at, **turn) for at, turn in enumerate(TABLES["turns"])))
    admin.decisions.take_in()
    turns, limits = kept_turns(admin.store), admin.hook.get().settings["thresholds"]
    for changes, mode, expected in TABLES["counts"]:
        found = count(turns, limits | changes, mode)
        assert (found.turns, found.stopped, found.reported) == (6, *expected), (changes, mode)


def test_of_many_at_once_exactly_one_wins_and_readers_see_whole_files(
    admin: Admin, path: Path
) -> None:
    version = admin.hook.save({"thresholds": {"report": 50}}, who="ann").version
    read: list[int] = []

    def act(number: int) -> str:
        if number:
            admin.hook.save({"thresholds": {"report": number}}, who="ann", version=version)
            return "saved"
        while len(read) < 200:
            read.append(tomllib.loads(path.read_text())["thresholds"]["report"])
        return "read"

    assert sorted(map(str, at_once(7, act))) == [str(ConflictError)] * 5 + ["read", "saved"]


def test_folders_that_cannot_be_used_are_told(admin: Admin, path: Path) -> None:
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    path.parent.write_text("a file where the folder should be")
    with pytest.raises(StoreError, match=r"admin\.lock"):
        admin.hook.save({"mode": "report"}, who="ann")
    with pytest.raises(StoreError, match="HOME is not set"):
        Admin(admin.store, {}).hook.get()


def test_a_foreign_address_of_the_judge_counts_when_the_users_own_file_names_it(
    admin: Admin, path: Path
) -> None:
    path.parent.mkdir(parents=True)
    path.write_text('[judge]\nwhen = "always"\nbase_url = "https://llm.example/v1"\n')
    judge = admin.hook.get().settings["judge"]
    assert (judge["when"], judge["base_url"]) == ("off", "")
    path.with_name("config.toml").write_text('[judge]\nbase_url = "https://llm.example/v1"\n')
    assert admin.hook.get().settings["judge"]["when"] == "always"
