"""How confidence is calculated, for each environment: read, change, switch, restore."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import Field, ValidationError
from sqlalchemy.orm import Session

from groundwire.base.errors import ConfigError, ConflictError, NotFoundError
from groundwire.settings.choices import ALL, KEY
from groundwire.settings.toml_text import near_misses_first, show_value
from groundwire_confidence.calculation import (
    ConfidenceCalculationConfig,
    checked,
    deep_merge,
    problem_lines,
)
from groundwire_judge.calculate import Setup
from groundwire_server.admin.service.view import ChangeView, View, viewed
from groundwire_server.admin.store import configs, history
from groundwire_server.admin.store.database import Store
from groundwire_server.admin.store.tables import AgentConfig

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,39}")


class ConfigurationView(View):
    """How confidence is calculated in an environment.

    ``environment`` was asked for, ``source`` is whose row it is (``all`` when it has none of its
    own). ``version`` is what a change has to name; it is 0 where the first change will make a row.
    """

    environment: str
    source: str
    profile: str
    active: bool
    version: int
    config: dict[str, Any] = Field(description="Complete, below the key confidence_calculation.")
    problems: list[str] = Field(description="What is wrong with the stored document, if anything.")
    updated_at: datetime
    updated_by: str


class Configurations:
    """The configurations in the database.

    An environment that has none of its own uses that of ``all``. Every method raises StoreError
    for a database that fails, NotFoundError for a name that is not there, and ConfigError for a
    name or document that is not allowed, with one line per problem.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def environments(self) -> list[str]:
        """Return the environments that have a configuration of their own, ``all`` first."""
        with self._store.read() as session:
            names = {row.environment for row in configs.profiles(session)}
        return sorted(names, key=lambda name: (name != ALL, name))

    def get(self, environment: str = ALL, profile: str = "") -> ConfigurationView:
        """Return what holds in an environment, or its profile of this name."""
        environment = _name("environment", environment)
        with self._store.read() as session:
            return _view(environment, configs.look_up(session, environment, profile.lower()))

    def profiles(self, environment: str = "") -> list[ConfigurationView]:
        """Return every profile, or those of exactly one environment; the active ones first."""
        wanted = _name("environment", environment) if environment else ""
        with self._store.read() as session:
            return [_view(row.environment, row) for row in configs.profiles(session, wanted)]

    def save(
        self,
        changes: Mapping[str, Any],
        *,
        who: str,
        environment: str = ALL,
        profile: str = "",
        version: int | None = None,
    ) -> ConfigurationView:
        """Merge ``changes`` ({"confidence_calculation": {...}}, any part of it) and keep the whole.

        Without ``profile`` the active one is changed; an environment that used that of ``all``
        gets a row of its own, named as the environment, and so does a new ``profile``, which
        begins as what holds there. ``version`` is the one that the change was made from; None
        means whichever is there. Raises ConflictError when it is not the present one.
        """
        environment = _name("environment", environment)
        partial = _partial(changes)
        with self._store.write() as session:
            row = configs.find(session, environment, profile.lower())
            if row is None:
                row = _create(session, environment, profile, partial, version, who)
            else:
                document = _merged(row.config, partial)
                row = configs.save(session, row, document, version=version, who=who)
            return _view(environment, row)

    def activate(
        self, environment: str, profile: str, *, who: str, version: int | None = None
    ) -> ConfigurationView:
        """Make a profile the one that holds in its environment. Raises ConflictError."""
        environment = _name("environment", environment)
        with self._store.write() as session:
            row = configs.look_up(session, environment, _name("profile", profile))
            return _view(environment, configs.activate(session, row, version=version, who=who))

    def history(
        self, environment: str = "", profile: str = "", *, limit: int = 50, below: int | None = None
    ) -> list[ChangeView]:
        """Return changes, the newest first: all, or those of one environment's profile.

        ``below`` is the ``id`` of the last change of the page before.
        """
        with self._store.read() as session:
            target = ""
            if environment:
                row = configs.look_up(session, _name("environment", environment), profile.lower())
                target = configs.target_of(row)
            changes = history.changes(session, history.CONFIG, target, limit=limit, below=below)
            return [ChangeView.model_validate(change) for change in changes]

    def restore(self, change: int, *, who: str, version: int | None = None) -> ConfigurationView:
        """Put back the document that a change left behind, as a new version of the same profile.

        Raises ConflictError as ``save`` does; ConfigError for a change that holds no document.
        """
        with self._store.write() as session:
            wanted = history.change_of(session, change, history.CONFIG)
            if KEY not in wanted.after:
                raise ConfigError(f"history: {change}: {wanted.action}: holds no configuration")
            _, environment, profile = wanted.target.split("/")
            row = configs.find(session, environment, profile)
            if row is None:
                raise NotFoundError(f"configuration: {environment}/{profile}: does not exist")
            document = _merged(wanted.after, {})
            row = configs.save(
                session,
                row,
                document,
                version=version,
                who=who,
                action=history.RESTORE,
                restored=wanted.id,
            )
            return _view(environment, row)

    def calculation(
        self, environment: str = ALL, profile: str = ""
    ) -> tuple[ConfidenceCalculationConfig, list[str]]:
        """Return the checked configuration of an environment, and what was wrong with it.

        A stored document that is not valid counts as the defaults (A002-3).
        """
        return _usable(self.get(environment, profile))

    def setup(self, environment: str = ALL, profile: str = "") -> Setup:
        """Do what ``calculation`` does, and say whose configuration it is."""
        view = self.get(environment, profile)
        config, problems = _usable(view)
        return Setup(
            config,
            source=f"the database {self._store.shown}",
            environment=view.source,
            profile=view.profile,
            warnings=tuple(f"configuration: {line}; the formula is used" for line in problems),
        )


def _usable(view: ConfigurationView) -> tuple[ConfidenceCalculationConfig, list[str]]:
    if view.problems:
        return ConfidenceCalculationConfig(), view.problems
    return ConfidenceCalculationConfig.model_validate(view.config[KEY]), []


def _create(
    session: Session,
    environment: str,
    profile: str,
    partial: Mapping[str, Any],
    version: int | None,
    who: str,
) -> AgentConfig:
    if version:
        raise ConflictError(
            f"{environment}: version {version} is not the current one: there is no row"
        )
    name = _name("profile", profile or environment)
    below = configs.look_up(session, environment)
    document = _merged(below.config, partial)
    return configs.create(session, environment, name, document, who)


def _partial(changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part of the calculation that ``changes`` sets; raises ConfigError."""
    for key in changes:
        if key != KEY:
            raise ConfigError(
                f"config: {key}: unknown key: allowed: {near_misses_first(key, [KEY])}"
            )
    partial = changes.get(KEY)
    if not isinstance(partial, Mapping):
        raise ConfigError(f"config: {KEY}: value {show_value(partial)}: allowed: an object")
    return partial


def _merged(stored: Mapping[str, Any], partial: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored document with ``partial`` in it, complete and checked (A002-10)."""
    old = stored.get(KEY)
    base = old if isinstance(old, Mapping) else {}
    return {**stored, KEY: checked(deep_merge(base, partial)).document()}


def _view(environment: str, row: AgentConfig) -> ConfigurationView:
    inherited = row.environment != environment
    config, problems = dict(row.config), []
    try:
        config[KEY] = ConfidenceCalculationConfig.model_validate(config.get(KEY, {})).document()
    except ValidationError as error:
        problems = problem_lines(error)
    return viewed(
        ConfigurationView,
        row,
        environment=environment,
        source=row.environment,
        version=0 if inherited else row.version,
        config=config,
        problems=problems,
    )


def _name(what: str, name: str) -> str:
    """Return a name in lower case; raises ConfigError for one that is not allowed."""
    lower = name.strip().lower()
    if not _NAME.fullmatch(lower):
        allowed = "1 to 40 letters, digits, dots, hyphens, underscores"
        raise ConfigError(f"{what}: value {show_value(name)}: allowed: {allowed}")
    return lower
