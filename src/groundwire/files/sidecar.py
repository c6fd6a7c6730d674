"""Scores beside files that cannot hold one: ``data.csv`` has ``data.csv.confidence.json``."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".confidence.json"


def sidecar_of(path: Path) -> Path:
    """Return the path of the sidecar of a file."""
    return path.with_name(path.name + SUFFIX)


def is_sidecar(path: Path) -> bool:
    """Tell whether a file is the sidecar of another."""
    return path.name.endswith(SUFFIX)
