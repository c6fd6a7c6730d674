"""Who stated a fact against a statement, beside each match of a decision."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "010"
down_revision = "009"
_TABLE, _NAME = "decision_matches", "accuser"


def upgrade() -> None:
    """Add the column, empty; a database that was made anew has it."""
    columns = sa.inspect(op.get_bind()).get_columns(_TABLE)
    if _NAME not in {column["name"] for column in columns}:
        op.add_column(_TABLE, sa.Column(_NAME, sa.String(40), server_default="", nullable=False))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column(_TABLE, _NAME)
