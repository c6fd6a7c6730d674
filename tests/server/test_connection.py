"""What stands on the wire: well-formed requests, malformed ones, slow and large ones."""

from __future__ import annotations

import socket
import time

import pytest

from groundwire.server.connection import LARGEST_HEAD, LONGEST_READ, BadRequestError, parse_head
from groundwire.server.message import LARGEST_BODY
from tests.hook.messages import CLEAN, GUESS, stop
from tests.server.resident import Resident, exchange


def test_a_head_is_read() -> None:
    head = parse_head(b"POST /hook HTTP/1.1\r\nHost: a:1\r\nX-Two:  b \r\nX-Empty:")
    assert (head.method, head.path) == ("POST", "/hook")
    assert head.headers == {"host": "a:1", "x-two": "b", "x-empty": ""}


MALFORMED = [
    (b"", 400),
    (b"POST /hook", 400),
    (b"POST  /hook HTTP/1.1", 400),
    (b"POST /hook HTTP/2", 400),
    (b"POST /hook HTTP/1.1\r\nHost", 400),
    (b"POST /hook HTTP/1.1\r\n: a", 400),
    (b"POST /hook HTTP/1.1\r\nHost : a", 400),  # some servers take it for Host, some do not
    (b"POST /hook HTTP/1.1\r\nX: a\r\n folded", 400),
    (b"POST /hook HTTP/1.1\r\nHost: a\r\nhost: b", 400),
    (b"POST /hook HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2", 400),
    (b"POST /hook HTTP/1.1\r\nContent-Length: -1", 400),
    (b"POST /hook HTTP/1.1\r\nContent-Length: 1_0", 400),
    (b"POST /hook HTTP/1.1\r\nContent-Length: \xb2", 400),
    (b"POST /hook HTTP/1.1\r\nContent-Length: 99999999999999999999", 400),
    (b"POST /hook HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
]


@pytest.mark.parametrize(("data", "status"), MALFORMED, ids=[repr(row[0]) for row in MALFORMED])
def test_malformed_heads(data: bytes, status: int) -> None:
    with pytest.raises(BadRequestError) as raised:
        parse_head(data)
    assert raised.value.status == status


def test_bad_requests_get_their_status_and_the_server_goes_on(resident: Resident) -> None:
    assert exchange(resident.port, b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    long = b"GET /alive HTTP/1.1\r\nX: " + b"x" * (2 * LARGEST_HEAD)
    assert exchange(resident.port, long + b"\r\n\r\n").startswith(b"HTTP/1.1 431 ")
    too_long = str(LARGEST_BODY + 1)
    assert resident.send(b"", content_length=too_long, expect="100-continue").status == 413
    # the answer arrives although a large body is still on its way
    assert resident.send(b"x" * 300_000, authorization="Bearer no").status == 401
    assert resident(last_assistant_message=GUESS)["decision"] == "block"


def test_the_body_waits_for_the_word_to_continue(resident: Resident) -> None:
    body = stop(GUESS)
    head = resident.request(body, expect="100-continue").removesuffix(body)
    with socket.create_connection(("127.0.0.1", resident.port), 20) as connection:
        connection.sendall(head)
        assert connection.recv(1000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_request_byte_by_byte(resident: Resident) -> None:
    with socket.create_connection(("127.0.0.1", resident.port), 20) as connection:
        for byte in resident.request(stop(CLEAN)):
            connection.sendall(bytes([byte]))
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n")


def test_slow_requests_end_in_time_and_hold_up_nobody(resident: Resident) -> None:
    begun = time.monotonic()
    slow = [socket.create_connection(("127.0.0.1", resident.port), 20) for _ in range(8)]
    for connection in slow:
        connection.sendall(b"POST /hook HTTP/1.1\r\nHost:")
    assert resident(last_assistant_message=GUESS)["decision"] == "block"
    assert time.monotonic() - begun < LONGEST_READ - 1
    for connection in slow:
        assert connection.recv(1000).startswith(b"HTTP/1.1 408 ")
        connection.close()
    assert time.monotonic() - begun < LONGEST_READ + 3


def test_a_client_that_goes_away_costs_nothing(resident: Resident) -> None:
    for _ in range(40):
        with socket.create_connection(("127.0.0.1", resident.port), 20) as connection:
            connection.sendall(resident.request(stop(GUESS))[:-5])
    assert resident(last_assistant_message=GUESS)["decision"] == "block"
