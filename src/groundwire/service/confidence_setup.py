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
    deep_merge,
)
from groundwire.config.choices import ALL, KEY
from groundwire.config.judge_models import JudgeModel
from groundwire.config.profiles import PROFILES, initial_profile
from groundwire.config.words import near_misses_first, show_path
from groundwire.errors import ConfigError
from groundwire.judge.prompt import SHIPPED, Prompt
from groundwire.record import Record
from groundwire.state.paths import state_folder

#: Name of the default database in the state folder; the same as ``store.database.FILE``.
_DATABASE = "groundwire.db"


class Setup(Record):
    """``source`` says in words where the configuration is from."""

    config: ConfidenceCalculationConfig = ConfidenceCalculationConfig()
    prompt: Prompt = SHIPPED
    models: tuple[JudgeModel, ...] = ()
    source: str = "the defaults"
    warnings: tuple[str, ...] = ()


def setup_for(environment: str, profile: str, database: str, env: Mapping[str, str]) -> Setup:
    """Return the setup of an environment: from the admin database, else the shipped profile.

    Without an environment and a database these are the defaults. The default database counts when
    an environment is named and the file is there. Raises ConfigError for an unknown profile, and
    StoreError when the database fails.
    """
    if database or ((environment or profile) and _has_database(env)):
        return _stored(environment, profile, database, env)
    if not environment and not profile:
        return Setup()
    if not profile:
        found = initial_profile(environment)
    else:
        named = {one.name: one for one in PROFILES}
        if profile not in named:
            allowed = near_misses_first(profile, list(named))
            raise ConfigError(f"--profile: value {profile!r}: allowed: {allowed}")
        found = named[profile]
        if environment and found.environment != environment.lower():
            raise ConfigError(
                f"--profile: value {profile!r}: it belongs to the environment "
                f"{found.environment}, not to {environment!r}"
            )
    return Setup(found.config, source=f"the shipped profile {found.name}")


def _has_database(env: Mapping[str, str]) -> bool:
    folder = state_folder(env)
    return bool(folder) and os.path.isfile(os.path.join(folder or "", _DATABASE))


def _stored(environment: str, profile: str, database: str, env: Mapping[str, str]) -> Setup:
    from groundwire.service.admin import open_admin

    admin = open_admin(database or None, env)
    try:
        config, problems = admin.configuration.calculation(environment.lower() or ALL, profile)
        prompt = admin.prompts.active()
        models = tuple(admin.models.known().values())
    finally:
        admin.close()
    warnings = tuple(f"{problem}; the defaults are used" for problem in problems)
    stored = Prompt(prompt.content, prompt.version)
    return Setup(config, stored, models, f"the database {admin.store.shown}", warnings)


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
    return setup.replace(config=checked(document, setup.config, place))


def with_values(setup: Setup, partial: Mapping[str, Any], source: str) -> Setup:
    """Return the setup with the values of flags put in; raises ConfigError naming ``source``."""
    return setup.replace(config=checked(deep_merge({}, partial), setup.config, source))
