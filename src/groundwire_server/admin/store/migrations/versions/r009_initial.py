"""All tables, as the models have them, and what a database begins with.

Its number is that of the last of nine revisions that became this one: the same tables, so that a
database at 009 needs nothing. A further revision has to expect that its change is there already.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy.orm import Session

from groundwire.settings.choices import KEY
from groundwire_confidence.calculation import PROFILES
from groundwire_judge.prompt import CONTENT, NAME, TYPE, VERSION
from groundwire_server.admin.store import configs
from groundwire_server.admin.store.history import now
from groundwire_server.admin.store.tables import Base, Prompt

revision = "009"
down_revision = None
_WHO = "groundwire"


def upgrade() -> None:
    """Make the tables, the shipped profiles (R002-22, R002-23) and the first prompt (R002-17)."""
    Base.metadata.create_all(op.get_bind(), checkfirst=False)
    with Session(op.get_bind()) as session:
        for one in PROFILES:  # of each environment the active one is the first
            config = {KEY: one.config.document()}
            configs.create(session, one.environment, one.name, config, _WHO)
        session.add(
            Prompt(
                name=NAME,
                prompt_type=TYPE,
                version=VERSION,
                content=CONTENT,
                notes="First version",
                tags=[],
                active=True,
                usage_count=0,
                created_at=now(),
                created_by=_WHO,
                updated_at=now(),
            )
        )
        session.flush()


def downgrade() -> None:
    """Drop all tables."""
    Base.metadata.drop_all(op.get_bind())
