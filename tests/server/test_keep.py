"""The start of a session sees that the server runs: dead, alive, old, or its port taken."""

import json
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from groundwire.base.errors import ServerError
from groundwire.base.version import __version__
from groundwire_server.resident.client import BusyError, is_taken, stop_server
from groundwire_server.resident.handler import HookHandler
from groundwire_server.resident.listener import Listener
from groundwire_server.resident.message import HEALTH, Head
from groundwire_server.resident.token import ensure_token, known_token
from tests.cli.command import Command
from tests.conftest import RUN
from tests.server.resident import Place, free_port
from tests.support.programs import process_of, run_program


class Beginning(Place):
    """Where sessions begin that see to it that the server runs."""

    def start_session(self) -> subprocess.CompletedProcess[bytes]:
        """Run the registered command of ``install --http`` at the start of a session."""
        event = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s"}
        command = [sys.executable, "-I", "-S", RUN, "--resident", str(self.port)]
        return run_program(command, json.dumps({**event, "cwd": str(self.home)}), self.env)


@pytest.fixture
def place(home: Path) -> Iterator[Beginning]:
    with Beginning(home) as found:
        yield found


def test_a_dead_server_is_started_once_and_outlives_the_session(place: Beginning) -> None:
    done = place.start_session()
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"groundwire reads each final message" in done.stdout
    assert place.version == __version__
    [told] = place.told()
    assert "was not running and was started" in told
    assert place.start_session().returncode == 0
    assert len(place.told()) == 1


def test_the_server_has_nothing_of_the_session_that_started_it(place: Beginning) -> None:
    place.env |= {"GROUNDWIRE_MODE": "off", "CLAUDE_PROJECT_DIR": "/", "OTHER": "kept"}
    place.start_session()
    process = process_of("groundwire_server.resident", str(place.port))
    environment = (process / "environ").read_bytes().split(b"\0")
    names = {line.partition(b"=")[0] for line in environment if line}
    assert names == {b"HOME", b"PATH", b"LANG", b"OTHER"}
    assert (process / "cwd").readlink() == Path("/")


def test_many_sessions_at_once_start_one_server(place: Beginning) -> None:
    with ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda _: place.start_session(), range(5)))
    assert place.version == __version__
    time.sleep(0.5)  # those that came second give up
    assert not [told for told in place.told() if "cannot" in told]


def test_an_old_server_is_replaced(place: Beginning, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener(place.port)
    monkeypatch.setattr("groundwire_server.resident.handler.__version__", "0.0.1")
    ended = threading.Event()
    handler = HookHandler(place.env, place.port, place.token, place.admin, ended.set)
    listener.start(handler, pytest.fail)
    assert place.version == "0.0.1"
    with ThreadPoolExecutor(1) as pool:
        session = pool.submit(place.start_session)
        assert ended.wait(20), "the old server was not told to end"
        listener.stop()
        assert session.result().returncode == 0
    assert place.version == __version__
    assert "of version 0.0.1 was replaced" in place.told()[-1]


def test_a_port_of_somebody_else_is_told_and_gets_no_token(place: Beginning) -> None:
    """The program there answers like groundwire, and passes the challenge on to the real one."""
    heard: list[bytes] = []
    handler = HookHandler(place.env, free_port(), place.token, place.admin)

    def impostor(taken: socket.socket) -> None:
        while True:
            with suppress(OSError):
                connection, _ = taken.accept()
                with connection:
                    heard.append(connection.recv(1 << 16))
                    lines = heard[-1].decode("latin-1").split("\r\n")[1:]
                    headers = {a.lower(): b for a, _, b in (line.partition(": ") for line in lines)}
                    body = handler.answer(Head("GET", HEALTH, headers), b"").body
                    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + body)
                continue
            return

    with socket.create_server(("127.0.0.1", place.port)) as taken:
        threading.Thread(target=impostor, args=(taken,), daemon=True).start()
        assert is_taken(place.port)
        done = place.start_session()
        assert not stop_server(place.port, place.env)
        install = Command(place.home / "x")
        install.env = place.env
        refused = install("install", "--http", "--port", str(place.port))
        taken.shutdown(socket.SHUT_RDWR)
    assert (done.returncode, done.stderr) == (0, b"")
    told = json.loads(done.stdout)["systemMessage"]
    assert f"port {place.port} is taken by another program" in told
    assert f"port {place.port} is taken by another program" in place.told()[-1]
    assert refused.returncode == 2
    assert f"--port {place.port}: taken by another program" in refused.stderr.decode()
    assert heard
    assert not [request for request in heard if place.token.encode() in request]


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_with_too_much_to_do_is_not_taken_for_another_program(
    place: Beginning, status: int
) -> None:
    class Busy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(status)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", place.port), Busy) as busy:
        threading.Thread(target=busy.serve_forever, args=(0.01,)).start()
        done = place.start_session()
        with pytest.raises(BusyError, match=f"status {status}"):
            stop_server(place.port, place.env)
        busy.shutdown()
    assert "systemMessage" not in json.loads(done.stdout)
    assert place.told() == [f"port {place.port}: too busy to say whose it is (status {status})"]


def file_of(home: Path) -> Path:
    return home / ".local/state/groundwire/server-token"


def test_it_is_made_once_and_private(home: Path) -> None:
    env = {"HOME": str(home)}
    assert known_token(env) == ""
    assert list(home.iterdir()) == []
    token = ensure_token(env)
    assert len(token) == 64
    assert ensure_token(env) == known_token(env) == token
    assert stat.S_IMODE(file_of(home).stat().st_mode) == 0o600
    assert [path.name for path in file_of(home).parent.iterdir()] == ["server-token"]


def test_what_others_may_read_or_is_no_token_is_refused(home: Path) -> None:
    env = {"HOME": str(home)}
    ensure_token(env)
    for text in ("", "short\n", "x" * 63 + "!\n", "a" * 65):
        file_of(home).write_text(text, encoding="utf-8")
        with pytest.raises(ServerError, match="is no token; remove it"):
            ensure_token(env)
    for mode in (0o640, 0o604, 0o644, 0o660):
        file_of(home).chmod(mode)
        with pytest.raises(ServerError, match=f"{file_of(home)}: mode {oct(mode)}; allowed: 0o6"):
            ensure_token(env)
    file_of(home).unlink()
    file_of(home).symlink_to(home / "elsewhere")
    (home / "file").touch()
    for folder, said in ((home, "server-token: "), (home / "file", "Not a directory")):
        with pytest.raises(ServerError, match=said):
            ensure_token({"HOME": str(folder)})
    with pytest.raises(ServerError, match="HOME is not set"):
        ensure_token({})
