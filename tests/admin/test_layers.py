"""The layers around the application: an answer that takes too long, and one that fails."""

from __future__ import annotations

import asyncio
import json
import logging
import time

import httpx
import pytest
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from groundwire.server.handler import HookHandler
from groundwire_admin.options import AdminOptions
from groundwire_admin.web import guard
from groundwire_admin.web.guard import Guard
from groundwire_admin.web.hosts import Hosts
from groundwire_admin.web.limits import Rate, TooManyError
from groundwire_admin.web.logs import JsonLines
from groundwire_admin.web.metrics import Metrics
from groundwire_admin.web.session import Sessions
from groundwire_admin.web.watch import Watch

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
        hook=HookHandler({}, 23000, TOKEN),
    )


def test_an_answer_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LONGEST_ANSWER", 0.2)

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await run_in_threadpool(time.sleep, 0.8)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"late"})

    answer = ask(guarded(slow))
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json")


def test_an_answer_that_has_begun_may_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LONGEST_ANSWER", 0.1)

    async def steady(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.3)
        await send({"type": "http.response.body", "body": b"whole"})

    assert ask(guarded(steady)).content == b"whole"


def test_a_failure_is_told_without_internals(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError("a secret")

    metrics = Metrics()
    with caplog.at_level(logging.INFO, "groundwire.admin"):
        answer = ask(Watch(broken, metrics=metrics))
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "secret" not in answer.text
    assert "ZeroDivision" not in answer.text
    request = answer.headers["x-request-id"]
    assert request in answer.json()["detail"]
    [line] = [
        json.loads(JsonLines().format(record))
        for record in caplog.records
        if record.levelname == "ERROR"
    ]
    assert line["request"] == request
    assert "ZeroDivisionError: a secret" in line["traceback"]
    assert b'status="500"' in metrics.text({}, [])


HOSTS = [
    (AdminOptions(23000, TOKEN), "127.0.0.1:23000", True),
    (AdminOptions(23000, TOKEN), "127.0.0.1", False),
    (AdminOptions(80, TOKEN), "127.0.0.1", True),
    (AdminOptions(80, TOKEN), "localhost:80", True),
    (AdminOptions(80, TOKEN), "localhost:443", False),
    (AdminOptions(23000, TOKEN, "10.0.0.5"), "10.0.0.5:23000", True),
    (AdminOptions(23000, TOKEN, "10.0.0.5"), "10.0.0.6:23000", False),
    (AdminOptions(23000, TOKEN, "0.0.0.0"), "10.0.0.6:23000", True),
    (AdminOptions(23000, TOKEN, "0.0.0.0"), "10.0.0.6:80", False),
    (AdminOptions(23000, TOKEN, "0.0.0.0"), "evil.example:23000", False),
    (AdminOptions(23000, TOKEN, "::"), "[fd00::1]:23000", True),
    (AdminOptions(23000, TOKEN, allow_hosts=("gw.example",)), "gw.example", True),
    (AdminOptions(23000, TOKEN, allow_hosts=("gw.example",)), "GW.example:23000", True),
    (AdminOptions(23000, TOKEN, allow_hosts=("gw.example",)), "gw.example:80", False),
    (AdminOptions(23000, TOKEN, allow_hosts=("gw.example:80",)), "gw.example:80", True),
]


@pytest.mark.parametrize(("options", "host", "ours"), HOSTS, ids=lambda value: str(value)[:60])
def test_hosts(options: AdminOptions, host: str, ours: bool) -> None:
    hosts = Hosts(options)
    assert hosts.is_ours(host) is ours
    assert hosts.is_our_origin(f"http://{host}") is ours
    assert not hosts.is_our_origin(host)


def test_the_origin_of_a_proxy_with_tls() -> None:
    hosts = Hosts(AdminOptions(23000, TOKEN, allow_hosts=("gw.example",)))
    assert hosts.is_our_origin("https://gw.example")
    assert not hosts.is_our_origin("https://127.0.0.1:23000")


def test_a_rate_comes_back_with_time() -> None:
    rate = Rate(50, 3)
    for _ in range(3):
        rate.take("a")
    with pytest.raises(TooManyError) as refused:
        rate.take("a")
    assert refused.value.seconds == 1
    rate.take("b")
    time.sleep(0.05)
    rate.take("a")
