"""Who gets in: token, session, Host, Origin, websockets."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie

import pytest
import websockets.exceptions
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.admin.server import AdminServer, is_problem
from tests.server.resident import exchange

SOCKET = "/admin/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
GUARDED = ["/metrics", "/api/v1/none", "/none", "/admin/", "/admin/_nicegui/x", "/"]


@pytest.mark.parametrize("path", ["/healthz", "/login", "/openapi.json"])
def test_open_to_everybody(server: AdminServer, path: str) -> None:
    assert server.stranger.get(path).status_code == 200


@pytest.mark.parametrize("path", GUARDED)
def test_nothing_else_without_a_token(server: AdminServer, path: str) -> None:
    is_problem(server.stranger.get(path), 401)


BAD_TOKENS = [
    "",
    "Bearer",
    "Bearer wrong",
    "Basic {}",
    "{}",
    "Bearer {}0",
    "Bearer {} {}",
]


@pytest.mark.parametrize("value", BAD_TOKENS)
def test_wrong_tokens(server: AdminServer, value: str) -> None:
    headers = {"Authorization": value.replace("{}", server.token)}
    answer = server.stranger.get("/metrics", headers=headers)
    is_problem(answer, 401)
    assert answer.headers["www-authenticate"] == "Bearer"


def test_pages_lead_a_browser_to_the_login_page_and_back(server: AdminServer) -> None:
    answer = server.stranger.get("/admin/decisions?a=1", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?next=/admin/decisions")
    page = server.stranger.get(answer.headers["location"])
    assert 'value="/admin/decisions"' in page.text
    fields = {"token": server.token, "next": "/admin/decisions"}
    answer = server.stranger.post("/login", data=fields)
    server.stranger.cookies.clear()
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/decisions")


def test_the_cookie_is_for_this_server_alone(server: AdminServer) -> None:
    answer = server.client.post("/login", data={"token": server.token})
    server.client.cookies.clear()
    [morsel] = SimpleCookie(answer.headers["set-cookie"]).values()
    assert morsel.key == f"groundwire_{server.port}"
    assert server.token not in morsel.value
    assert (morsel["httponly"], morsel["samesite"], morsel["path"]) == (True, "Strict", "/")
    assert morsel["domain"] == ""
    assert 0 < int(morsel["max-age"]) <= 24 * 3600


@pytest.mark.parametrize(
    "token", ["", "wrong", "{}0", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")]
)
def test_a_wrong_token_on_the_login_page(server: AdminServer, token: str) -> None:
    fields = {"token": token.replace("{}", server.token), "next": '/admin/"><script>'}
    answer = server.stranger.post("/login", data=fields)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
    assert 'role="alert"' in answer.text
    assert "<script>" not in answer.text


ELSEWHERE = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "evil",
    "",
    "/login",
    "/\n",
]


@pytest.mark.parametrize("target", ELSEWHERE)
def test_the_login_leads_nowhere_else(server: AdminServer, target: str) -> None:
    with server.browser() as browser:
        answer = browser.get("/login", params={"next": target})
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/")


def test_a_session_reads_and_ends(server: AdminServer) -> None:
    with server.browser(anew=True) as browser:
        assert browser.get("/metrics").status_code == 200
        kept = dict(browser.cookies)
        out = browser.post("/logout")
        assert (out.status_code, out.headers["location"]) == (303, "/login")
        assert f"groundwire_{server.port}=; Path=/; Max-Age=0;" in out.headers["set-cookie"]
        browser.cookies.update(kept)
        is_problem(browser.get("/metrics"), 401)


def forged(cookie: str) -> list[str]:
    """Return cookies like ``cookie`` that this server has not made."""
    value, time, signature = cookie.split(".")
    return [
        f"{value}.{time}.{signature[:-2]}aa",
        f"{'0' * len(value)}.{time}.{signature}",
        f"{value}.AAAAAA.{signature}",
        value,
        "",
        '"',
    ]


def test_forged_sessions(server: AdminServer) -> None:
    with server.browser() as browser:
        [(name, value)] = browser.cookies.items()
    for cookie in forged(value):
        answer = server.stranger.get("/metrics", headers={"Cookie": f"{name}={cookie}"})
        is_problem(answer, 401)
    answer = server.stranger.get("/metrics", headers={"Cookie": f"groundwire_1={value}"})
    is_problem(answer, 401)


HOSTS = [
    ("evil.example:{port}", 421),
    ("127.0.0.1", 421),
    ("127.0.0.1:1", 421),
    ("10.0.0.1:{port}", 421),
    ("", 421),
    ("localhost:{port}", 200),
    ("LOCALHOST:{port}", 200),
    ("[::1]:{port}", 200),
]


@pytest.mark.parametrize(("host", "status"), HOSTS)
def test_host(server: AdminServer, host: str, status: int) -> None:
    """A page of another site may have rebound its name to this address."""
    answer = server.client.get("/metrics", headers={"Host": host.format(port=server.port)})
    assert answer.status_code == status
    if status != 200:
        is_problem(answer, status)


ORIGINS = [
    "http://evil.example",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:1",
    "http://127.0.0.1:{port}.evil.example",
    "null",
    "",
]


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("path", ["/metrics", "/hook", "/login", "/healthz", "/logout"])
def test_a_foreign_origin(server: AdminServer, path: str, origin: str) -> None:
    headers = {"Origin": origin.format(port=server.port)}
    with server.browser() as browser:
        is_problem(browser.post(path, headers=headers), 403)
        is_problem(browser.get(path, headers=headers), 403)


def test_a_change_by_cookie_needs_an_origin(server: AdminServer) -> None:
    with server.browser() as browser:
        del browser.headers["Origin"]
        is_problem(browser.post("/logout"), 403)
        assert browser.get("/metrics").status_code == 200


TWICE = ["Host: localhost:{port}", "Authorization: Bearer x", "Origin: http://localhost:{port}"]


@pytest.mark.parametrize("line", TWICE)
def test_a_header_that_is_there_twice(server: AdminServer, line: str) -> None:
    rows = [
        "GET /metrics HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        f"Authorization: Bearer {server.token}",
        f"Origin: {server.url}",
        "Connection: close",
    ]
    request = "\r\n".join([*rows, line.format(port=server.port), "", ""])
    assert exchange(server.port, request.encode()).startswith(b"HTTP/1.1 400 ")
    request = "\r\n".join([*rows, "", ""])
    assert exchange(server.port, request.encode()).startswith(b"HTTP/1.1 200 ")


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


def test_headers_for_browsers(server: AdminServer) -> None:
    headers = server.stranger.get("/login").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert not re.findall(r"https?:", headers["content-security-policy"])
    assert "server" not in headers
