"""The running server: many clients, changed settings, both ways at once, memory, its end."""

import itertools
import json
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from benchmarks.load import BAD, load
from benchmarks.resident import Server
from groundwire_server.resident.client import running_version
from tests.conftest import Hook
from tests.hook.messages import FALSE, GUESS, LONE, LONE_MATCH, stop, write_turn
from tests.server.resident import Resident
from tests.support.waiting import wait_until


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_client_costs_the_others_nothing(home: Path, bad: str) -> None:
    """``make load`` does it for ten minutes, with 32 clients."""
    server = Server(home)
    try:
        found = load(server, bad, seconds=2.0, clients=4)
    finally:
        server.close()
    assert found.errors == []
    assert len(found.spent) >= 4
    assert server.process.returncode == 0


def test_the_command_and_the_server_share_what_was_sent(resident: Resident) -> None:
    command = Hook(resident.home)
    with ThreadPoolExecutor(2) as pool:
        for number in range(10):
            event = {"session_id": f"both-{number}", "last_assistant_message": GUESS}
            first = pool.submit(command, **event)
            second = pool.submit(resident, **event)
            decisions = [first.result().get("decision"), second.result().get("decision")]
            assert sorted(map(str, decisions)) == ["None", "block"]
    assert command(session_id="last", last_assistant_message=GUESS)["decision"] == "block"
    assert "decision" not in resident(session_id="last", last_assistant_message=GUESS)


def test_changed_settings_are_taken_in_without_a_restart(resident: Resident) -> None:
    assert resident(last_assistant_message=LONE) == {"matches": [LONE_MATCH]}
    hook, numbers = Hook(resident.home), itertools.count()
    hook.configure("notify = true\n")

    def answer() -> dict[str, Any]:  # settings are compiled beside the first turn
        return resident(session_id=f"x{next(numbers)}", last_assistant_message=LONE)

    wait_until(lambda: "systemMessage" in answer())
    hook.configure('notify = true\n[markers]\n"speculation.i-think" = false\n')
    wait_until(lambda: not answer(), said="the marker is still on")
    (resident.home / ".config/groundwire/config.toml").unlink()
    assert resident(session_id="y", last_assistant_message=LONE) == {"matches": [LONE_MATCH]}


def test_what_the_session_began_with_holds(resident: Resident) -> None:
    """The command at the start of a session notes its environment; the server has another."""
    command = Hook(resident.home)
    env = {**command.env, "GROUNDWIRE_MODE": "report", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    start = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "a"}
    assert command.raw(json.dumps(start).encode(), env).returncode == 0
    path = command.home / ".cache/groundwire"
    wait_until(lambda: list(path.glob("settings-*.bin")), said="the settings were not compiled")
    answer = resident(session_id="a", last_assistant_message=GUESS)
    assert set(answer) == {"matches"}
    assert resident(session_id="b", last_assistant_message=GUESS)["decision"] == "block"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda one: one.name)
def test_a_signal_ends_it_and_the_log_says_so(resident: Resident, number: signal.Signals) -> None:
    assert resident.send(stop(GUESS)).status == 200
    resident.process.send_signal(number)
    assert resident.process.wait(20) == 0
    assert not running_version(resident.port, resident.token)
    last = resident.log()[-1]
    assert last["event"] == "server"
    assert "turns end unchecked until it runs again" in last["error"]


#: The server, with turns that never end and little patience.
STUCK = """
import time
from groundwire_server.resident import __main__, handler, listener
listener.GRACE_SECONDS = 1
handler.handle_event = lambda *_: time.sleep(3600)
raise SystemExit(__main__.main())
"""


def test_turns_that_never_end_do_not_keep_it(home: Path) -> None:
    with ExitStack() as stack:
        resident = stack.enter_context(Resident(home, "-c", STUCK))
        for _ in range(45):
            connection = socket.create_connection(("127.0.0.1", resident.port))
            stack.enter_context(connection).sendall(resident.request(stop(GUESS)))
        resident.process.terminate()
        assert resident.process.wait(15) == 0
    assert "turns end unchecked until it runs again" in resident.log()[-1]["error"]


def test_a_request_at_work_is_answered_before_the_end(resident: Resident, tmp_path: Path) -> None:
    """A turn that waits for a tool result holds up the end, not the other way round."""
    path = resident.projects / "lag.jsonl"
    write_turn(path, "why?", FALSE, calls=1, failed=True)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b"lock = None" not in line))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(resident, last_assistant_message=FALSE, transcript_path=str(path))
        time.sleep(0.3)
        resident.close()
        assert "matches" in waiting.result()
