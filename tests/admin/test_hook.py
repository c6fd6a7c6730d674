"""``POST /hook`` of the admin server: the bytes of the command hook, and its own checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.admin.server import AdminServer
from tests.conftest import Hook
from tests.hook.messages import GUESS, LONE, stop, write_turn
from tests.hook.test_golden import CASES
from tests.server.test_same_answers import placed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_same_bytes(server: AdminServer, case: Path, tmp_path: Path) -> None:
    event = placed(case, server.projects)
    (tmp_path / "other").mkdir()
    wanted = Hook(tmp_path / "other").raw(event)
    answer = server.client.post("/hook", content=event)
    assert (wanted.returncode, answer.status_code) == (0, 200)
    assert answer.content == wanted.stdout


def test_the_token_comes_in_the_header_alone(server: AdminServer) -> None:
    assert server.stranger.post("/hook", content=stop()).status_code == 401
    with server.browser() as browser:
        assert browser.post("/hook", content=stop()).status_code == 401
    assert server.stranger.get("/alive").status_code == 401
    assert server.stranger.post("/stop").status_code == 401


def test_only_transcripts_of_claude_are_read(server: AdminServer, tmp_path: Path) -> None:
    outside = write_turn(tmp_path / "outside.jsonl", "why?")
    answer = server.client.post("/hook", content=stop(transcript_path=outside))
    assert answer.status_code == 403
    assert answer.json() == {
        "error": f"groundwire: the transcript is not below {server.projects.resolve()}"
    }


def test_bad_events_and_methods(server: AdminServer) -> None:
    assert server.client.post("/hook", content=b"[]").status_code == 400
    assert server.client.post("/hook").status_code == 400
    assert server.client.get("/hook").status_code == 405


def figure(text: str, line: str) -> float:
    found = [row.split()[-1] for row in text.splitlines() if row.startswith(f"{line} ")]
    return float(found[0]) if found else 0.0


def test_answers_are_counted(server: AdminServer) -> None:
    before = server.client.get("/metrics").text
    for number, text in enumerate((GUESS, LONE, "The log ends with a stack trace.")):
        event = stop(text, session_id=f"count-{number}")
        assert server.client.post("/hook", content=event).status_code == 200
    server.client.post("/hook", content=b"{")
    after = server.client.get("/metrics").text
    lines = [
        f'groundwire_hook_answers_total{{answer="{name}"}}'
        for name in ("block", "report", "nothing", "error")
    ]
    assert [figure(after, line) - figure(before, line) for line in lines] == [1, 1, 1, 1]
    requests = 'groundwire_http_requests_total{method="POST",route="/hook",status="200"}'
    assert figure(after, requests) - figure(before, requests) == 3
