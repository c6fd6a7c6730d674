"""Who gets in where no session as text can knock: websockets, and every write there is."""

import pytest
import websockets.exceptions
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.admin.server import AdminServer, is_problem

SOCKET = "/admin/_nicegui_ws/socket.io/?EIO=4&transport=websocket"


def shakes_hands(server: AdminServer, **headers: str) -> bool:
    origin = Origin(headers.pop("Origin")) if "Origin" in headers else None
    try:
        with connect(
            f"ws://127.0.0.1:{server.port}{SOCKET}", additional_headers=headers, origin=origin
        ) as socket:
            return str(socket.recv(10)).startswith("0{")
    except websockets.exceptions.InvalidStatus as refused:
        return refused.response.status_code != 403


def test_websockets_of_the_pages(server: AdminServer) -> None:
    with server.browser() as browser:
        [(name, value)] = browser.cookies.items()
    cookie = {"Cookie": f"{name}={value}"}
    assert shakes_hands(server, **cookie, Origin=server.url)
    assert shakes_hands(server, Authorization=f"Bearer {server.token}")
    assert not shakes_hands(server, Origin=server.url)
    assert not shakes_hands(server)
    assert not shakes_hands(server, **cookie)
    assert not shakes_hands(server, **cookie, Origin="http://evil.example")
    assert not shakes_hands(server, Cookie=f"{name}=x{value}", Origin=server.url)
    assert not shakes_hands(server, Authorization="Bearer x")


def test_an_open_websocket_ends_with_its_session(server: AdminServer) -> None:
    with server.browser(anew=True) as browser:
        [(name, value)] = browser.cookies.items()
        url, headers = f"ws://127.0.0.1:{server.port}{SOCKET}", {"Cookie": f"{name}={value}"}
        with connect(url, additional_headers=headers, origin=Origin(server.url)) as socket:
            assert str(socket.recv(10)).startswith("0{")
            socket.send("40")
            assert str(socket.recv(10)).startswith("4")
            assert browser.post("/logout").status_code == 303
            socket.send("42[]")
            with pytest.raises(websockets.exceptions.ConnectionClosed) as closed:
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
