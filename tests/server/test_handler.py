"""The handler without sockets: who is refused, which transcripts are read, what a failure costs."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from groundwire.rules import shipped_rules
from groundwire.server.handler import HookHandler, is_inside, projects_folder
from groundwire.server.message import LARGEST_BODY, Head
from groundwire.service import hook as service
from tests.hook.messages import GUESS, stop, write_turn

TOKEN = "7f" * 32
GOOD = {"host": "127.0.0.1:23000", "authorization": f"Bearer {TOKEN}", "content-length": "2"}


def head(method: str = "POST", path: str = "/hook", **headers: str | None) -> Head:
    changed = {name.replace("_", "-"): value for name, value in headers.items()}
    merged = {**GOOD, **changed}
    return Head(method, path, {name: value for name, value in merged.items() if value is not None})


def handler(home: Path, **more: Any) -> HookHandler:
    return HookHandler({"HOME": str(home)}, 23000, TOKEN, **more)


@pytest.mark.parametrize(
    "good",
    [
        head(),
        head(host="localhost:23000"),
        head(host="LOCALHOST:23000"),
        head("GET", "/alive", content_length=None),
        head(content_length=str(LARGEST_BODY)),
    ],
    ids=repr,
)
def test_these_are_let_in(home: Path, good: Head) -> None:
    assert handler(home).refusal(good) is None


REFUSED = [
    # a page in a browser that reaches this port under a name of its own
    ("another host", head(host="evil.example:23000"), 403),
    ("another port", head(host="127.0.0.1:80"), 403),
    ("no port", head(host="127.0.0.1"), 403),
    ("no host", head(host=None), 403),
    ("unknown path", head(path="/"), 404),
    ("path with a query", head(path="/hook?x=1"), 404),
    ("method of another path", head("GET"), 405),
    ("lower case method", head("post"), 405),
    ("no token", head(authorization=None), 401),
    ("empty token", head(authorization="Bearer "), 401),
    # Claude Code leaves a variable that is not set out
    ("token without a scheme", head(authorization=TOKEN), 401),
    ("another scheme", head(authorization=f"Basic {TOKEN}"), 401),
    ("a part of the token", head(authorization=f"Bearer {TOKEN[:-1]}"), 401),
    ("the token and more", head(authorization=f"Bearer {TOKEN}0"), 401),
    ("no ASCII", head(authorization="Bearer \u00e9"), 401),
    ("alive needs the token", head("GET", "/alive", authorization=None), 401),
    ("stop needs the token", head(path="/stop", authorization=None), 401),
    ("too long", head(content_length=str(LARGEST_BODY + 1)), 413),
]


@pytest.mark.parametrize(("_case", "bad", "status"), REFUSED, ids=[row[0] for row in REFUSED])
def test_these_are_refused(home: Path, _case: str, bad: Head, status: int) -> None:
    response = handler(home).refusal(bad)
    assert response is not None
    assert response.status == status
    assert json.loads(response.body)["error"].startswith("groundwire: ")


def test_an_event_gets_the_hooks_answer(home: Path) -> None:
    response = handler(home).answer(head(), stop(GUESS))
    assert response.status == 200
    assert json.loads(response.body)["decision"] == "block"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"a": NaN}'], ids=repr)
def test_what_is_no_event_is_told_and_logged(home: Path, body: bytes) -> None:
    assert handler(home).answer(head(), body).status == 400
    assert log(home)[-1]["error"].startswith("stdin: ")


def test_a_failure_lets_the_turn_end_and_is_logged(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(service, "examine", fail)
    response = handler(home).answer(head(), stop(GUESS))
    assert (response.status, response.body) == (200, b"")
    assert log(home)[-1]["error"] == "ZeroDivisionError: a bug"


def test_stop_calls_back(home: Path) -> None:
    called: list[bool] = []
    one = handler(home, stop=lambda: called.append(True))
    assert one.answer(head(path="/stop"), b"").status == 200
    assert called == [True]


def test_a_rule_set_has_one_scanner_and_old_ones_go(home: Path) -> None:
    one = handler(home)
    shipped = one.scanner(None)
    assert one.scanner(shipped_rules()) is shipped
    for number in range(10):
        rules = shipped_rules().replace(markers=f"{shipped_rules().markers}\n{number}")
        assert one.scanner(rules) is one.scanner(rules)
    assert one.scanner(None) is not shipped


def log(home: Path) -> list[dict[str, Any]]:
    path = home / ".local/state/groundwire/decisions.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_only_transcripts_of_claude_are_read(home: Path, tmp_path: Path) -> None:
    projects = home / ".claude/projects"
    inside = projects / "-home-dev-shop" / "s.jsonl"
    inside.parent.mkdir(parents=True)
    write_turn(inside, "why?")
    write_turn(tmp_path / "outside.jsonl", "why?")
    (projects / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (tmp_path / "projects").symlink_to(projects)
    allowed = {
        str(inside): True,
        str(projects / "not-there-yet.jsonl"): True,
        str(tmp_path / "projects/-home-dev-shop/s.jsonl"): True,
        str(tmp_path / "outside.jsonl"): False,
        str(projects / "../../../outside.jsonl"): False,
        str(projects / "link.jsonl"): False,
        str(projects): False,
        f"{projects}-of-another/s.jsonl": False,
        "/etc/passwd": False,
        "-home-dev-shop/s.jsonl": False,
        f"{projects}/a\0b": False,
    }
    one = handler(home)
    for path, good in allowed.items():
        status = one.answer(head(), stop(GUESS, session_id=path, transcript_path=path)).status
        assert (status == 200) is good, path
    assert log(home)[-1]["error"] == f"the transcript is not below {projects}"
    agent = {"hook_event_name": "SubagentStop", "agent_transcript_path": "/etc/passwd"}
    assert one.answer(head(), stop(GUESS, **agent)).status == 403


def test_the_folder_of_transcripts(home: Path, tmp_path: Path) -> None:
    own = os.path.realpath(home)
    assert projects_folder({"HOME": str(home)}) == f"{own}/.claude/projects"
    moved = {"HOME": str(home), "CLAUDE_CONFIG_DIR": str(tmp_path / "c")}
    assert projects_folder(moved) == f"{os.path.realpath(tmp_path)}/c/projects"
    assert projects_folder({}) == ""
    assert not is_inside("/a", "")
