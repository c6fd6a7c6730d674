"""Who gets in where no session as text can knock: websockets, and every write there is."""

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.admin.server import AdminServer, is_problem

SOCKET = "/admin/_nicegui_ws/socket.io/?EIO=4&transport=websocket"


def knock(server: AdminServer, headers: dict[str, str]) -> ClientConnection:
    """Open a websocket of the pages; the library has no other way to send an Origin."""
    origin = Origin(headers["Origin"]) if "Origin" in headers else None
    others = {name: value for name, value in headers.items() if name != "Origin"}
    url = f"ws://127.0.0.1:{server.port}{SOCKET}"
    return connect(url, additional_headers=others, origin=origin)


def test_websockets_of_the_pages(server: AdminServer) -> None:
    with server.browser() as browser:
        [(name, value)] = browser.cookies.items()
    cookie, origin = {"Cookie": f"{name}={value}"}, {"Origin": server.url}
    for headers in ({**cookie, **origin}, {"Authorization": f"Bearer {server.admin}"}):
        with knock(server, headers) as socket:
            assert str(socket.recv(10)).startswith("0{")
    for headers in (
        *(origin, {}, cookie, {**cookie, "Origin": "http://evil.example"}),
        {"Cookie": f"{name}=x{value}", **origin},
        {"Authorization": "Bearer x"},
    ):
        with pytest.raises(InvalidStatus, match="403"):
            knock(server, headers)
    told = [line["event"] for line in server.lines() if "WebSocket" in line["event"]]
    assert len(told) > 1
    assert not [event for event in told if "?" in event or "EIO" in event]


def test_an_open_websocket_ends_with_its_session(server: AdminServer) -> None:
    with server.browser() as browser:
        [(name, value)] = browser.cookies.items()
        with knock(server, {"Cookie": f"{name}={value}", "Origin": server.url}) as socket:
            assert str(socket.recv(10)).startswith("0{")
            socket.send("40")
            assert str(socket.recv(10)).startswith("4")
            assert browser.post("/logout").status_code == 303
            socket.send("42[]")
            with pytest.raises(ConnectionClosed) as closed:
                list(socket)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


def test_every_write_is_guarded(server: AdminServer) -> None:
    writes = {
        (method.upper(), path.replace("{id}", "1").replace("{change}", "1"))
        for path, operations in server.client.get("/openapi.json").json()["paths"].items()
        for method in operations
        if method != "get"
    }
    assert len(writes) > 15
    wrong = {"Authorization": "Bearer wrong"}
    evil = {"Host": f"evil.example:{server.port}"}
    foreign = {"Origin": "http://evil.example"}
    with server.browser() as browser:
        del browser.headers["Origin"]
        for method, path in {*writes, ("POST", "/logout")}:
            stranger, client = server.stranger.request, server.client.request
            assert stranger(method, path, json={}).status_code == 401
            assert stranger(method, path, json={}, headers=wrong).status_code == 401
            is_problem(client(method, path, json={}, headers=evil), 421)
            is_problem(client(method, path, json={}, headers=foreign), 403)
            if path not in ("/hook", "/stop"):
                is_problem(browser.request(method, path, json={}), 403)
