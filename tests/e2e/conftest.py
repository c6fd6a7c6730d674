"""The environment of the end-to-end tests; ``make e2e`` runs ``setup.sh`` before them."""

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire import __version__
from tests.e2e.client import CLIENT, REPOSITORY, ClaudeCode

WHEELS = REPOSITORY / ".e2e/wheels"
#: What lets pip take everything from that folder and nothing from anywhere else.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": WHEELS.as_uri()}


class Installation(NamedTuple):
    """An environment with groundwire in it, built from the repository folder without network."""

    data: Path

    @property
    def marker(self) -> Path:
        return self.data / f"ready-{__version__}"

    @property
    def command(self) -> Path:
        interpreter = self.marker.read_text(encoding="utf-8").splitlines()[0]
        return Path(interpreter).with_name("groundwire")


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Built once, by the plugin's own builder, into a folder with a space in its name."""
    for needed in (CLIENT, WHEELS / "pyproject.toml"):
        assert needed.exists(), f"{needed} is missing: run 'make e2e', or tests/e2e/setup.sh"
    data = tmp_path_factory.mktemp("plugin data")
    command = ["sh", str(REPOSITORY / "hooks/build.sh"), str(data)]
    client = ClaudeCode(tmp_path_factory.mktemp("builder"))
    environment = {**client.environment, **OFFLINE}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Installation(data)


@pytest.fixture
def with_plugin(installation: Installation, tmp_path: Path) -> ClaudeCode:
    """The client with the repository folder as plugin, whose environment is ready."""
    client = ClaudeCode(tmp_path, "--plugin-dir", str(REPOSITORY))
    client.plugin_data.mkdir(parents=True)
    (client.plugin_data / installation.marker.name).write_bytes(installation.marker.read_bytes())
    return client


@pytest.fixture
def with_install(installation: Installation, tmp_path: Path) -> ClaudeCode:
    """The client after ``groundwire install --user``."""
    client = ClaudeCode(tmp_path)
    command = [str(installation.command), "install", "--user"]
    done = subprocess.run(
        command, env=client.environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return client


@pytest.fixture(params=["plugin", "install"])
def claude(request: pytest.FixtureRequest) -> ClaudeCode:
    """The client with groundwire in it, in each of the two ways to get it there."""
    client = request.getfixturevalue(f"with_{request.param}")
    assert isinstance(client, ClaudeCode)
    return client
