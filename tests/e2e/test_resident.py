"""Turns of the real client that are answered by the resident server, from ``install --http`` on."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.server.client import running_version, stop_server
from groundwire.server.token import ensure_token
from tests.e2e.client import ClaudeCode
from tests.e2e.conftest import Installation
from tests.e2e.stub import FAILING, FALSE, HONEST, PROMPT

pytestmark = pytest.mark.e2e

FRAMING = "groundwire reads each final message"


class Resident:
    """The client after ``groundwire install --http``, and the server that it starts."""

    def __init__(self, client: ClaudeCode, command: Path) -> None:
        self.client = client
        self.command = command
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.groundwire("install", "--http", "--port", str(self.port))
        self.token = ensure_token({"HOME": str(client.home)})

    def groundwire(self, *arguments: str) -> str:
        """Run the command with the client's home."""
        done = subprocess.run(
            [str(self.command), *arguments],
            env=self.client.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @property
    def runs(self) -> bool:
        return bool(running_version(self.port, self.token))

    def wait_until(self, runs: bool) -> None:
        end = time.monotonic() + 20
        while self.runs is not runs:
            assert time.monotonic() < end, f"the server {'does not run' if runs else 'still runs'}"
            time.sleep(0.05)

    def server_lines(self) -> list[str]:
        """What the decision log holds about the server itself."""
        return [line["error"] for line in self.client.decisions() if line["event"] == "server"]


@pytest.fixture
def resident(installation: Installation, tmp_path: Path) -> Iterator[Resident]:
    found = Resident(ClaudeCode(tmp_path), installation.command)
    yield found
    stop_server(found.port, found.token)
    found.wait_until(runs=False)


def test_a_session_starts_the_server_and_its_turn_is_sent_back(resident: Resident) -> None:
    session = resident.client.ask(PROMPT, FAILING, FALSE, HONEST)
    assert FRAMING in json.dumps(session.requests[0])
    [reason] = session.blocks()
    assert FALSE.text in reason
    assert session.result == HONEST.text
    assert not session.hook_failures()
    assert resident.runs
    [blocking] = session.attachments("hook_blocking_error")
    assert f"http://127.0.0.1:{resident.port}/hook" in json.dumps(blocking)
    turns = [line for line in resident.client.decisions() if line["event"] == "Stop"]
    assert [(line["session"], line["decision"]) for line in turns] == [
        (session.id, "block"),
        (session.id, "pass"),
    ]


def test_a_dead_server_leaves_turns_alone_until_the_next_session(resident: Resident) -> None:
    resident.client.ask(PROMPT, FAILING, FALSE, HONEST)
    resident.groundwire("serve", "--stop", "--port", str(resident.port))
    resident.wait_until(runs=False)
    assert "turns end unchecked until it runs again" in resident.server_lines()[-1]
    assert len(resident.client.ask(PROMPT, FAILING, FALSE, HONEST).blocks()) == 1
    assert "was not running and was started" in resident.server_lines()[-1]


def test_settings_of_the_session_reach_the_server(resident: Resident) -> None:
    resident.client.ask(PROMPT, FAILING, FALSE, HONEST)
    resident.client.extra["GROUNDWIRE_MODE"] = "report"
    session = resident.client.ask(PROMPT, FAILING, FALSE)
    assert not session.blocks() + session.messages_to_user()
    [output] = session.stop_outputs()
    assert "ungrounded_behavioral_assertion" in [match["kind"] for match in output["matches"]]


def test_uninstall_ends_the_server_and_leaves_nothing(resident: Resident) -> None:
    resident.client.ask(PROMPT, FAILING, FALSE, HONEST)
    assert f"the server at port {resident.port} ends" in resident.groundwire("uninstall")
    resident.wait_until(runs=False)
    assert not (resident.client.home / ".claude/settings.json").exists()
    assert not resident.client.ask(PROMPT, FAILING, FALSE).blocks()
