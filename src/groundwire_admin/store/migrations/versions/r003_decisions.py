"""The decision log of the hook."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire_admin.store.tables import Json, UtcTime

revision = "003"
down_revision = "002"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "decisions",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("event", sa.String(40), nullable=False),
        sa.Column("session", sa.String(200), nullable=False),
        sa.Column("prompt_id", sa.String(200), nullable=False),
        sa.Column("agent_id", sa.String(200), nullable=False),
        sa.Column("agent_type", sa.String(200), nullable=False),
        sa.Column("message_id", sa.String(200), nullable=False),
        sa.Column("transcript", sa.String(1024), nullable=False),
        sa.Column("decision", sa.String(10), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("found", sa.Integer(), nullable=False),
        sa.Column("blocking", sa.Integer(), nullable=False),
        sa.Column("suppressed", sa.Integer(), nullable=False),
        sa.Column("milliseconds", sa.Double(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("notes", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
    )
    for columns in (["at"], ["day"], ["session"], ["decision", "at"]):
        op.create_index(f"ix_decisions_{'_'.join(columns)}", "decisions", columns)
    op.create_table(
        "decision_matches",
        sa.Column("decision_id", sa.String(64), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(60), nullable=False),
        sa.Column("marker", sa.String(200), nullable=False),
        sa.Column("offset", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("call_id", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("decision_id", "position", name="pk_decision_matches"),
        sa.ForeignKeyConstraint(
            ["decision_id"], ["decisions.id"], name="fk_decision_matches_decision_id"
        ),
    )
    op.create_index("ix_decision_matches_kind", "decision_matches", ["kind"])
    op.create_table(
        "log_files",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("offset", sa.BigInteger(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.Column("read_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_log_files"),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("log_files", "decision_matches", "decisions"):
        op.drop_table(table)
