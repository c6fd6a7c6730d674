"""The confidence of an answer by formula, judge or both, and what it is calculated with.

A result always holds ``confidence_score``, ``confidence_method`` and ``confidence_breakdown``.
``calculate`` never raises: what goes wrong is in the result and in the log.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

from groundwire.base.errors import ConfidenceError, ConfigError
from groundwire.base.paths import state_folder
from groundwire.base.record import Record
from groundwire.settings.choices import ALL, KEY, METHODS
from groundwire.settings.judge_models import JudgeModel
from groundwire.settings.toml_text import near_misses_first, show_path
from groundwire_confidence.advisory.formula import VERY_LOW
from groundwire_confidence.assessment import Assessment, shown
from groundwire_confidence.calculation import (
    PROFILES,
    ConfidenceCalculationConfig,
    check_environment,
    checked,
    initial_profile,
)
from groundwire_confidence.formula import HYBRID, LLM, MODEL, SELECTIVE
from groundwire_judge.judges import Judges
from groundwire_judge.methods import (
    LOG,
    TEXTS,
    Calculation,
    calculate_formula,
    calculate_hybrid,
    calculate_llm,
    calculate_selective,
)
from groundwire_judge.prompt import SHIPPED, Prompt

#: Name of the default database in the state folder; as in the admin server.
_DATABASE = "groundwire.db"


class Setup(Record):
    """``source`` says in words where the configuration is from, the rest whose it is."""

    config: ConfidenceCalculationConfig = ConfidenceCalculationConfig()
    prompt: Prompt = SHIPPED
    models: tuple[JudgeModel, ...] = ()
    source: str = "shipped"
    environment: str = ALL
    profile: str = "default"
    warnings: tuple[str, ...] = ()

    @property
    def used(self) -> dict[str, str]:
        """Return which configuration this is, as it stands in a result."""
        return {
            "environment": self.environment,
            "profile": self.profile,
            "source": self.source,
        }


def setup_for(environment: str, profile: str) -> Setup:
    """Return the shipped setup of an environment or a profile; without either, the defaults.

    Raises ConfigError for an unknown environment or profile.
    """
    if not environment and not profile:
        return Setup()
    if environment:
        check_environment(environment)
    if not profile:
        shipped = initial_profile(environment)
    else:
        profiles = {one.name: one for one in PROFILES}
        if profile not in profiles:
            allowed = near_misses_first(profile, list(profiles))
            raise ConfigError(f"--profile: value {profile!r}: allowed: {allowed}")
        shipped = profiles[profile]
        if environment and shipped.environment != environment.lower():
            raise ConfigError(
                f"--profile: value {profile!r}: it belongs to the environment "
                f"{shipped.environment}, not to {environment!r}"
            )
    return Setup(shipped.config, environment=shipped.environment, profile=shipped.name)


def has_database(env: Mapping[str, str]) -> bool:
    """Whether the admin database is where it is kept by default."""
    folder = state_folder(env)
    return bool(folder) and os.path.isfile(os.path.join(folder or "", _DATABASE))


def with_document(setup: Setup, path: Path) -> Setup:
    """Return the setup with the partial JSON document of a file put in; raises ConfigError.

    The document may also stand below the key that stored configurations have.
    """
    place = show_path(str(path))
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{place}: {error.strerror}; expected a readable file") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{place}: {error}; allowed: one JSON object") from None
    if isinstance(document, dict) and set(document) == {KEY}:
        document = document[KEY]
    if not isinstance(document, dict):
        raise ConfigError(f"{place}: allowed: one JSON object")
    return with_values(setup, document, place)


def with_values(setup: Setup, partial: Mapping[str, Any], place: str, name: str = "") -> Setup:
    """Return the setup with a partial document put in, of a ``place`` that may have a name.

    Raises ConfigError that says the place.
    """
    if not partial:
        return setup
    config = checked(partial, setup.config, place)
    return setup.replace(config=config, source=f"{setup.source}, {name or place}")


_ASKING = {
    LLM: calculate_llm,
    HYBRID: calculate_hybrid,
    SELECTIVE: calculate_selective,
}


class AgentState(TypedDict, total=False):
    """What a confidence is calculated from, and the three keys of its result (R002-15)."""

    query: str
    context_text: str
    context_docs: list[dict[str, Any]]
    response: str
    environment: str
    confidence_score: float
    confidence_method: str
    confidence_breakdown: dict[str, Any]


async def calculate_confidence(
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig | Mapping[str, Any] | None = None,
    judges: Judges | None = None,
    prompt: Prompt | None = SHIPPED,
) -> dict[str, Any]:
    """Return the confidence of the answer in ``state`` as a document; see ``calculate``."""
    return (await calculate(state, config, judges, prompt)).as_dict()


async def _calculate_by(
    method: str,
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig | Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Do what ``calculate_confidence`` does, by this method whatever ``config`` says."""
    if isinstance(config, ConfidenceCalculationConfig):
        config = config.document()
    return await calculate_confidence(state, {**(config or {}), "method": method})


calculate_formula_confidence = partial(_calculate_by, MODEL)
calculate_llm_confidence = partial(_calculate_by, LLM)
calculate_hybrid_confidence = partial(_calculate_by, HYBRID)


async def calculate(
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig | Mapping[str, Any] | None = None,
    judges: Judges | None = None,
    prompt: Prompt | None = SHIPPED,
) -> Calculation:
    """Calculate the confidence of the answer in ``state`` by the configured method.

    ``state`` holds ``context_docs`` (each with a similarity), ``response``, ``context_text`` and
    ``query``. ``config`` may be a partial document; None, an unknown method or a document that is
    not allowed mean the formula, and it is told. ``judges`` are opened for this call when they are
    needed and not given; ``prompt`` None is the fall-back prompt. Never raises.
    """
    usable, warnings = usable_config(config)
    try:
        calculation = await _by_method(_checked_state(state), usable, judges, prompt)
    except ConfidenceError as error:
        LOG.error("Confidence: %s", error)
        calculation = failed(usable.method, str(error))
    except Exception as error:
        LOG.exception("Confidence: failed")
        calculation = failed(usable.method, f"{type(error).__name__}: the calculation failed")
    return calculation.replace(warnings=(*warnings, *calculation.warnings))


def usable_config(
    config: ConfidenceCalculationConfig | Mapping[str, Any] | None,
) -> tuple[ConfidenceCalculationConfig, tuple[str, ...]]:
    """Return a valid configuration and what was wrong with ``config``, which is logged, too."""
    if isinstance(config, ConfidenceCalculationConfig):
        return config, ()
    if config is None:
        LOG.warning("Confidence: no active configuration; the formula is used")
        return ConfidenceCalculationConfig(), ("no active configuration; the formula is used",)
    problems: tuple[str, ...] = ()
    try:
        partial = dict(config)
        if partial.get("method", MODEL) not in METHODS:
            allowed = ", ".join(METHODS)
            problem = f"method: value {shown(partial.pop('method'))}: allowed: {allowed}"
            problems = (f"{problem}; the formula is used",)
        usable = checked(partial)
    except (ConfigError, TypeError, ValueError) as error:
        usable = ConfidenceCalculationConfig()
        problems = (*problems, *(f"{line}; the defaults are used" for line in _lines(error)))
    for problem in problems:
        LOG.error("Confidence: %s", problem)
    return usable, problems


def _lines(error: Exception) -> list[str]:
    return str(error).splitlines() if isinstance(error, ConfigError) else ["no object"]


def calculate_confidence_now(
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig | Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    prompt: Prompt | None = SHIPPED,
) -> dict[str, Any]:
    """Do what ``calculate_confidence`` does, for a caller without an event loop."""

    async def run() -> dict[str, Any]:
        async with Judges(os.environ if env is None else env) as judges:
            return await calculate_confidence(state, config, judges, prompt)

    return asyncio.run(run())


async def _by_method(
    state: Mapping[str, Any],
    config: ConfidenceCalculationConfig,
    judges: Judges | None,
    prompt: Prompt | None,
) -> Calculation:
    if config.method == MODEL:
        return calculate_formula(state, config)
    if judges is None:
        async with Judges(os.environ) as opened:
            return await _by_method(state, config, opened, prompt)
    return await _ASKING[config.method](state, config, judges, prompt)


def _checked_state(state: object) -> Mapping[str, Any]:
    if not isinstance(state, Mapping):
        raise ConfidenceError(f"state: value {shown(state)}: allowed: an object")
    for name in (*TEXTS, "environment"):
        value = state.get(name)
        if value is not None and not isinstance(value, str):
            raise ConfidenceError(f"{name}: value {shown(value)}: allowed: a text")
    return state


def state_environment(state: object) -> str:
    """Return the environment that a state names; "" where it names none."""
    name = state.get("environment") if isinstance(state, Mapping) else None
    return name if isinstance(name, str) else ""


def failed(method: str, error: str) -> Calculation:
    """Return the result of R002-14 for a calculation that failed, with all three keys."""
    nothing = Assessment(method, 0.0, VERY_LOW, why=error)
    return Calculation(nothing, {}, method, method, error=error)
