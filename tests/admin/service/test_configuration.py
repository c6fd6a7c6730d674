"""Configurations through the facade: fall-back, merge, locking, history, restore."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import text

from groundwire.config.calculation import ConfidenceCalculationConfig
from groundwire.config.choices import KEY
from groundwire.config.profiles import PROFILES
from groundwire.errors import ConfigError, ConflictError, NotFoundError, StoreError
from groundwire_admin.service.configuration import Configurations
from groundwire_admin.store.database import Store

WHO = "ann"


@pytest.fixture
def configurations(store: Store) -> Configurations:
    return Configurations(store)


def part(**values: Any) -> dict[str, Any]:
    return {KEY: values}


def test_the_environments(configurations: Configurations) -> None:
    assert configurations.environments() == ["all", "development", "production", "uat"]


@pytest.mark.parametrize(
    ("environment", "profile", "method", "source"),
    [
        ("all", "", "formula", "all"),
        ("development", "", "hybrid", "development"),
        ("Development", "development-claude", "hybrid", "development"),
        ("UAT", "", "hybrid", "uat"),
        ("production", "", "formula", "production"),
        ("production", "production-validated", "hybrid", "production"),
        ("staging", "", "formula", "all"),
    ],
)
def test_what_holds_in_an_environment(
    configurations: Configurations, environment: str, profile: str, method: str, source: str
) -> None:
    view = configurations.get(environment, profile)
    assert (view.config[KEY]["method"], view.source) == (method, source)
    assert view.environment == environment.lower()
    assert view.version == (1 if source == environment.lower() else 0)
    assert view.problems == []


def test_a_part_is_merged_and_the_whole_is_kept(configurations: Configurations) -> None:
    """A002-10: the example of R002-24 omits formula_weights."""
    changes = part(method="hybrid", hybrid_settings={"formula_weight": 0.7, "llm_weight": 0.3})
    view = configurations.save(changes, who=WHO, environment="production", version=1)
    before = next(one for one in PROFILES if one.name == "production").config.document()
    assert view.config == {KEY: {**before, **changes[KEY]}}
    assert (view.version, view.updated_by) == (2, WHO)
    assert configurations.get("production").config == view.config
    assert configurations.get("all").config[KEY]["method"] == "formula"


def test_a_lost_update_is_refused(configurations: Configurations) -> None:
    configurations.save(part(method="llm"), who="ann", version=1)
    with pytest.raises(ConflictError, match=r"all/default: version 1 .* version 2, by ann"):
        configurations.save(part(method="hybrid"), who="bob", version=1)
    assert configurations.get().config[KEY]["method"] == "llm"
    assert len(configurations.history("all")) == 2


def test_of_many_at_once_exactly_one_wins(configurations: Configurations) -> None:
    outcomes: list[str] = []
    barrier = threading.Barrier(6)

    def change(number: int) -> None:
        barrier.wait()
        try:
            configurations.save(
                part(llm_settings={"timeout_ms": 1000 + number}), who=f"p{number}", version=1
            )
            outcomes.append(f"p{number}")
        except ConflictError:
            outcomes.append("")

    threads = [threading.Thread(target=change, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [name for name in outcomes if name]
    view = configurations.get()
    assert (len(outcomes), len(winners)) == (6, 1)
    assert (view.version, view.updated_by) == (2, winners[0])
    assert len(configurations.history("all")) == 2


def test_the_first_change_of_an_environment_makes_its_row(configurations: Configurations) -> None:
    assert configurations.get("staging").version == 0
    view = configurations.save(part(method="llm"), who=WHO, environment="staging", version=0)
    assert (view.source, view.profile, view.active, view.version) == (
        *("staging", "staging"),
        *(True, 1),
    )
    with pytest.raises(ConflictError):
        configurations.save(part(method="hybrid"), who=WHO, environment="staging", version=0)
    with pytest.raises(ConflictError, match="there is no row"):
        configurations.save(part(method="hybrid"), who=WHO, environment="test", version=3)


def test_a_new_profile_begins_as_what_holds(configurations: Configurations) -> None:
    view = configurations.save(
        part(method="llm"), who=WHO, environment="production", profile="trial"
    )
    assert (view.active, view.version) == (False, 1)
    assert view.config[KEY]["llm_settings"]["timeout_ms"] == 1500
    assert configurations.get("production").profile == "production"


def test_another_profile_is_activated(configurations: Configurations) -> None:
    view = configurations.activate("production", "production-validated", who=WHO, version=1)
    assert (view.active, view.version) == (True, 2)
    active = [one.profile for one in configurations.profiles("production") if one.active]
    assert active == ["production-validated"]
    assert configurations.get("production").config[KEY]["method"] == "hybrid"
    change = configurations.history("production", "production-validated")[0]
    assert (change.action, change.before, change.after) == (
        "activate",
        {"active": "production"},
        {"active": "production-validated"},
    )
    with pytest.raises(ConflictError):
        configurations.activate("production", "production", who=WHO, version=1)
    with pytest.raises(ConfigError, match="holds no configuration"):
        configurations.restore(change.id, who=WHO)


def test_the_history_says_who_changed_what(configurations: Configurations) -> None:
    configurations.save(part(method="llm"), who="ann")
    configurations.save(part(method="hybrid"), who="bob")
    rows = configurations.history("all")
    assert [(row.who, row.action, row.version) for row in rows] == [
        ("bob", "save", 3),
        ("ann", "save", 2),
        ("migration 005", "create", 1),
    ]
    for newer, older in pairwise(rows):
        assert newer.before == older.after
    assert rows[-1].before is None
    assert configurations.history("all", limit=1, below=rows[0].id) == [rows[1]]
    assert len(configurations.history()) == 8


def test_an_old_document_is_put_back_as_a_change(configurations: Configurations) -> None:
    first = configurations.history("all")[0]
    configurations.save(part(method="llm"), who="ann")
    with pytest.raises(ConflictError):
        configurations.restore(first.id, who="bob", version=1)
    view = configurations.restore(first.id, who="bob", version=2)
    assert (view.config, view.version) == (first.after, 3)
    newest = configurations.history("all")[0]
    assert (newest.action, newest.restored, newest.who) == ("restore", first.id, "bob")


REFUSED = [
    ({"x": 1}, "config: x: unknown key: allowed: confidence_calculation"),
    ({}, "config: confidence_calculation: value null: allowed: an object"),
    ({KEY: 3}, "config: confidence_calculation: value 3: allowed: an object"),
    (part(metod="llm"), "metod: unknown key: allowed: method"),
    (part(method="magic"), 'method: value "magic": formula or llm or hybrid'),
    (part(llm_settings={"temperature": 3}), "llm_settings.temperature: value 3"),
    (part(llm_settings={"timeout_ms": "fast"}), "whole number from 1"),
    (part(llm_settings={"provider": "acme"}), "openai or anthropic or azure"),
    (part(hybrid_settings={"formula_weight": 0.7}), r"0.7 \+ llm_weight 0.4 = 1.1"),
    (part(formula_weights={"similarity": 1}), "allowed: weights that sum to 1"),
    (part(formula_weights=None), "value null: an object"),
]


@pytest.mark.parametrize(("changes", "said"), REFUSED)
def test_what_is_not_allowed_is_named_and_nothing_changes(
    configurations: Configurations, changes: dict[str, Any], said: str
) -> None:
    before = configurations.get()
    with pytest.raises(ConfigError, match=said):
        configurations.save(changes, who=WHO, version=1)
    assert configurations.get() == before


def test_all_problems_at_once(configurations: Configurations) -> None:
    changes = part(method="magic", llm_settings={"temperature": 3, "max_tokens": 0})
    with pytest.raises(ConfigError) as caught:
        configurations.save(changes, who=WHO)
    assert len(str(caught.value).splitlines()) == 3


@pytest.mark.parametrize("name", ["", "a b", "ä", "x" * 41, "../x", "a/b", "a\0b"])
def test_names_that_are_not_allowed(configurations: Configurations, name: str) -> None:
    with pytest.raises(ConfigError, match="environment: value"):
        configurations.get(name)
    with pytest.raises(ConfigError, match="profile: value"):
        configurations.activate("all", name, who=WHO)


def test_a_profile_that_is_not_there(configurations: Configurations) -> None:
    with pytest.raises(NotFoundError, match=r"all/x: does not exist: allowed: all/default, dev"):
        configurations.get("all", "x")
    with pytest.raises(NotFoundError, match="history: 999"):
        configurations.restore(999, who=WHO)


def test_a_stored_document_that_is_not_valid_counts_as_the_defaults(
    configurations: Configurations, store: Store
) -> None:
    with store.write() as session:
        session.execute(
            text("UPDATE agent_configs SET config = :c WHERE environment = 'all'"),
            {"c": '{"confidence_calculation": {"method": "magic"}}'},
        )
    config, problems = configurations.calculation()
    assert config == ConfidenceCalculationConfig()
    assert problems == ['method: value "magic": formula or llm or hybrid']
    view = configurations.save(part(method="llm"), who=WHO)
    assert view.config[KEY] == ConfidenceCalculationConfig(method="llm").document()


def test_a_database_that_is_gone_is_told_without_what_was_asked(store: Store) -> None:
    with store.write() as session:
        session.execute(text("DROP TABLE agent_configs"))
    with pytest.raises(StoreError) as caught:
        Configurations(store).get()
    said = str(caught.value)
    assert store.shown in said
    assert "SELECT" not in said
    assert "agent_configs" in said
