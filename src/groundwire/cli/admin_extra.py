"""One clear line when the packages of ``groundwire[server]`` are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from groundwire.errors import ServerError

#: Top-level packages of the extra ``server`` that its modules import.
_EXTRA = (
    *("alembic", "fastapi", "h11", "itsdangerous", "nicegui", "plotly", "prometheus_client"),
    *("psycopg", "sqlalchemy", "starlette", "uvicorn", "websockets"),
)


@contextmanager
def server_extra_needed() -> Iterator[None]:
    """Turn the import of a package of the extra that is missing into ServerError."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in _EXTRA:
            raise
        raise ServerError(
            f"{name} is not installed; this needs: pip install 'groundwire[server]'"
        ) from None
