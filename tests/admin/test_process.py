"""The process: addresses, TLS, the port, the end, the log, the missing extra."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from groundwire_server.resident.client import running_version
from groundwire_server.resident.token import ADMIN_TOKEN, ensure_token
from tests.admin.server import GROUNDWIRE, AdminServer, is_problem
from tests.cli.command import Command
from tests.conftest import Hook
from tests.hook.messages import CLEAN, GUESS, stop
from tests.server.resident import Resident
from tests.support.tables import table
from tests.support.waiting import wait_until


@pytest.fixture
def no_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """See to it that a start that is not refused fails at once, and undo what it changes."""
    for name in (
        "groundwire_server.admin.run._listen",
        "groundwire_server.commands.serve.serve_hook",
    ):
        monkeypatch.setattr(name, lambda *_: pytest.fail("it is not refused"))
    mask = os.umask(0o077)
    yield
    os.umask(mask)


@pytest.mark.usefixtures("no_server")
@table
def test_refused_options(options: list[str], said: str, cli: Command) -> None:
    printed = cli.refused("serve", *options)
    assert said in printed
    assert "Traceback" not in printed
    assert "secret" not in printed


def test_a_port_that_is_taken_is_told(cli: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cli.process("serve", "--admin", "--port", str(port))
    said = f"127.0.0.1:{port} cannot be used: Address already in use"
    assert (done.returncode, done.stdout, said in done.stderr.decode()) == (2, b"", True)


@pytest.fixture
def started(home: Path) -> Iterator[AdminServer]:
    with AdminServer(home) as server:
        yield server


def test_the_end_is_orderly_and_the_log_is_json(started: AdminServer) -> None:
    started.client.get("/healthz?token=secret")
    started.stranger.get("/metrics")
    assert started.stop() == 0
    lines = started.lines()
    assert lines[-1]["event"] == "stopped"
    requests = {line["path"]: line for line in lines if line["event"] == "request"}
    assert {"time", "level", "method", "route", "ms"} <= requests["/healthz"].keys()
    assert requests["/metrics"]["status"] == 401
    text = started.stderr.read_text(encoding="utf-8")
    assert "secret" not in text
    assert started.token not in text


def test_the_server_takes_in_by_itself(started: AdminServer) -> None:
    assert Hook(started.home).raw(stop(CLEAN)).returncode == 0
    line = 'groundwire_decisions{decision="pass"} 1.0'
    wait_until(lambda: line in started.client.get("/metrics").text, seconds=30)


def test_a_request_at_work_is_answered_when_the_end_comes(started: AdminServer) -> None:
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(started.client.post, "/hook", content=stop(f"{GUESS}\n\n" * 9_000))
        time.sleep(0.15)
        assert started.stop() == 0
        answer = asked.result()
    assert answer.status_code == 200
    assert answer.json()["matches"]
    [line] = [line for line in started.lines() if line.get("path") == "/hook"]
    assert line["ms"] > 150, "it was answered before the end came"


#: The server, with a page that never answers and little patience.
STUCK = """
import time
from groundwire.commands.main import main
from groundwire_server.admin import run
from groundwire_server.admin.service.experiment import Experiment
run.GRACE_SECONDS = 1
Experiment.shares = lambda _: time.sleep(3600)
main()
"""


@pytest.mark.parametrize("way", ["signal", "request"])
def test_a_request_that_never_ends_does_not_keep_the_server(home: Path, way: str) -> None:
    with AdminServer(home, program=(sys.executable, "-c", STUCK)) as server:
        with pytest.raises(httpx.ReadTimeout):
            server.client.get("/api/v1/admin/ab-report/shares", timeout=1)
        if way == "signal":
            server.process.terminate()
        else:
            assert server.client.post("/stop").status_code == 200
        assert server.process.wait(15) == 1
        assert server.lines()[-1]["event"] == "ended although a request is still at work"


def run_stop(server: AdminServer | Resident) -> None:
    command = [str(GROUNDWIRE), "serve", "--stop", "--port", str(server.port)]
    subprocess.run(command, env=server.env, check=True, capture_output=True, timeout=60)
    assert server.process.wait(15) == 0  # within the time that is left to requests


@pytest.mark.parametrize("what", ["a new token", "no state folder"])
def test_a_token_that_changes_meanwhile(started: AdminServer, what: str) -> None:
    """The old one and its sessions end; the server is found by the new one."""
    state = started.home / ".local/state/groundwire"
    with started.browser() as browser:
        assert browser.get("/metrics").status_code == 200
        if what == "a new token":
            (state / "admin-token").unlink()
            token = ensure_token(started.env, ADMIN_TOKEN)
            is_problem(started.client.get("/metrics"), 401)
            is_problem(browser.get("/metrics"), 401)
            headers = {"Authorization": f"Bearer {token}"}
            assert started.stranger.get("/metrics", headers=headers).status_code == 200
        else:
            shutil.rmtree(state)
            is_problem(started.client.get("/healthz"), 503)  # its database is gone, too
    run_stop(started)


def test_a_resident_server_is_found_by_a_new_token(home: Path) -> None:
    resident = Resident(home)
    (home / ".local/state/groundwire/server-token").unlink()
    assert ensure_token(resident.env) != resident.token
    run_stop(resident)


def test_it_replaces_a_resident_server_and_answers_for_it(home: Path) -> None:
    with Resident(home) as resident, AdminServer(home, port=resident.port) as admin:
        assert resident.process.wait(20) == 0
        assert running_version(admin.port, admin.token)


def test_every_address_with_tls(home: Path, tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    subject = ["-subj", "/CN=localhost", "-out", str(cert), "-keyout", str(key)]
    subprocess.run([*command, *subject], check=True, capture_output=True)
    options = ["--host", "0.0.0.0", "--tls-cert", str(cert), "--tls-key", str(key)]
    with AdminServer(home, *options, "--allow-host", "gw.example", scheme="https") as server:
        answer = server.stranger.post("/login", data={"token": server.admin})
        assert answer.headers["set-cookie"].endswith("; Secure")
        for host in (f"10.1.2.3:{server.port}", "gw.example", f"gw.example:{server.port}"):
            assert server.client.get("/metrics", headers={"Host": host}).status_code == 200
        is_problem(server.client.get("/metrics", headers={"Host": "evil.example"}), 421)
        event = json.loads(stop())
        asked = server.client.post("/hook", json=event, headers={"Host": "gw.example"})
        assert asked.json()["decision"] == "block"
        run_stop(server)
