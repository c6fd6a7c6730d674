"""Configurations, options, and the history of changes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire_admin.store.tables import Json, UtcTime

revision = "001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "agent_configs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("environment", sa.String(40), nullable=False),
        sa.Column("profile", sa.String(40), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("config", Json, nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.Column("updated_by", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_agent_configs"),
        sa.UniqueConstraint(
            "name", "environment", "profile", name="uq_agent_configs_name_environment_profile"
        ),
    )
    op.create_index(
        "ux_agent_configs_active",
        "agent_configs",
        ["name", "environment"],
        unique=True,
        sqlite_where=sa.text("active"),
        postgresql_where=sa.text("active"),
    )
    op.create_table(
        "options",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", Json, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.Column("updated_by", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_options"),
    )
    op.create_table(
        "history",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("who", sa.String(100), nullable=False),
        sa.Column("action", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("target", sa.String(200), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("restored", sa.Integer(), nullable=True),
        sa.Column("before", Json, nullable=True),
        sa.Column("after", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_history"),
    )
    op.create_index("ix_history_kind_target_id", "history", ["kind", "target", "id"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("history", "options", "agent_configs"):
        op.drop_table(table)
