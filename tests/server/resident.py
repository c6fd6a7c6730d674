"""The resident server as a process of its own, and clients that talk to it over loopback."""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.server.client import running_version, stop_server
from groundwire.server.token import ensure_token
from tests.support.decisions import decisions


class Answer(NamedTuple):
    status: int
    body: bytes


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def exchange(port: int, data: bytes) -> bytes:
    """Send ``data`` over a new connection and return all that comes back."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(data)
        while chunk := connection.recv(1 << 16):
            answer += chunk
    return answer


class Resident:
    """A running server with a home folder of its own."""

    def __init__(self, home: Path, *program: str, **env: str) -> None:
        self.home = home
        self.env = {"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", **env}
        self.projects = home / ".claude" / "projects"
        self.projects.mkdir(parents=True)
        self.port = free_port()
        self.token = ensure_token(self.env)
        self.process = subprocess.Popen(
            [sys.executable, "-I", *(program or ("-m", "groundwire.server")), str(self.port)],
            env=self.env,
        )
        deadline = time.monotonic() + 20
        while not running_version(self.port, self.token):
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.02)

    def close(self) -> None:
        stop_server(self.port, self.token)
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

    def log(self) -> list[dict[str, Any]]:
        return decisions(self.home)
