"""The command, and a small labelled set, for the tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.calibrate.synthetic import write_set
from tests.cli.command import Command


@pytest.fixture
def cli(tmp_path: Path) -> Command:
    """Return the command with a home folder of its own."""
    return Command(tmp_path)


@pytest.fixture
def gold(cli: Command) -> Path:
    """Return the folder of a labelled set."""
    folder = cli.folder / "gold"
    write_set(folder)
    return folder
