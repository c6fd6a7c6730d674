"""The shipped configurations of confidence calculation, by environment and profile (R002-22)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from groundwire.config.calculation import (
    ConfidenceCalculationConfig,
    HybridConfidenceSettings,
    LLMConfidenceSettings,
)
from groundwire.config.choices import ALL, CLAUDE_MODEL
from groundwire.config.words import near_misses_first
from groundwire.errors import ConfigError

#: Name under which the configurations are stored.
CONFIG_NAME = "default_agent_config"


class Profile(NamedTuple):
    """One configuration; ``initial`` is the one that an environment begins with."""

    environment: str
    name: str
    initial: bool
    config: ConfidenceCalculationConfig


def _hybrid(
    formula_weight: float, llm_weight: float, judge: LLMConfidenceSettings
) -> ConfidenceCalculationConfig:
    return ConfidenceCalculationConfig(
        method="hybrid",
        hybrid_settings=HybridConfidenceSettings(
            formula_weight=formula_weight, llm_weight=llm_weight
        ),
        llm_settings=judge,
    )


PROFILES = (
    Profile(ALL, "default", True, ConfidenceCalculationConfig()),
    Profile(
        "development",
        "development",
        True,
        _hybrid(0.5, 0.5, LLMConfidenceSettings(max_tokens=150, timeout_ms=3000)),
    ),
    Profile(
        "development",
        "development-claude",
        False,
        _hybrid(
            0.5,
            0.5,
            LLMConfidenceSettings(
                provider="anthropic", model=CLAUDE_MODEL, max_tokens=150, timeout_ms=3000
            ),
        ),
    ),
    Profile("uat", "uat", True, _hybrid(0.6, 0.4, LLMConfidenceSettings())),
    Profile(
        "production",
        "production",
        True,
        ConfidenceCalculationConfig(
            hybrid_settings=HybridConfidenceSettings(formula_weight=0.7, llm_weight=0.3),
            llm_settings=LLMConfidenceSettings(max_tokens=80, timeout_ms=1500),
        ),
    ),
    Profile(
        "production", "production-validated", False, _hybrid(0.4, 0.6, LLMConfidenceSettings())
    ),
)


def check_environment(name: str, stored: Iterable[str] = ()) -> None:
    """Raise ConfigError for an environment that is neither shipped nor one of the ``stored``."""
    known = list(dict.fromkeys([*(one.environment for one in PROFILES), *stored]))
    if name.strip().lower() not in known:
        allowed = near_misses_first(name, known)
        raise ConfigError(f"environment: value {name!r}: allowed: {allowed}")


def initial_profile(environment: str) -> Profile:
    """Return what an environment begins with; that of ``ALL`` for one without its own."""
    own = [one for one in PROFILES if one.initial and one.environment == environment.lower()]
    return own[0] if own else PROFILES[0]
