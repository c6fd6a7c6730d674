"""Question and answer of a calculated confidence, for those who retain them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "008"
down_revision = "007"


def upgrade() -> None:
    """Add the columns; judgements from before them have no texts."""
    op.add_column("judgements", sa.Column("query", sa.Text(), nullable=True))
    op.add_column("judgements", sa.Column("response", sa.Text(), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("judgements", "response")
    op.drop_column("judgements", "query")
