"""A server on loopback in the place of a model's API: a function answers its POST requests."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Reply(NamedTuple):
    text: str
    status: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012


class Loopback(ThreadingHTTPServer):
    """Serves as long as it is entered; ``None`` in place of a reply drops the connection."""

    daemon_threads = True

    def __init__(self, answer: Callable[[Request], Reply | None]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Loopback

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.answer(Request(self.path, headers, body))
        self.close_connection = True
        if reply is None:
            return
        data = reply.text.encode()
        fields = {"content-type": "application/json"} | reply.headers
        with suppress(OSError):  # the client has gone, as it does when its time is over
            self.send_response(reply.status)
            for field in (*fields.items(), ("content-length", str(len(data)))):
                self.send_header(*field)
            self.end_headers()
            self.wfile.write(data)
            self.close_connection = False

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass
