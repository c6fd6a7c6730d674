"""Who gets in: token, session, Host, Origin, websockets."""

import re
from http.cookies import SimpleCookie
from urllib.parse import quote

import httpx
import pytest
import websockets.exceptions
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.admin.server import AdminServer, is_problem

SOCKET = "/admin/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
GUARDED = ["/metrics", "/api/v1/none", "/none", "/admin/", "/admin/_nicegui/x", "/"]
BAD_TOKENS = ["", "Bearer", "Bearer wrong", "Basic {}", "{}", "Bearer {}0", "Bearer {} {}"]


def test_what_is_open_and_what_needs_the_token(server: AdminServer) -> None:
    for path in ("/healthz", "/login", "/openapi.json"):
        assert server.stranger.get(path).status_code == 200
    for path in GUARDED:
        is_problem(server.stranger.get(path), 401)
    for value in BAD_TOKENS:
        headers = {"Authorization": value.replace("{}", server.token)}
        answer = server.stranger.get("/metrics", headers=headers)
        is_problem(answer, 401)
        assert answer.headers["www-authenticate"] == "Bearer"


def test_pages_lead_a_browser_to_the_login_page_and_back(server: AdminServer) -> None:
    target = "/admin/decisions?a=1"
    answer = server.stranger.get(target, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/login?next={quote(target)}")
    page = server.stranger.get(answer.headers["location"])
    assert f'value="{target}"' in page.text
    fields = {"token": server.token, "next": target}
    answer = server.stranger.post("/login", data=fields)
    server.stranger.cookies.clear()
    assert (answer.status_code, answer.headers["location"]) == (303, target)


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


def test_the_login_leads_nowhere_else(server: AdminServer) -> None:
    elsewhere = ("//evil.example", "/\\evil.example", "https://evil.example", "evil", "", "/login")
    with server.browser() as browser:
        for target in (*elsewhere, "/\n"):
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


def test_a_name_at_sign_in_stands_in_the_history(server: AdminServer) -> None:
    history = "/api/v1/admin/hook-config/history"
    for name, shown in (("", "admin"), ("Ada \u2603L\n", "Ada \u2603L"), ("x" * 99, "x" * 80)):
        signed_in = server.stranger.post("/login", data={"token": server.token, "name": name})
        cookies = dict(signed_in.cookies)
        server.stranger.cookies.clear()
        with httpx.Client(
            base_url=server.url, cookies=cookies, headers={"Origin": server.url}
        ) as one:
            body = {"settings": {"thresholds": {"report": 40 + len(shown) % 7}}}
            assert one.put("/api/v1/admin/hook-config", json=body).status_code == 200
            assert one.get(history).json()[0]["who"] == shown


def test_forged_sessions(server: AdminServer) -> None:
    with server.browser() as browser:
        [(name, value)] = browser.cookies.items()
    session, time, signature = value.split(".")
    forged = [f"{session}.{time}.{signature[:-2]}aa", f"{'0' * len(session)}.{time}.{signature}"]
    cookies = [f"{name}={one}" for one in (*forged, f"{session}.AAAAAA.{signature}", session, "")]
    for cookie in (*cookies, f'{name}="', f"groundwire_1={value}"):
        is_problem(server.stranger.get("/metrics", headers={"Cookie": cookie}), 401)


def test_host_and_origin(server: AdminServer) -> None:
    """A page of another site may have rebound its name to this address."""
    ours, port = ("localhost:{}", "LOCALHOST:{}", "[::1]:{}"), server.port
    for host in ours:
        headers = {"Host": host.format(port)}
        assert server.client.get("/metrics", headers=headers).status_code == 200
    for host in ("evil.example:{}", "127.0.0.1", "127.0.0.1:1", "10.0.0.1:{}", ""):
        is_problem(server.client.get("/metrics", headers={"Host": host.format(port)}), 421)
    foreign = ["http://evil.example", f"https://127.0.0.1:{port}", "http://127.0.0.1:1", "null", ""]
    with server.browser() as browser:
        for origin in (*foreign, f"{server.url}.evil.example"):
            for path in ("/metrics", "/hook", "/login", "/healthz", "/logout"):
                is_problem(browser.post(path, headers={"Origin": origin}), 403)
                is_problem(browser.get(path, headers={"Origin": origin}), 403)


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
