"""Versions of prompts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire_admin.store.tables import Json, UtcTime

revision = "002"
down_revision = "001"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "prompts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("prompt_type", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("tags", Json, nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("usage_count", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("created_by", sa.String(100), nullable=False),
        sa.Column("updated_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_prompts"),
        sa.UniqueConstraint("name", "version", name="uq_prompts_name_version"),
    )
    op.create_index(
        "ux_prompts_active",
        "prompts",
        ["name"],
        unique=True,
        sqlite_where=sa.text("active"),
        postgresql_where=sa.text("active"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("prompts")
