"""Which configuration of confidence holds, for the command and for callers from Python."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from typing import Any

from groundwire.base.errors import GroundwireError
from groundwire.base.extras import extra
from groundwire.commands.extras import extra_needed
from groundwire.hook.sources import ENVIRONMENT
from groundwire_judge.calculate import Setup, calculate, has_database, setup_for, state_environment
from groundwire_judge.judges import Judges


def active_setup(environment: str = "", profile: str = "", database: str = "") -> Setup:
    """Return what is active in an environment: of the admin database, else what is shipped.

    Without ``environment`` that of GROUNDWIRE_ENVIRONMENT, without either ``all``. Raises
    ConfigError for an unknown environment or profile, StoreError for a database that fails.
    """
    environment = environment or os.environ.get(ENVIRONMENT, "")
    if not database and not has_database(os.environ):
        return setup_for(environment, profile)
    with extra_needed("server"):
        stored_setup = extra("stored_setups", "admin")
    setup: Setup = stored_setup(environment, profile, database, os.environ)
    return setup


def setup_or_formula(environment: str, database: str = "") -> Setup:
    """Do what ``active_setup`` does; where that fails the formula is used, and it is told."""
    try:
        return active_setup(environment, database=database)
    except GroundwireError as error:
        return Setup(warnings=tuple(f"{line}; the formula is used" for line in _lines(error)))


async def calculate_confidence_node(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the confidence of the answer in ``state`` by the active configuration (R002-14).

    The environment is that of ``state["environment"]``, else of GROUNDWIRE_ENVIRONMENT, else
    ``all``. Never raises; ``configuration`` says what was used.
    """
    setup = await asyncio.to_thread(setup_or_formula, state_environment(state))
    async with Judges(os.environ, models=setup.models) as judges:
        calculation = await calculate(state, setup.config, judges, setup.prompt)
    warnings = (*setup.warnings, *calculation.warnings)
    return calculation.replace(used=setup.used, warnings=warnings).as_dict()


def _lines(error: GroundwireError) -> list[str]:
    return str(error).splitlines()
