"""One clear line when the packages of an extra are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from groundwire.base.errors import ExtraError

#: Top-level packages that the modules of an extra import.
_PACKAGES = {
    "calibrate": ("numpy", "scipy", "sklearn", "threadpoolctl"),
    "fleet": ("jinja2", "pandas", "py4j", "pyarrow", "pyspark"),
    "server": (
        *("alembic", "fastapi", "h11", "itsdangerous", "nicegui", "prometheus_client"),
        *("psycopg", "sqlalchemy", "starlette", "uvicorn", "websockets"),
    ),
}


@contextmanager
def extra_needed(extra: str) -> Iterator[None]:
    """Turn the import of a package of ``extra`` that is missing into ExtraError."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in _PACKAGES[extra]:
            raise
        raise ExtraError(
            f"{name} is not installed; this needs: pip install 'groundwire[{extra}]'"
        ) from None
