"""Migrations: every revision up and down, again, and on top of what users have made."""

from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from groundwire.config.choices import KEY
from groundwire.config.profiles import CONFIG_NAME, PROFILES
from groundwire.errors import StoreError
from groundwire_admin.store import configs, history
from groundwire_admin.store.database import Store
from groundwire_admin.store.migrate import downgrade, require_current, revisions, upgrade
from groundwire_admin.store.tables import AgentConfig, Base
from tests.admin.databases import at_once

REVISIONS = revisions()
#: The tables that a revision adds.
ADDED = {
    "001": {"agent_configs", "options", "history"},
    "002": {"prompts"},
    "003": {"decisions", "decision_matches", "log_files"},
    "004": {"judgements", "cached_answers", "feedback", "assignments"},
    "009": {"looks"},
}


def tables_of(store: Store) -> set[str]:
    return set(inspect(store.engine).get_table_names()) - {"alembic_version"}


@pytest.mark.parametrize("revision", REVISIONS)
def test_up_and_down_from_every_revision(empty_store: Store, revision: str) -> None:
    tables = {name for one, names in ADDED.items() if one <= revision for name in names}
    assert upgrade(empty_store, revision) == (None, revision)
    assert tables_of(empty_store) == tables
    assert upgrade(empty_store) == (revision, REVISIONS[-1])
    assert downgrade(empty_store, revision) == (REVISIONS[-1], revision)
    assert tables_of(empty_store) == tables
    assert downgrade(empty_store, "base") == (revision, None)
    assert tables_of(empty_store) == set()
    assert upgrade(empty_store) == (None, REVISIONS[-1])


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


def test_what_a_user_made_before_stands(empty_store: Store) -> None:
    upgrade(empty_store, "004")
    mine = {"confidence_calculation": {"method": "llm"}, "other": 1}
    common: dict[str, Any] = {"name": CONFIG_NAME, "active": True, "version": 4}
    common |= {"updated_at": history.now(), "updated_by": "ann"}
    made = {("production", "mine"): mine, ("staging", "staging"): {"other": 2}}
    with empty_store.write() as session:
        for (environment, profile), config in made.items():
            names = {"environment": environment, "profile": profile}
            session.add(AgentConfig(**common, **names, config=config))
    upgrade(empty_store)
    with empty_store.read() as session:
        rows = {(row.environment, row.profile): row for row in configs.profiles(session)}
    assert (rows["production", "mine"].config, rows["production", "mine"].active) == (mine, True)
    assert not rows["production", "production"].active
    staging = rows["staging", "staging"]
    assert staging.config == {"other": 2, KEY: PROFILES[0].config.document()}
    assert staging.version == 5


def test_an_older_database_asks_for_the_migration(empty_store: Store) -> None:
    with pytest.raises(StoreError, match="at revision none, 009 needed: run groundwire db migrate"):
        require_current(empty_store)
    upgrade(empty_store, "003")
    with pytest.raises(StoreError, match="at revision 003, 009 needed"):
        require_current(empty_store)


def test_several_at_once(empty_store: Store) -> None:
    """Every server of a team may be started at the same moment."""
    outcomes = at_once(4, lambda _: upgrade(empty_store))
    assert sorted(map(str, outcomes)) == [str(("009", "009"))] * 3 + [str((None, "009"))]


def test_a_migration_that_fails_leaves_nothing(empty_store: Store) -> None:
    with empty_store.write() as session:
        session.execute(text("CREATE TABLE prompts (id INTEGER)"))
    with pytest.raises(StoreError, match="prompts"):
        upgrade(empty_store)
    assert tables_of(empty_store) == {"prompts"}
