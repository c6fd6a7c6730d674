"""One clear line when the packages of an extra are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from groundwire.base.errors import ExtraError


@contextmanager
def extra_needed(extra: str) -> Iterator[None]:
    """Turn the import of a package that is missing, and not our own, into ExtraError."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if not name or name.startswith("groundwire"):
            raise
        raise ExtraError(
            f"{name} is not installed; this needs: pip install 'groundwire[{extra}]'"
        ) from None
