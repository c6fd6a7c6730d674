"""Migrations: up and down, several at once, and what another revision is told."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from groundwire.base.errors import StoreError
from groundwire.settings.choices import KEY
from groundwire_confidence.calculation import PROFILES
from groundwire_server.admin.store import configs
from groundwire_server.admin.store.database import Store, downgrade, require_current, upgrade
from groundwire_server.admin.store.tables import Base
from tests.admin.databases import at_once


def tables_of(store: Store) -> set[str]:
    return set(inspect(store.engine).get_table_names()) - {"alembic_version"}


def test_up_and_down(empty_store: Store) -> None:
    assert upgrade(empty_store) == (None, "010")
    assert tables_of(empty_store) == set(Base.metadata.tables)
    assert downgrade(empty_store, "base") == ("010", None)
    assert tables_of(empty_store) == set()
    assert upgrade(empty_store) == (None, "010")


def test_the_newest_revision_has_the_tables_of_the_models(store: Store) -> None:
    with store.read() as session:
        context = MigrationContext.configure(session.connection(), opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_the_six_profiles(store: Store) -> None:
    with store.read() as session:
        rows = configs.profiles(session)
        found = {(row.environment, row.profile): (row.active, row.config) for row in rows}
    wanted = {
        (one.environment, one.name): (one.initial, {KEY: one.config.document()}) for one in PROFILES
    }
    assert found == wanted
    assert len(found) == 6
    with store.read() as session:  # R002-23: behaviour is unchanged
        assert configs.look_up(session, "somewhere").config[KEY]["method"] == "formula"
    columns = inspect(store.engine).get_columns("agent_configs")
    comment = next(column.get("comment") for column in columns if column["name"] == "config")
    # SQLite has no comments
    assert comment is None if store.is_file else "confidence_calculation" in str(comment)


def test_a_database_at_another_revision_says_what_to_do(empty_store: Store) -> None:
    with pytest.raises(StoreError, match="at revision none, 010 needed: run groundwire db migrate"):
        require_current(empty_store)
    upgrade(empty_store)
    for at, told in (("004", "older than any release .009.: move it away"), ("011", "newer")):
        with empty_store.write() as session:
            session.execute(text(f"UPDATE alembic_version SET version_num = '{at}'"))
        for act in (require_current, upgrade):
            with pytest.raises(StoreError, match=f"at revision {at}, .*{told}"):
                act(empty_store)


def test_several_at_once(empty_store: Store) -> None:
    """Every server of a team may be started at the same moment."""
    outcomes = at_once(4, lambda _: upgrade(empty_store))
    assert sorted(map(str, outcomes)) == [str(("010", "010"))] * 3 + [str((None, "010"))]


def test_a_migration_that_fails_leaves_nothing(empty_store: Store) -> None:
    with empty_store.write() as session:
        session.execute(text("CREATE TABLE prompts (id INTEGER)"))
    with pytest.raises(StoreError, match="prompts"):
        upgrade(empty_store)
    assert tables_of(empty_store) == {"prompts"}
