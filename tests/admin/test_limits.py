"""Size, rate and time of what a client sends."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from groundwire.server.message import LARGEST_BODY
from groundwire_admin.web.guard import LARGEST_REQUEST
from groundwire_admin.web.wire import LONGEST_HEAD
from tests.admin.server import AdminServer, is_problem
from tests.hook.messages import stop
from tests.server.resident import exchange


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large(server: AdminServer, chunked: bool) -> None:
    data = b"x" * (LARGEST_REQUEST + 1)
    content = iter([data[:1000], data[1000:]]) if chunked else data
    fields = is_problem(server.client.post("/api/v1/none", content=content), 413)
    assert f"{LARGEST_REQUEST} bytes" in fields["detail"]


def test_a_large_message_is_taken_by_the_hook(server: AdminServer) -> None:
    data = stop("The log ends with a stack trace.\n" * 60_000)
    assert LARGEST_REQUEST < len(data) < LARGEST_BODY
    assert server.client.post("/hook", content=data).status_code == 200
    answer = server.client.post("/hook", content=b" " * (LARGEST_BODY + 1))
    assert answer.status_code == 413


def test_a_body_of_a_stranger_is_not_read(server: AdminServer) -> None:
    answer = server.stranger.post("/api/v1/none", content=b"x" * 900_000)
    is_problem(answer, 401)


def test_a_head_that_does_not_end(server: AdminServer) -> None:
    begun = time.monotonic()
    half = b"GET /healthz HTTP/1.1\r\nHost:"
    assert exchange(server.port, half) == b""
    assert LONGEST_HEAD - 1 < time.monotonic() - begun < LONGEST_HEAD + 3


def test_a_second_head_that_does_not_end(server: AdminServer) -> None:
    whole = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
        connection.sendall(whole + b"GET /hea")
        begun = time.monotonic()
        answer = b""
        while chunk := connection.recv(1 << 16):
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert time.monotonic() - begun < LONGEST_HEAD + 3


def test_a_body_that_does_not_end(server: AdminServer) -> None:
    head = (
        f"POST /api/v1/none HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\nContent-Length: 9\r\n\r\nx"
    )
    assert exchange(server.port, head.encode()).startswith(b"HTTP/1.1 408 ")


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    admin = AdminServer(tmp_path_factory.mktemp("slow") / "home", "--rate", "2")
    yield admin
    admin.close()


def test_too_many_requests(slow: AdminServer) -> None:
    statuses = [slow.client.get("/metrics").status_code for _ in range(20)]
    assert statuses[0] == 200
    refused = slow.client.get("/metrics")
    is_problem(refused, 429)
    time.sleep(int(refused.headers["retry-after"]))
    assert slow.client.get("/metrics").status_code == 200


def test_strangers_do_not_use_up_the_rate_of_others(slow: AdminServer) -> None:
    time.sleep(2)
    statuses = {slow.stranger.get("/metrics").status_code for _ in range(20)}
    assert statuses == {401, 429}
    assert slow.client.get("/metrics").status_code == 200


def test_guessing_on_the_login_page_is_slowed_down(server: AdminServer) -> None:
    for _ in range(30):
        answer = server.stranger.post("/login", data={"token": "guess"})
    is_problem(answer, 429)
    assert server.stranger.get("/login").status_code == 200
