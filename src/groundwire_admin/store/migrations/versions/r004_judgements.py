"""Calculated confidences, votes, and the groups of the A/B test."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire_admin.store.tables import Json, UtcTime

revision = "004"
down_revision = "003"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "judgements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("session", sa.String(200), nullable=False),
        sa.Column("environment", sa.String(40), nullable=False),
        sa.Column("requested_method", sa.String(10), nullable=False),
        sa.Column("method", sa.String(10), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("formula_score", sa.Double(), nullable=True),
        sa.Column("llm_score", sa.Double(), nullable=True),
        sa.Column("breakdown", Json, nullable=False),
        sa.Column("provider", sa.String(20), nullable=False),
        sa.Column("model", sa.String(200), nullable=False),
        sa.Column("prompt_version", sa.Integer(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("cost", sa.Double(), nullable=True),
        sa.Column("milliseconds", sa.Double(), nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_judgements"),
    )
    op.create_index("ix_judgements_at", "judgements", ["at"])
    op.create_index("ix_judgements_content_hash", "judgements", ["content_hash"])
    op.create_table(
        "cached_answers",
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("answer", Json, nullable=False),
        sa.PrimaryKeyConstraint("content_hash", name="pk_cached_answers"),
    )
    op.create_table(
        "feedback",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("who", sa.String(100), nullable=False),
        sa.Column("judgement_id", sa.Integer(), nullable=True),
        sa.Column("decision_id", sa.String(64), nullable=True),
        sa.Column("vote", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_feedback"),
        sa.ForeignKeyConstraint(
            ["judgement_id"], ["judgements.id"], name="fk_feedback_judgement_id"
        ),
        sa.ForeignKeyConstraint(["decision_id"], ["decisions.id"], name="fk_feedback_decision_id"),
        sa.UniqueConstraint("who", "judgement_id", name="uq_feedback_who_judgement_id"),
        sa.UniqueConstraint("who", "decision_id", name="uq_feedback_who_decision_id"),
    )
    op.create_index("ix_feedback_judgement_id", "feedback", ["judgement_id"])
    op.create_index("ix_feedback_decision_id", "feedback", ["decision_id"])
    op.create_table(
        "assignments",
        sa.Column("session", sa.String(200), nullable=False),
        sa.Column("group", sa.String(10), nullable=False),
        sa.Column("bucket", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("session", name="pk_assignments"),
    )
    op.create_index("ix_assignments_group", "assignments", ["group"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("assignments", "feedback", "cached_answers", "judgements"):
        op.drop_table(table)
