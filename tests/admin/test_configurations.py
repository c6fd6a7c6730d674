"""Configurations, prompts, models and prices through the service."""

from typing import Any

import pytest
from sqlalchemy import text

from groundwire.config.calculation import ConfidenceCalculationConfig, LLMConfidenceSettings
from groundwire.config.choices import KEY
from groundwire.errors import ConflictError, StoreError
from groundwire_admin.service.configuration import Configurations
from groundwire_admin.service.prompts import Prompts
from groundwire_admin.store.database import Store
from tests.admin.databases import at_once
from tests.support.tables import tables


@pytest.fixture
def configurations(store: Store) -> Configurations:
    return Configurations(store)


def part(**values: Any) -> dict[str, Any]:
    return {KEY: values}


HOLDS = tables(__file__)["holds"]


def test_what_holds_in_an_environment(configurations: Configurations) -> None:
    assert configurations.environments() == ["all", "development", "production", "uat"]
    for environment, profile, method, source in HOLDS:
        view = configurations.get(environment, profile)
        assert (view.config[KEY]["method"], view.source, view.problems) == (method, source, [])
        assert view.environment == environment.lower()
        assert view.version == (1 if source == environment.lower() else 0)


def test_rows_are_made_by_their_first_change(configurations: Configurations) -> None:
    where: dict[str, Any] = {"who": "ann", "environment": "staging", "version": 0}
    assert configurations.get("staging").version == 0
    view = configurations.save(part(method="llm"), **where)
    assert (view.source, view.profile) == ("staging", "staging")
    assert (view.active, view.version) == (True, 1)
    with pytest.raises(ConflictError):
        configurations.save(part(method="hybrid"), **where)
    with pytest.raises(ConflictError, match="there is no row"):
        configurations.save(part(method="hybrid"), who="ann", environment="test", version=3)
    where = {"environment": "production", "profile": "trial"}
    trial = configurations.save(part(method="llm"), who="ann", **where)  # begins as what holds
    assert (trial.active, trial.version) == (False, 1)
    assert trial.config[KEY]["llm_settings"]["timeout_ms"] == 1500
    assert configurations.get("production").profile == "production"


def test_a_stored_document_that_is_not_valid_counts_as_the_defaults(store: Store) -> None:
    configurations = Configurations(store)
    with store.write() as session:
        session.execute(
            text("UPDATE agent_configs SET config = :c WHERE environment = 'all'"),
            {"c": '{"confidence_calculation": {"method": "magic"}}'},
        )
    config, problems = configurations.calculation()
    assert config == ConfidenceCalculationConfig()
    assert problems == ['method: value "magic": formula or llm or hybrid']
    view = configurations.save(part(method="llm"), who="ann")
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


@pytest.fixture
def prompts(store: Store) -> Prompts:
    return Prompts(store)


def test_versions_made_at_once_have_different_numbers(prompts: Prompts) -> None:
    def make(number: int) -> bool:
        return prompts.create(f"text {number}", who="ann", activate=True).active

    made = [one for one in at_once(5, make) if one is not ConflictError]
    assert made
    assert all(made)
    versions = prompts.versions()
    assert [one.version for one in versions] == list(range(len(made) + 1, 0, -1))
    assert sum(one.active for one in versions) == 1


def config(method: Any, model: str) -> ConfidenceCalculationConfig:
    judge = LLMConfidenceSettings(provider="openai", model=model)
    return ConfidenceCalculationConfig(method=method, llm_settings=judge)
