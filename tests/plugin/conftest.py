"""The plugin under an ordinary and under an odd path."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugin.support import ODD, Plugin


@pytest.fixture(params=["plain", ODD], ids=["plain path", "odd path"])
def plugin(request: pytest.FixtureRequest, tmp_path: Path) -> Plugin:
    folder = tmp_path / request.param
    folder.mkdir()
    return Plugin(folder)
