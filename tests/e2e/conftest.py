"""What the end-to-end tests start from; ``make e2e`` runs ``setup.sh`` before them."""

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire.base.version import __version__
from tests.e2e.client import CLIENT, REPOSITORY, ClaudeCode

WHEELS = REPOSITORY / ".e2e/wheels"
#: What lets pip take everything from that folder and nothing from anywhere else.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": WHEELS.as_uri()}


class Installation(NamedTuple):
    """An environment with groundwire in it, built from the repository folder without network."""

    marker: Path
    command: Path


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Built once, by the plugin's own builder, into a folder with a space in its name."""
    for needed in (CLIENT, WHEELS / "made-for"):
        assert needed.exists(), f"{needed} is missing: run 'make e2e', or tests/e2e/setup.sh"
    data = tmp_path_factory.mktemp("plugin data")
    env = {**ClaudeCode(tmp_path_factory.mktemp("builder")).env, **OFFLINE}
    subprocess.run(["sh", str(REPOSITORY / "hooks/build.sh"), str(data)], env=env, check=True)
    marker = data / f"ready-{__version__}"
    interpreter = marker.read_text(encoding="utf-8").splitlines()[0]
    return Installation(marker, Path(interpreter).with_name("groundwire"))


@pytest.fixture
def claude(installation: Installation, tmp_path: Path) -> ClaudeCode:
    """The client, beside which the command can be run but is not installed."""
    return ClaudeCode(tmp_path, installation.command)


@pytest.fixture
def with_plugin(installation: Installation, tmp_path: Path) -> ClaudeCode:
    """The client with the repository folder as plugin, whose environment is ready."""
    client = ClaudeCode(tmp_path, installation.command, "--plugin-dir", str(REPOSITORY))
    data = client.home / ".claude/plugins/data/groundwire-inline"
    data.mkdir(parents=True)
    (data / installation.marker.name).write_bytes(installation.marker.read_bytes())
    return client
