"""The resident hook on its Unix socket: the same answers, and the hook's own where it cannot."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groundwire.hook import resident
from groundwire.hook.resident import peer_user
from groundwire_server.resident.local import stop_local
from tests.cli.command import Command
from tests.hook.messages import GUESS, stop
from tests.server.resident import Local
from tests.support.waiting import wait_until


@pytest.fixture
def local(home: Path) -> Iterator[Local]:
    with Local(home) as found:
        yield found


def test_one_is_started_and_has_the_environment_of_each_event(local: Local) -> None:
    assert json.loads(local.send(stop(GUESS, session_id="a")).body)["decision"] == "block"
    wait_until(local.runs)
    modes = [path.stat().st_mode & 0o777 for path in (local.folder, *local.folder.iterdir())]
    assert modes == [0o700, 0o600, 0o600]
    off = local.send(stop(GUESS, session_id="b"), GROUNDWIRE_MODE="off")
    assert off.body == b""
    with ThreadPoolExecutor(8) as pool:
        said = list(pool.map(lambda n: local.send(stop(GUESS, session_id=f"c{n}")), range(16)))
    assert all(b'"block"' in one.body for one in said)
    assert stop_local(local.env)
    wait_until(lambda: not local.runs())


@pytest.mark.parametrize("how", ["stopped", "killed", "open folder", "link", "another user"])
def test_the_hook_answers_itself(local: Local, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    local.start()
    assert local.process
    if how == "stopped":
        local.process.send_signal(signal.SIGSTOP)
    elif how == "killed":
        local.process.kill()
        local.process.wait()
    elif how == "open folder":
        local.folder.chmod(0o755)
    elif how == "link":
        local.folder.rename(local.home / "elsewhere")
        local.folder.symlink_to(local.home / "elsewhere")
    else:
        monkeypatch.setattr(resident, "peer_user", lambda _: os.geteuid() + 1)
    assert not local.runs()
    assert b'"block"' in local.send(stop(GUESS)).body
    if how == "stopped":  # it never saw the event; who was started meanwhile ends at its lock
        time.sleep(1)
        local.process.send_signal(signal.SIGCONT)
        wait_until(local.runs)
    assert [line["decision"] for line in local.log() if line["event"] == "Stop"] == ["block"]
    if how in ("open folder", "link"):
        assert local.told() == []
    if how == "killed":
        wait_until(local.runs)


def test_both_sides_know_the_user_of_the_other() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert (peer_user(one), peer_user(other)) == (os.geteuid(),) * 2
    with socket.socket() as none:
        assert peer_user(none) != os.geteuid()


def test_it_is_registered_shown_and_ended(cli: Command) -> None:
    cli.out("install", "--resident")
    settings = (cli.home / ".claude/settings.json").read_text(encoding="utf-8")
    assert settings.count('"--resident"') == 3
    assert "the resident hook does not run; the next turn starts it" in cli.out("doctor")
    with Local(cli.home) as local:
        local.start()
        assert "the resident hook answers" in cli.out("doctor")
        assert "the resident hook ends" in cli.out("uninstall")
        assert local.process
        assert local.process.wait(20) == 0
