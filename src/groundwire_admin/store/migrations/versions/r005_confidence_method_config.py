"""How confidence is calculated, for each environment (R002-22, R002-23).

The documents are written out here and not taken from the program: what this migration does must
not change when the program's defaults do.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from groundwire_admin.store.tables import CONFIG_COMMENT, Json, UtcTime

revision = "005"
down_revision = "004"

NAME = "default_agent_config"
KEY = "confidence_calculation"
WHO = "groundwire"
_Values = tuple[str, float, float, str, str, int, int]
_MINI = "gpt-4o-mini"
_HAIKU = "claude-3-haiku-20240307"

_DEFAULT = ("formula", 0.6, 0.4, "openai", _MINI, 100, 2000)
#: environment, profile, active; method, weights of formula and judge, provider, model, max_tokens,
#: timeout_ms
PROFILES: list[tuple[str, str, bool, _Values]] = [
    ("all", "default", True, _DEFAULT),
    ("development", "development", True, ("hybrid", 0.5, 0.5, "openai", _MINI, 150, 3000)),
    (
        *("development", "development-claude", False),
        ("hybrid", 0.5, 0.5, "anthropic", _HAIKU, 150, 3000),
    ),
    ("uat", "uat", True, ("hybrid", 0.6, 0.4, "openai", _MINI, 100, 2000)),
    ("production", "production", True, ("formula", 0.7, 0.3, "openai", _MINI, 80, 1500)),
    (
        *("production", "production-validated", False),
        ("hybrid", 0.4, 0.6, "openai", _MINI, 100, 2000),
    ),
]

_configs = sa.table(
    "agent_configs",
    sa.column("id", sa.Integer),
    sa.column("name", sa.String),
    sa.column("environment", sa.String),
    sa.column("profile", sa.String),
    sa.column("active", sa.Boolean),
    sa.column("version", sa.Integer),
    sa.column("config", Json),
    sa.column("updated_at", UtcTime()),
    sa.column("updated_by", sa.String),
)
_history = sa.table(
    "history",
    sa.column("at", UtcTime()),
    sa.column("who", sa.String),
    sa.column("action", sa.String),
    sa.column("kind", sa.String),
    sa.column("target", sa.String),
    sa.column("version", sa.Integer),
    sa.column("before", Json),
    sa.column("after", Json),
)


def upgrade() -> None:
    """Add what is missing; a configuration that somebody made already stands."""
    _set_comment(CONFIG_COMMENT, None)
    connection = op.get_bind()
    rows = connection.execute(sa.select(_configs).where(_configs.c.name == NAME)).all()
    known = {(row.environment, row.profile) for row in rows}
    with_active = {row.environment for row in rows if row.active}
    for environment, profile, active, values in PROFILES:
        if (environment, profile) not in known:
            is_active = active and environment not in with_active
            _insert(connection, environment, profile, is_active, {KEY: _document(*values)})
    documents = {(row[0], row[1]): _document(*row[3]) for row in PROFILES}
    for row in connection.execute(sa.select(_configs)).all():
        if KEY not in row.config:
            document = documents.get((row.environment, row.profile), _document(*_DEFAULT))
            _update(connection, row, {**row.config, KEY: document})


def downgrade() -> None:
    """Take the key out of every configuration; those of this migration's own go as a whole."""
    connection = op.get_bind()
    own = {(NAME, row[0], row[1]) for row in PROFILES}
    for row in connection.execute(sa.select(_configs)).all():
        rest = {key: value for key, value in row.config.items() if key != KEY}
        if rest or (row.name, row.environment, row.profile) not in own:
            _update(connection, row, rest)
        else:
            _record(connection, "delete", row, row.version, row.config, {})
            connection.execute(sa.delete(_configs).where(_configs.c.id == row.id))
    _set_comment(None, CONFIG_COMMENT)


def _document(
    method: str,
    formula_weight: float,
    llm_weight: float,
    provider: str,
    model: str,
    max_tokens: int,
    timeout_ms: int,
) -> dict[str, Any]:
    return {
        "method": method,
        "hybrid_settings": {"formula_weight": formula_weight, "llm_weight": llm_weight},
        "llm_settings": {
            "provider": provider,
            "model": model,
            "temperature": 0.1,
            "max_tokens": max_tokens,
            "timeout_ms": timeout_ms,
            "context_characters": 1000,
            "response_characters": 500,
        },
        "formula_weights": {"similarity": 0.8, "source_quality": 0.1, "response_length": 0.1},
    }


def _insert(
    connection: sa.Connection, environment: str, profile: str, active: bool, config: dict[str, Any]
) -> None:
    row = {
        "name": NAME,
        "environment": environment,
        "profile": profile,
        "active": active,
        "version": 1,
        "config": config,
        "updated_at": datetime.now(UTC),
        "updated_by": WHO,
    }
    connection.execute(sa.insert(_configs).values(row))
    made = connection.execute(
        sa.select(_configs).where(
            _configs.c.name == NAME,
            _configs.c.environment == environment,
            _configs.c.profile == profile,
        )
    ).one()
    _record(connection, "create", made, 1, None, config)


def _update(connection: sa.Connection, row: Any, config: dict[str, Any]) -> None:
    version = row.version + 1
    connection.execute(
        sa.update(_configs)
        .where(_configs.c.id == row.id)
        .values(config=config, version=version, updated_at=datetime.now(UTC), updated_by=WHO)
    )
    _record(connection, "save", row, version, row.config, config)


def _record(
    connection: sa.Connection,
    action: str,
    row: Any,
    version: int,
    before: dict[str, Any] | None,
    after: dict[str, Any],
) -> None:
    change = {
        "at": datetime.now(UTC),
        "who": WHO,
        "action": action,
        "kind": "config",
        "target": f"{row.name}/{row.environment}/{row.profile}",
        "version": version,
        "before": before,
        "after": after,
    }
    connection.execute(sa.insert(_history).values(change))


def _set_comment(comment: str | None, existing: str | None) -> None:
    if op.get_bind().dialect.name == "postgresql":  # SQLite keeps no comments
        op.alter_column("agent_configs", "config", comment=comment, existing_comment=existing)
