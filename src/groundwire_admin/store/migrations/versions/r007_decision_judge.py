"""What the judge said of a turn, with the decision about it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from groundwire_admin.store.tables import Json

revision = "007"
down_revision = "006"


def upgrade() -> None:
    """Add the column; decisions from before it have no judge in it."""
    op.add_column("decisions", sa.Column("judge", Json, nullable=True))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("decisions", "judge")
