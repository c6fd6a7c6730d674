"""A client of the admin server for sessions as text (``tests/support/console.py``).

``* METHOD path body`` sends a request, in which ``~`` stands for ``/api/v1/admin`` and ``@id`` for
the first id that was answered before; lines of headers may follow behind ``+ ``, in which ``@port``
and ``@token`` are the server's, ``@hook`` is the token of the hook. It holds the token unless
``+ Authorization: none`` says else; what ``+ Cookie: @cookie`` sends are the cookies of the answer
before. Below it stand ``< status body`` with some keys of the answer, at any depth, and
``< name: value`` for its headers. A status of 400 and more is that
of a problem. A body that is no JSON is a part of the text that is answered.
``* SQL statement`` changes the server's database, ``* RESTART`` ends the server and starts another.
"""

import json
import re
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any, Self
from unittest import mock

from sqlalchemy import text
from uvicorn import Config, Server

from groundwire_server.admin.app import create_app
from groundwire_server.admin.options import AdminOptions
from groundwire_server.admin.service import open_admin
from groundwire_server.admin.store.database import open_store
from tests.admin.server import AdminServer, is_problem
from tests.cli.command import Command
from tests.support.console import part
from tests.support.waiting import wait_until

ADMIN = "/api/v1/admin"


class Inside(AdminServer):
    """The server in a thread of this process and without its pages, which starts in no time."""

    def __init__(self, home: Path, database: str, env: Mapping[str, str]) -> None:
        self.chosen = database
        super().__init__(home, env=env)

    def start(self) -> None:
        options = AdminOptions(
            self.port, self.admin, database=self.chosen, rate=0, env=dict(self.env)
        )
        with mock.patch("groundwire_server.admin.app.mount"):
            app = create_app(options, open_admin(self.chosen or None, self.env))
        self.server = Server(Config(app, port=self.port, lifespan="on", log_config=None))
        self.thread = Thread(target=self.server.run)
        self.thread.start()
        wait_until(lambda: self.server.started)

    def stop(self) -> int:
        self.server.should_exit = True
        self.thread.join()
        return 0

    def close(self) -> None:
        self.client.close()
        self.stranger.close()
        self.stop()


class Web:
    """Starts a server in the home of ``cli`` before the first request, with its environment."""

    def __init__(self, cli: Command, url: str | None = None) -> None:
        self.cli, self.url = cli, url
        self.server: AdminServer | None = None
        self.known = self.cookies = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.server:
            self.server.close()

    def started(self) -> AdminServer:
        if not self.server:
            if self.url:
                self.cli.out("db", "migrate", "--db", self.url)
            self.server = Inside(self.cli.home, self.url or "", self.cli.env)
        return self.server

    def change(self, statement: str) -> None:
        with closing(open_store(self.url, self.cli.env)) as store, store.write() as session:
            session.execute(text(statement))

    def __call__(self, first: str, lines: list[str]) -> None:
        if first.startswith("SQL "):
            self.change(first.removeprefix("SQL "))
            return
        if first == "RESTART":
            self.started().stop()
            self.started().start()
            return
        server, shown = self.started(), "\n".join([first, *lines])
        names = {"@port": server.port, "@token": server.admin, "@hook": server.token}
        for name, value in names.items():
            first = first.replace(name, str(value))
            lines = [line.replace(name, str(value)) for line in lines]
        method, path, *body = first.split(" ", 2)
        sent = [line[2:] for line in lines if line.startswith("+ ")]
        headers = dict(line.split(": ", 1) for line in ["Content-Type: application/json", *sent])
        if "@" in headers.get("Cookie", ""):
            headers["Cookie"] = headers["Cookie"].replace("@cookie", self.cookies)
        client = server.client
        if headers.get("Authorization") == "none":
            del headers["Authorization"]
            client = server.stranger
        target = path.replace("~", ADMIN).replace("@id", self.known)
        content = body[0].encode() if body else b""
        answer = client.request(method, target, content=content, headers=headers)
        client.cookies.clear()
        self.cookies = "; ".join(f"{a}={b}" for a, b in answer.cookies.items()) or self.cookies
        found = re.search(r'"id": ?"([^"]+)"', answer.text)
        self.known = found[1] if found else self.known
        status, *wanted = next(one[2:] for one in lines if one.startswith("< ")).split(" ", 1)
        assert answer.status_code == int(status), f"{shown}\n{answer.text}"
        own = path == "/hook" and answer.text.startswith('{"error"')
        if answer.status_code >= 400 and not own and not answer.text.startswith("<"):
            is_problem(answer, int(status))
        for line in [one[2:] for one in lines if one.startswith("< ")][1:]:
            name, value = line.split(": ", 1)
            assert part(answer.headers[name], value) == value, f"{shown}\n{answer.headers}"
        if wanted:
            _compare(answer.text, wanted[0], shown)


def _compare(text: str, wanted: str, shown: str) -> None:
    try:
        fields: Any = json.loads(wanted)
    except ValueError:
        assert wanted in text, f"{shown}\n{text}"
    else:
        assert part(json.loads(text), fields) == fields, f"{shown}\n{text}"
