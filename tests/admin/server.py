"""The admin server as a process of its own, and the clients that talk to it over loopback."""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from tests.server.resident import Place
from tests.support.waiting import wait_until

#: Two busy cores may need long for the imports.
_START_SECONDS = 120.0
GROUNDWIRE = Path(sys.executable).with_name("groundwire")


class AdminServer(Place):
    """``groundwire serve --admin`` with a home folder of its own; ``client`` holds the token."""

    def __init__(
        self,
        home: Path,
        *options: str,
        scheme: str = "http",
        port: int = 0,
        env: Mapping[str, str] | None = None,
        program: Sequence[str | Path] = (GROUNDWIRE,),
    ) -> None:
        super().__init__(home, env, port)
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self.stderr = home / "server.stderr"
        self.database = home / ".local/state/groundwire/groundwire.db"
        self.command = [*program, "serve", "--admin", "--port", str(self.port), *options]
        headers = {"Authorization": f"Bearer {self.admin}"}
        common: dict[str, Any] = {"base_url": self.url, "timeout": 30, "verify": False}
        self.client = httpx.Client(headers=headers, **common)
        self.stranger = httpx.Client(**common)
        self.start()

    def start(self) -> None:
        """Start the process, or a new one after its end, and wait until it answers."""
        with self.stderr.open("ab") as stderr:
            self.process = subprocess.Popen(
                self.command, env=self.env, cwd=self.home, stdout=subprocess.DEVNULL, stderr=stderr
            )
        try:
            wait_until(self._answers, said="there is no server", seconds=_START_SECONDS)
        except BaseException:
            self.close()
            raise

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.stderr.read_text(encoding="utf-8")
        try:  # a resident server on its port has no such page
            return self.stranger.get("/login").status_code == 200
        except httpx.TransportError:
            return False

    def browser(self) -> httpx.Client:
        """Return a client that signed in on the login page, with the origin of our pages."""
        signed_in = self.stranger.post("/login", data={"token": self.admin})
        assert signed_in.status_code == 303, signed_in.text
        cookies = dict(self.stranger.cookies)
        self.stranger.cookies.clear()
        headers = {"Origin": self.url}
        return httpx.Client(base_url=self.url, timeout=30, headers=headers, cookies=cookies)

    def lines(self) -> list[dict[str, Any]]:
        """Return the lines of the server's log; each has to be JSON."""
        lines = self.stderr.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def close(self) -> None:
        self.client.close()
        self.stranger.close()
        try:
            if self.process.poll() is None:
                self.stop()
        finally:
            self.process.kill()
            self.process.wait()


def is_problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """Check that ``answer`` is a problem of ``status``; return its fields."""
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "application/problem+json",
    ), answer.text
    fields: dict[str, Any] = answer.json()
    assert fields["status"] == status
    assert fields["detail"]
    assert "Traceback" not in answer.text
    return fields
