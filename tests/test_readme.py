"""The settings that README shows are the shipped ones."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.lexicon.weights import feature_table, load_model
from groundwire.settings import SHIPPED

README = Path(__file__).parents[1] / "README.md"


def shown() -> dict[str, dict[str, object]]:
    blocks = README.read_text(encoding="utf-8").split("```toml\n")[1:]
    return tomllib.loads(next(block for block in blocks if "[thresholds]" in block).split("```")[0])


@pytest.mark.parametrize("table", ["thresholds", "weights", "strengths", "context"])
def test_the_settings_of_the_readme_are_the_shipped_ones(table: str) -> None:
    record = getattr(SHIPPED, table)
    assert shown()[table] == {name: getattr(record, name) for name in type(record)._fields}


def test_the_features_of_the_readme_are_those_of_the_model() -> None:
    assert feature_table(load_model()) in README.read_text(encoding="utf-8")
