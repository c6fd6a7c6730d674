"""The command, and the settings file that it registers the hook in."""

from pathlib import Path

import pytest

from tests.cli.command import Command


@pytest.fixture
def user(cli: Command) -> Path:
    """Return the user's settings file of the client, which is not there yet."""
    return cli.home / ".claude" / "settings.json"
