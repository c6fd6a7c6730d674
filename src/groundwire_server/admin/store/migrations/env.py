"""Run by alembic for every migration; ``store.migrate`` gives it the connection."""

from __future__ import annotations

from alembic import context

from groundwire_server.admin.store.tables import AgentConfig

connection = context.config.attributes["connection"]
# SQLite can change a table only by writing it anew, which is what batches do
context.configure(
    connection=connection,
    target_metadata=AgentConfig.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
