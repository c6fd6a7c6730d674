"""Configurations, prompts, models and prices through the service."""

from typing import Any

import pytest
from sqlalchemy import text

from groundwire.config.calculation import ConfidenceCalculationConfig
from groundwire.config.choices import KEY
from groundwire.errors import ConflictError, StoreError
from groundwire_admin.service.configuration import Configurations
from groundwire_admin.service.prompts import Prompts
from groundwire_admin.store.database import Store
from tests.admin.databases import at_once


def part(**values: Any) -> dict[str, Any]:
    return {KEY: values}


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


def test_versions_made_at_once_have_different_numbers(store: Store) -> None:
    prompts = Prompts(store)

    def make(number: int) -> bool:
        return prompts.create(f"text {number}", who="ann", activate=True).active

    made = [one for one in at_once(5, make) if one is not ConflictError]
    assert made
    assert all(made)
    versions = prompts.versions()
    assert [one.version for one in versions] == list(range(len(made) + 1, 0, -1))
    assert sum(one.active for one in versions) == 1
