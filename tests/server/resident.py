"""The resident server as a process of its own, and clients that talk to it over loopback."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from groundwire.hook.resident import connected, socket_path
from groundwire_server.resident.client import running_version, stop_server
from groundwire_server.resident.local import stop_local
from groundwire_server.resident.token import ADMIN_TOKEN, ensure_token
from tests.conftest import RUN
from tests.support.decisions import decisions
from tests.support.programs import run_program
from tests.support.waiting import wait_until


class Answer(NamedTuple):
    status: int
    body: bytes


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


@contextmanager
def half_sent(
    port: int, count: int, data: bytes = b"POST /hook HTTP/1.1\r\nHost:"
) -> Iterator[list[socket.socket]]:
    """Open connections whose requests do not end; they are closed at the end."""
    with ExitStack() as stack:
        connections = []
        for _ in range(count):
            connections.append(stack.enter_context(socket.create_connection(("127.0.0.1", port))))
            connections[-1].settimeout(20)
            connections[-1].sendall(data)
        yield connections


def exchange(port: int, data: bytes) -> bytes:
    """Send ``data`` over a new connection and return all that comes back."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(data)
        while chunk := connection.recv(1 << 16):
            answer += chunk
    return answer


class Place:
    """A home folder of its own, a port and its token, and whatever server is started there."""

    def __init__(self, home: Path, env: Mapping[str, str] | None = None, port: int = 0) -> None:
        self.home = home
        self.env = {"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", **(env or {})}
        self.projects = home / ".claude" / "projects"
        self.projects.mkdir(parents=True, exist_ok=True)
        self.port = port or free_port()
        self.token, self.admin = ensure_token(self.env), ensure_token(self.env, ADMIN_TOKEN)

    @property
    def version(self) -> str:
        """The version of the server that runs there, or nothing."""
        return running_version(self.port, self.token)

    def wait_for_server(self, runs: bool) -> None:
        said = f"there is {'no' if runs else 'still a'} server"
        wait_until(lambda: bool(self.version) is runs, said=said)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server that runs there."""
        stop_server(self.port, self.env)
        self.wait_for_server(runs=False)

    def log(self) -> list[dict[str, Any]]:
        return decisions(self.home)

    def told(self) -> list[str]:
        """Return what the decision log says about the server itself."""
        return [line["error"] for line in self.log() if line["event"] == "server"]


class Resident(Place):
    """A running server."""

    def __init__(self, home: Path, *program: str, **env: str) -> None:
        super().__init__(home, env)
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-I",
                *(program or ("-m", "groundwire_server.resident")),
                str(self.port),
            ],
            env=self.env,
        )
        self.wait_for_server(runs=True)

    def close(self) -> None:
        stop_server(self.port, self.env)
        try:
            self.process.wait(20)
        finally:
            self.process.kill()

    def request(self, body: bytes, method: str = "POST", path: str = "/hook", **more: str) -> bytes:
        """Return the bytes of a request; ``more`` are headers, which replace the usual ones."""
        headers = {
            "host": f"127.0.0.1:{self.port}",
            "authorization": f"Bearer {self.token}",
            "content-length": str(len(body)),
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
        lines = [f"{method} {path} HTTP/1.1", *(f"{n}: {v}" for n, v in headers.items() if v)]
        return "\r\n".join((*lines, "", "")).encode("latin-1") + body

    def send(self, body: bytes, **more: str) -> Answer:
        head, _, rest = exchange(self.port, self.request(body, **more)).partition(b"\r\n\r\n")
        assert f"content-length: {len(rest)}" in head.decode().lower()
        return Answer(int(head.split(b" ", 2)[1]), rest)

    def __call__(self, **event: Any) -> dict[str, Any]:
        """Send a Stop event and return the answer; {} when it is empty."""
        fields = {"hook_event_name": "Stop", "session_id": "s", "cwd": str(self.home), **event}
        status, body = self.send(json.dumps(fields).encode())
        assert status == 200, body
        answer: dict[str, Any] = json.loads(body or b"{}")
        return answer


class Local(Place):
    """A home whose command hook asks the resident one."""

    process: subprocess.Popen[bytes] | None = None

    @property
    def folder(self) -> Path:
        return Path(socket_path(self.env)).parent

    def start(self) -> None:
        command = [sys.executable, "-I", "-m", "groundwire_server.resident"]
        self.process = subprocess.Popen(command, env=self.env)
        wait_until(self.runs)

    def runs(self) -> bool:
        connection = connected(self.env)
        if connection:
            connection.close()
        return connection is not None

    def send(self, event: bytes, **env: str) -> Answer:
        command = [sys.executable, "-I", "-S", RUN, "--resident"]
        done = run_program(command, event.decode(), {**self.env, **env}, code=0)
        assert done.stderr == b""
        return Answer(200, done.stdout)

    def close(self) -> None:
        stop_local(self.env)
        if self.process:
            self.process.kill()
            self.process.wait()
