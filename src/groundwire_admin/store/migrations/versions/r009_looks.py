"""The second looks at turns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire_admin.store.tables import Json, UtcTime

revision = "009"
down_revision = "008"


def upgrade() -> None:
    """Create the table; looks that were logged before it are not taken in."""
    op.create_table(
        "looks",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("session", sa.String(200), nullable=False),
        sa.Column("message_id", sa.String(200), nullable=False),
        sa.Column("act", sa.String(10), nullable=False),
        sa.Column("look", Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_looks"),
    )
    op.create_index("ix_looks_session_message_id", "looks", ["session", "message_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("looks")
