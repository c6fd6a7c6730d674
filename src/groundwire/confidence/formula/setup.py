"""What ``groundwire confidence`` calculates with: configuration, prompt and prices."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundwire.config.calculation import (
    ConfidenceCalculationConfig,
    checked,
)
from groundwire.config.choices import ALL, KEY
from groundwire.config.judge_models import JudgeModel
from groundwire.config.profiles import PROFILES, check_environment, initial_profile
from groundwire.config.words import near_misses_first, show_path
from groundwire.errors import ConfigError
from groundwire.judge.prompt import SHIPPED, Prompt
from groundwire.record import Record
from groundwire.state.paths import state_folder

#: Name of the default database in the state folder; as in ``groundwire_admin``.
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
