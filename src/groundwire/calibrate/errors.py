"""Errors of labelled data and of the fit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from groundwire.errors import GroundwireError


class LabelError(GroundwireError):
    """A label file, or what it points to, is invalid; one ``file:line: key: message`` line each."""


class CalibrateError(GroundwireError):
    """The settings cannot be fitted: too little data, or limits that exclude each other."""


class ExtraError(GroundwireError):
    """The optional packages of ``groundwire[calibrate]`` are not installed."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            f"{missing} is not installed; this command needs: pip install 'groundwire[calibrate]'"
        )


#: Top-level packages of the extra ``calibrate``.
_EXTRA = ("matplotlib", "numpy", "scipy", "sklearn", "threadpoolctl")


@contextmanager
def extra_needed() -> Iterator[None]:
    """Turn the import of a package of the extra that is missing into ExtraError."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in _EXTRA:
            raise
        raise ExtraError(name) from None
