"""The plugin under an odd path."""

from pathlib import Path

import pytest

from tests.plugin.support import ODD, Plugin


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    folder = tmp_path / ODD
    folder.mkdir()
    return Plugin(folder)
