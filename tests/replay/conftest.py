"""The command for the tests of this folder."""

from pathlib import Path

import pytest

from tests.cli.command import Command


@pytest.fixture
def cli(tmp_path: Path) -> Command:
    """Return the command with a home folder of its own."""
    return Command(tmp_path)
