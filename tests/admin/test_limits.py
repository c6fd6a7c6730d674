"""Size, rate and time of what a client sends; the layers around the application."""

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire_server.admin.api.metrics import Metrics
from groundwire_server.admin.api.watch import JsonLines, Watch
from groundwire_server.admin.options import AdminOptions
from groundwire_server.admin.web import guard
from groundwire_server.admin.web.guard import LARGEST_REQUEST, Guard
from groundwire_server.admin.web.hosts import Hosts
from groundwire_server.admin.web.limits import LONGEST_LOGIN
from groundwire_server.admin.web.session import Sessions
from groundwire_server.admin.web.wire import LONGEST_HEAD
from groundwire_server.resident.handler import HookHandler
from groundwire_server.resident.message import LARGEST_BODY
from tests.admin.server import AdminServer, is_problem
from tests.hook.messages import stop
from tests.server.resident import exchange, half_sent
from tests.support.tables import rows, tables
from tests.support.waiting import wait_until

TOKEN = "7f" * 32
OPTIONS = AdminOptions(port=23000, token=TOKEN, env={})


def ask(app: ASGIApp, path: str = "/api/v1/none") -> httpx.Response:
    async def run() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:23000") as one:
            return await one.get(path, headers={"Authorization": f"Bearer {TOKEN}"})

    return asyncio.run(run())


def guarded(app: ASGIApp) -> Guard:
    return Guard(
        app,
        options=OPTIONS,
        hosts=Hosts(OPTIONS),
        sessions=Sessions(TOKEN, 23000, secure=False),
        hook=HookHandler({}, 23000, TOKEN, TOKEN),
    )


def test_an_answer_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LONGEST_ANSWER", 0.2)

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await run_in_threadpool(time.sleep, 0.8)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"late"})

    is_problem(ask(guarded(slow)), 503)


def test_a_failure_is_told_without_internals(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError("a secret")

    metrics = Metrics()
    with caplog.at_level(logging.INFO, "groundwire.admin"):
        answer = ask(Watch(broken, metrics=metrics))
    request = answer.headers["x-request-id"]
    assert request in is_problem(answer, 500)["detail"]
    assert "secret" not in answer.text
    assert "ZeroDivision" not in answer.text
    [told] = [record for record in caplog.records if record.levelname == "ERROR"]
    line = json.loads(JsonLines().format(told))
    assert line["request"] == request
    assert "ZeroDivisionError: a secret" in line["traceback"]
    assert b'status="500"' in metrics.text({}, [])


def test_a_page_left_while_it_loads_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    """The framework raises when whoever asked is gone."""

    async def framework(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["type"] == "http.disconnect"
        raise RuntimeError("No response returned.")

    async def gone() -> Message:
        return {"type": "http.disconnect"}

    async def nobody(message: Message) -> None:
        raise AssertionError(message)

    scope = {"type": "http", "method": "GET", "path": "/admin/trends"}
    with caplog.at_level(logging.INFO, "groundwire.admin"):
        asyncio.run(Watch(framework, metrics=Metrics())(scope, gone, nobody))
    assert [(one.levelname, one.__dict__["status"]) for one in caplog.records] == [("INFO", 499)]


def is_host(address: dict[str, Any], host: str) -> bool:
    """Tell whether a Host header is meant for a server at this address; its origin is, too."""
    hosts = Hosts(AdminOptions(token=TOKEN, **address))
    assert hosts.is_our_origin(f"http://{host}") is hosts.is_ours(host)
    assert not hosts.is_our_origin(host)
    return hosts.is_ours(host)


test_hosts = rows(__file__, hosts=is_host)


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


def test_a_head_that_does_not_end(server: AdminServer) -> None:
    begun = time.monotonic()
    half = b"GET /healthz HTTP/1.1\r\nHost:"
    assert exchange(server.port, half) == b""
    assert LONGEST_HEAD - 1 < time.monotonic() - begun < LONGEST_HEAD + 3


def test_slow_heads_hold_up_nobody(server: AdminServer) -> None:
    with half_sent(server.port, 530):
        time.sleep(0.5)
        assert server.stranger.get("/healthz", timeout=2).status_code == 200


@pytest.mark.parametrize("rest", tables(__file__)["ambiguous"])
def test_heads_that_two_readers_may_understand_differently(server: AdminServer, rest: str) -> None:
    head = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n"
    assert exchange(server.port, f"{head}\r\n".encode()).startswith(b"HTTP/1.1 200 ")
    assert exchange(server.port, f"{head}{rest}".encode()).startswith(b"HTTP/1.1 400 ")


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminServer]:
    with AdminServer(tmp_path_factory.mktemp("slow") / "home", "--rate", "2") as admin:
        yield admin


def test_too_many_requests(slow: AdminServer) -> None:
    statuses = [slow.client.get("/metrics").status_code for _ in range(20)]
    assert statuses[0] == 200
    refused = slow.client.get("/metrics")
    is_problem(refused, 429)
    time.sleep(int(refused.headers["retry-after"]))
    assert slow.client.get("/metrics").status_code == 200


def test_a_page_of_another_site_uses_up_nothing(slow: AdminServer) -> None:
    """Images in it need no token and have no Origin; browsers say where they come from."""
    time.sleep(4)
    image = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    for path in ("/healthz", "/login", "/hook", "/metrics"):
        for site in ("cross-site", "same-site"):
            for _ in range(10):
                is_problem(slow.stranger.get(path, headers={**image, "Sec-Fetch-Site": site}), 403)
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    answer = slow.stranger.get("/login", headers={**link, "Sec-Fetch-Dest": "document"})
    assert answer.status_code == 200
    is_problem(slow.stranger.get("/login", headers={**link, "Sec-Fetch-Dest": "iframe"}), 403)
    for _ in range(20):  # an old browser does not say it
        assert slow.stranger.post("/hook", content=b"{}").status_code in (401, 429)
    assert slow.client.post("/hook", content=stop()).status_code == 200
    assert slow.stranger.get("/login").status_code == 200


@pytest.mark.parametrize("path", ["/login", "/hook"])
def test_unfinished_bodies_of_strangers_hold_up_strangers_alone(
    server: AdminServer, path: str
) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 99\r\n\r\n"
    begun = time.monotonic()
    with half_sent(server.port, 700, head.encode()):
        hook = {"Authorization": f"Bearer {server.token}"}
        asked = server.stranger.post("/hook", content=stop(), headers=hook)
        assert (asked.status_code, time.monotonic() - begun < 2 * LONGEST_LOGIN) == (200, True)
        wait_until(lambda: server.stranger.get("/login").status_code == 200, seconds=10)


def test_guessing_on_the_login_page_is_slowed_down(server: AdminServer) -> None:
    for _ in range(30):
        answer = server.stranger.post("/login", data={"token": "guess"})
    assert (answer.status_code, "Too many wrong tokens" in answer.text) == (429, True)
    token = {"token": server.admin}  # the right one is let in
    assert server.stranger.post("/login", data=token).status_code == 303
