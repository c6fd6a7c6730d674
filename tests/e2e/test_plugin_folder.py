"""The repository folder as a plugin: what the client says of it, and how it sets itself up."""

import shutil
import subprocess
from pathlib import Path

import pytest

from groundwire import __version__
from tests.e2e.client import REPOSITORY, ClaudeCode
from tests.e2e.conftest import OFFLINE
from tests.e2e.stub import FAILING, FALSE, HONEST, PROMPT
from tests.plugin.support import wait_for

pytestmark = pytest.mark.e2e

#: Seconds that building an environment may take on a slow machine.
LONGEST_BUILD = 120


@pytest.mark.parametrize("manifest", ["", ".claude-plugin/plugin.json"])  # the folder: marketplace
def test_the_client_accepts_the_folder(tmp_path: Path, manifest: str) -> None:
    done = ClaudeCode(tmp_path).command(
        *["plugin", "validate", "--strict", "--profile", "directory", str(REPOSITORY / manifest)]
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "✔ Validation passed" in done.stdout


def test_the_first_session_builds_and_the_second_is_checked(tmp_path: Path) -> None:
    claude = ClaudeCode(tmp_path, "--plugin-dir", str(REPOSITORY))
    claude.extra |= OFFLINE
    first = claude.ask(PROMPT, FAILING, FALSE)
    assert not first.blocks()
    assert not first.hook_failures()
    [told] = first.messages_to_user()
    assert "prepares its Python environment" in told
    # The client has ended; the build goes on by itself.
    wait_for(claude.plugin_data / f"ready-{__version__}", LONGEST_BUILD)
    second = claude.ask(PROMPT, FAILING, FALSE, HONEST)
    assert len(second.blocks()) == 1
    assert not second.messages_to_user()


def test_a_failed_build_is_told_once_with_the_command_to_run(tmp_path: Path) -> None:
    claude = ClaudeCode(tmp_path, "--plugin-dir", str(REPOSITORY))
    claude.extra["PIP_NO_INDEX"] = "1"
    claude.ask(PROMPT, FAILING, FALSE)
    wait_for(claude.plugin_data / f"failed-{__version__}", LONGEST_BUILD)
    second = claude.ask(PROMPT, FAILING, FALSE)
    [told] = second.messages_to_user()
    assert f"sh {REPOSITORY}/hooks/build.sh {claude.plugin_data}" in told
    third = claude.ask(PROMPT, FAILING, FALSE)
    assert not second.blocks() + third.blocks() + third.messages_to_user()


def test_it_installs_from_its_own_marketplace(tmp_path: Path) -> None:
    # Claude Code copies the folder; without what git ignores, as it would come from a clone.
    clone = tmp_path / "clone"
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, check=True)
    for name in listed.stdout.decode().splitlines():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, clone / name)
    claude = ClaudeCode(tmp_path)
    claude.extra |= OFFLINE
    added = claude.command("plugin", "marketplace", "add", str(clone))
    assert added.returncode == 0, added.stdout + added.stderr
    done = claude.command("plugin", "install", "groundwire@groundwire")
    assert done.returncode == 0, done.stdout + done.stderr
    claude.ask(PROMPT, FAILING, FALSE)
    data = claude.home / ".claude/plugins/data/groundwire-groundwire"
    wait_for(data / f"ready-{__version__}", LONGEST_BUILD)
    assert len(claude.ask(PROMPT, FAILING, FALSE, HONEST).blocks()) == 1
