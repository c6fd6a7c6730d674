"""What ``groundwire confidence`` calculates with, as the admin database has it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing

from groundwire.settings.choices import ALL
from groundwire_confidence.calculation import check_environment
from groundwire_judge.calculate import Setup
from groundwire_judge.prompt import Prompt
from groundwire_server.admin.service import open_admin


def stored_setup(environment: str, profile: str, database: str, env: Mapping[str, str]) -> Setup:
    """Return the setup of an environment with its active or another profile.

    Raises ConfigError for an environment that neither the database nor the package knows,
    StoreError when the database fails.
    """
    with closing(open_admin(database or None, env)) as admin:
        if environment:
            check_environment(environment, admin.configuration.environments())
        setup = admin.configuration.setup(environment or ALL, profile)
        prompt = admin.prompts.active()
        models = tuple(admin.models.known().values())
    return setup.replace(prompt=Prompt(prompt.content, prompt.version), models=models)
