"""``groundwire install`` and ``uninstall`` as commands."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.cli.main import main
from groundwire.install.entry import EVENTS, current_entry
from tests.support.inside import run_inside
from tests.support.tables import table

TEXT = '{\n    "model": "opus"\n}\n'


class Sandbox:
    """A home and a project folder for the command."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "project"
        self.user = self.home / ".claude" / "settings.json"
        for path in (self.user.parent, self.project):
            path.mkdir(parents=True)

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        env = {"HOME": str(self.home), "LANG": "C.UTF-8", **variables}
        done = run_inside(main, ["groundwire", *arguments], b"", env, self.project)
        printed = done.stdout.decode(), done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, *printed)

    def start(self, handler: dict[str, Any], event: dict[str, str]) -> None:
        """Run a registered command on an event."""
        subprocess.run(
            [handler["command"], *handler["args"]],
            input=json.dumps(event).encode(),
            env={"HOME": str(self.home), "LANG": "C.UTF-8"},
            stdout=subprocess.DEVNULL,
            timeout=30,
            check=True,
        )

    def wait_until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 20
        while not holds():
            assert time.monotonic() < deadline, "it did not come about"
            time.sleep(0.02)


@pytest.fixture
def box(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


def registered(path: Path) -> list[str]:
    handler = current_entry().handler()
    hooks = json.loads(path.read_bytes()).get("hooks", {})
    return [event for event, groups in hooks.items() if groups == [{"hooks": [handler]}]]


def test_install_and_uninstall_leave_the_file_as_it_was(box: Sandbox) -> None:
    box.user.write_text(TEXT, encoding="utf-8")
    done = box.run("install")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        f"registered for {', '.join(EVENTS)} in {box.user}\n"
        f"a copy of the file before: {box.user}.groundwire-backup\n"
    )
    assert registered(box.user) == list(EVENTS)
    before = {path: path.stat().st_mtime_ns for path in box.user.parent.iterdir()}
    done = box.run("install", "--user")
    assert done.stdout == f"already registered for {', '.join(EVENTS)} in {box.user}\n"
    assert {path: path.stat().st_mtime_ns for path in box.user.parent.iterdir()} == before
    done = box.run("uninstall")
    assert done.stdout.startswith(f"removed the hook in {box.user}\n")
    assert box.user.read_text(encoding="utf-8") == TEXT


@table
def test_the_scopes_of_a_project(option: str, name: str, box: Sandbox) -> None:
    path = box.project / ".claude" / name
    done = box.run("install", option)
    assert registered(path) == list(EVENTS)
    assert ("path of this machine" in done.stderr) is (option == "--project")
    assert box.run("uninstall", option).returncode == 0
    assert path.read_text(encoding="utf-8") == "{}\n"
    assert not box.user.exists()
    done = box.run("uninstall", option)
    assert done.stdout == f"the hook is not registered in {path}\n"
    done = box.run("install", "--user", "--project", "--local")
    assert done.returncode == 2
    assert "choose one of --user, --project and --local" in done.stderr


def test_another_configuration_folder_and_what_keeps_hooks_from_running(
    box: Sandbox, tmp_path: Path
) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "settings.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    done = box.run("install", "--user", CLAUDE_CONFIG_DIR=str(tmp_path / "c"))
    assert registered(tmp_path / "c" / "settings.json") == list(EVENTS)
    assert not box.user.exists()
    assert done.returncode == 0
    assert 'settings.json: "disableAllHooks" is true' in done.stderr


def test_dry_run_shows_the_difference_and_writes_nothing(box: Sandbox) -> None:
    box.user.write_text(TEXT, encoding="utf-8")
    done = box.run("install", "--dry-run")
    assert done.stdout.startswith(f"--- {box.user}\n+++ {box.user}\n@@ ")
    assert f'+                        "command": "{current_entry().interpreter}",\n' in done.stdout
    assert list(box.user.parent.iterdir()) == [box.user]
    assert box.user.read_text(encoding="utf-8") == TEXT


def test_a_broken_file_is_refused_and_left_alone(box: Sandbox) -> None:
    box.user.write_text('{\n  "a": 1,,\n}', encoding="utf-8")
    for command in ("install", "uninstall"):
        done = box.run(command)
        assert done.returncode != 0
        assert f"{box.user}: line 2: not valid JSON" in done.stderr
        assert "Traceback" not in done.stderr
    assert box.user.read_text(encoding="utf-8") == '{\n  "a": 1,,\n}'
    assert list(box.user.parent.iterdir()) == [box.user]
