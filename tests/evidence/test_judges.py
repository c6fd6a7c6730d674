"""The table that names the judge of each sort of claim."""

from __future__ import annotations

import importlib
import inspect

import pytest

from groundwire.evidence.message.claims import ABSENCE, FIGURES, GIT, PLAIN_CAUSES
from groundwire.evidence.verdict import JUDGES
from groundwire.rules import marker_of, shipped_rules


@pytest.mark.parametrize("sort", JUDGES)
def test_each_row_names_a_function_that_takes_claim_and_facts(sort: str) -> None:
    module, function = JUDGES[sort]
    found = getattr(importlib.import_module(f"groundwire.evidence.{module}"), function)
    parameters = inspect.signature(found).parameters
    assert [name.lstrip("_") for name in parameters] == ["claim", "facts"]


def test_each_sort_is_the_claim_of_a_marker() -> None:
    claims = {marker_of(line).claim for line in shipped_rules().rows()}
    assert JUDGES.keys() <= claims


def test_no_sort_of_a_group_is_left_out() -> None:
    assert JUDGES.keys() >= {*ABSENCE, *FIGURES, *GIT, *PLAIN_CAUSES}
