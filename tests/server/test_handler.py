"""The handler without sockets: who is refused, which transcripts are read, what a failure costs."""

import gc
import json
import select
import time
import weakref
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.process import LOOK_EVERY
from groundwire.hook import handle as service
from groundwire_server.resident.connection import (
    LARGEST_HEAD,
    LONGEST_READ,
    BadRequestError,
    parse_head,
)
from groundwire_server.resident.handler import HookHandler
from groundwire_server.resident.listener import MOST_WAITING, Listener
from groundwire_server.resident.message import LARGEST_BODY, Head
from tests.hook.messages import GUESS, stop, write_turn
from tests.server.resident import Resident, exchange, half_sent
from tests.support.decisions import decisions
from tests.support.tables import table
from tests.support.waiting import wait_until

TOKEN, ADMIN = "7f" * 32, "8e" * 32
GOOD = {"host": "127.0.0.1:23000", "authorization": f"Bearer {TOKEN}", "content-length": "2"}


def head(method: str = "POST", path: str = "/hook", **headers: str | None) -> Head:
    changed = {name.replace("_", "-"): value for name, value in headers.items()}
    merged = {**GOOD, **changed}
    return Head(method, path, {name: value for name, value in merged.items() if value is not None})


def handler(home: Path, **more: Any) -> HookHandler:
    return HookHandler({"HOME": str(home)}, 23000, TOKEN, ADMIN, **more)


@table
def test_who_is_refused(
    method: str, path: str, headers: dict[str, str], status: int, home: Path
) -> None:
    words = {"LARGEST+1": str(LARGEST_BODY + 1), "LARGEST": str(LARGEST_BODY), "<none>": None}
    given = {
        key: words.get(one, one.replace("TOKEN", TOKEN).replace("ADMIN", ADMIN))
        for key, one in headers.items()
    }
    response = handler(home).refusal(head(method, path, **given))
    assert (response and response.status) == status
    said = json.loads(response.body)["error"] if response else "groundwire: "
    assert said.startswith("groundwire: ")
    assert said.isprintable()


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"a": NaN}'], ids=repr)
def test_what_is_no_event_is_told_and_logged(home: Path, body: bytes) -> None:
    assert handler(home).answer(head(), body).status == 400
    assert decisions(home)[-1]["error"].startswith("stdin: ")


def test_a_failure_lets_the_turn_end_and_is_logged(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "examine", lambda *_: 1 / 0)
    response = handler(home).answer(head(), stop(GUESS))
    assert (response.status, response.body) == (200, b"")
    assert decisions(home)[-1]["error"] == "ZeroDivisionError: division by zero"


def test_garbage_is_collected_now_and_then(home: Path) -> None:
    listener = Listener(0)
    gc.disable()
    gone = weakref.ref(type("Garbage", (), {}))  # a class stands in its own bases
    try:
        listener.start(handler(home), pytest.fail)
        for _ in range(LOOK_EVERY):
            exchange(listener.port, b"GET /healthz HTTP/1.1\r\n\r\n")
        wait_until(lambda: gone() is None)
    finally:
        gc.enable()
        listener.stop()


@table
def test_only_transcripts_of_claude_are_read(
    path: str, status: int, event: dict[str, str], home: Path, tmp_path: Path
) -> None:
    projects = home / ".claude/projects"
    inside = projects / "-home-dev-shop" / "s.jsonl"
    inside.parent.mkdir(parents=True)
    write_turn(inside, "why?")
    write_turn(tmp_path / "outside.jsonl", "why?")
    (projects / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (tmp_path / "projects").symlink_to(projects)
    path = path.replace("PROJECTS", str(projects)).replace("OUTSIDE", str(tmp_path))
    fields = {"transcript_path": path, **(event or {})}
    assert handler(home).answer(head(), stop(GUESS, **fields)).status == status
    told = f"the transcript is not below {projects}" if status == 403 else ""
    assert decisions(home)[-1]["error"] == told


@table
def test_malformed_heads(data: str, status: int) -> None:
    with pytest.raises(BadRequestError) as raised:
        parse_head(data.encode("latin-1"))
    assert raised.value.status == status


def test_bad_requests_get_their_status_and_the_server_goes_on(resident: Resident) -> None:
    assert exchange(resident.port, b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    host = f"Host: 127.0.0.1:{resident.port}\r\n\r\n".encode()
    assert b"\r\nAllow: POST\r\n" in exchange(resident.port, b"GET /hook HTTP/1.1\r\n" + host)
    long = b"GET /healthz HTTP/1.1\r\nX: " + b"x" * (2 * LARGEST_HEAD)
    assert exchange(resident.port, long + b"\r\n\r\n").startswith(b"HTTP/1.1 431 ")
    too_long = str(LARGEST_BODY + 1)
    assert resident.send(b"", content_length=too_long, expect="100-continue").status == 413
    # the answer arrives although a large body is still on its way
    assert resident.send(b"x" * 300_000, authorization="Bearer no").status == 401
    assert resident(last_assistant_message=GUESS)["decision"] == "block"


def test_slow_requests_end_in_time_and_hold_up_nobody(resident: Resident) -> None:
    """The oldest of too many are closed, the others told that they are late."""
    begun = time.monotonic()
    with half_sent(resident.port, 150) as slow:
        assert resident(last_assistant_message=GUESS)["decision"] == "block"
        assert len(select.select(slow, [], [], 0)[0]) >= len(slow) - MOST_WAITING
        assert time.monotonic() - begun < LONGEST_READ - 1
        assert [connection.recv(1000)[:13] for connection in slow] == [b"HTTP/1.1 408 "] * 150
    assert time.monotonic() - begun < LONGEST_READ + 3


def test_unfinished_bodies_with_the_token_hold_up_nobody(resident: Resident) -> None:
    with half_sent(resident.port, 150, resident.request(b"{", content_length="9")):
        begun = time.monotonic()
        assert resident(last_assistant_message=GUESS)["decision"] == "block"
        assert time.monotonic() - begun < LONGEST_READ - 1


def test_slow_requests_do_not_hold_up_the_end(resident: Resident) -> None:
    with half_sent(resident.port, 40):
        begun = time.monotonic()
        resident.process.terminate()
        assert resident.process.wait(20) == 0
        assert time.monotonic() - begun < LONGEST_READ - 1
