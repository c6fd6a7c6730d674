"""Errors of labelled data and of the fit."""

from __future__ import annotations

from groundwire.base.errors import GroundwireError


class LabelError(GroundwireError):
    """A label file, or what it points to, is invalid; one ``file:line: key: message`` line each."""


class CalibrateError(GroundwireError):
    """The settings cannot be fitted: too little data, or limits that exclude each other."""
