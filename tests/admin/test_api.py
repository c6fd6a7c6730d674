"""The endpoints over HTTP: what they answer, and that the store keeps it."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.admin.exchange import play, sections
from tests.admin.server import AdminServer, without_table
from tests.conftest import Hook
from tests.hook.messages import GUESS, LONE, stop, write_turn
from tests.hook.test_golden import CASES
from tests.server.test_same_answers import placed
from tests.support.judge_stub import judge_stub, text

ADMIN, CHAT = "/api/v1/admin", "/api/v1/chat"
CONFIG = f"{ADMIN}/agent-config"
SECTIONS = sections(Path(__file__).with_name("api.http"))
PROMPT = f"{ADMIN}/prompts/confidence_evaluation_prompt"
DOCS = [{"similarity": value, "content": "text"} for value in (0.95, 0.92, 0.88)]
TURN = {"message": "What?", "session_id": "s", "response": "x" * 250, "context_docs": DOCS}


def put(server: AdminServer, part: Any, **more: Any) -> httpx.Response:
    body = {"config": {"confidence_calculation": part}, **more.pop("body", {})}
    return server.client.put(CONFIG, json=body, **more)


def get(server: AdminServer, path: str, **params: Any) -> Any:
    answer = server.client.get(path, params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def chat(server: AdminServer, **more: Any) -> dict[str, Any]:
    answer = server.client.post(CHAT, json={**TURN, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("name", SECTIONS)
def test_requests_and_answers(fresh: AdminServer, name: str) -> None:
    play(fresh, SECTIONS[name])


def test_a_database_that_is_not_ours_any_more_is_told(fresh: AdminServer) -> None:
    for table, status in (("options", 200), ("alembic_version", 503)):
        with without_table(fresh, table):
            assert fresh.stranger.get("/healthz").status_code == status
            known = fresh.stranger.get("/healthz", headers={"x-groundwire-challenge": "0" * 16})
            assert known.json().keys() == {"version", "proof"}  # so that it can still be stopped


def test_a_judge_behind_the_server(home: Path) -> None:
    """The method is hybrid, the judge a stub: score, tokens, use of the prompt."""
    with judge_stub("openai", text("0.5")) as stub:
        server = AdminServer(home, env=stub.env)
        try:
            assert put(server, {"method": "hybrid"}).status_code == 200
            found = chat(server)
            assert found["confidence_method"] == "hybrid"
            assert abs(found["confidence_score"] - (0.6 * 0.9472 + 0.4 * 0.5)) < 1e-6
            [row] = get(server, f"{ADMIN}/judgements")["judgements"]
            assert (row["llm_score"], row["input_tokens"] > 0) == (0.5, True)
            assert get(server, f"{PROMPT}/active")["usage_count"] == 1
            labels = 'direction="input",method="hybrid",model="gpt-4o-mini",provider="openai"'
            line = f"groundwire_judge_tokens{{{labels}}} {row['input_tokens']}.0"
            assert line in server.client.get("/metrics").text
            assert put(server, {"llm_settings": {"model": "unpriced"}}).status_code == 200
            assert chat(server, response="y" * 250)["cost"] is None
            figures = server.client.get("/metrics").text
            assert 'groundwire_judgements{method="hybrid",model="unpriced"' in figures
            assert 'groundwire_judge_dollars{method="hybrid",model="unpriced"' not in figures
            assert stub.env["OPENAI_API_KEY"] not in server.stderr.read_text(encoding="utf-8")
        finally:
            server.close()


def test_the_hook_gives_the_bytes_of_the_command(server: AdminServer, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    command = Hook(tmp_path / "other")
    for case in CASES[::5]:
        event = placed(case, server.projects)
        answer = server.client.post("/hook", content=event)
        assert (answer.status_code, answer.content) == (200, command.raw(event).stdout), case.name


def test_the_hook_has_checks_of_its_own(server: AdminServer, tmp_path: Path) -> None:
    with server.browser() as browser:
        assert {it.post("/hook").status_code for it in (browser, server.stranger)} == {401}
    outside = write_turn(tmp_path / "outside.jsonl", "why?")
    answer = server.client.post("/hook", content=stop(transcript_path=outside))
    said = f"groundwire: the transcript is not below {server.projects.resolve()}"
    assert (answer.status_code, answer.json()) == (403, {"error": said})
    assert server.client.post("/hook", content=b"[]").status_code == 400
    assert server.client.post("/hook").status_code == 400
    answer = server.client.get("/hook")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_answers_are_counted(server: AdminServer) -> None:
    def figures() -> list[float]:
        rows = dict(
            row.rsplit(" ", 1) for row in server.client.get("/metrics").text.splitlines() if row
        )
        answers = [f'answer="{name}"' for name in ("block", "report", "nothing", "error")]
        names = [f"groundwire_hook_answers_total{{{one}}}" for one in answers]
        sent = 'groundwire_http_requests_total{method="POST",route="/hook",status="200"}'
        return [float(rows.get(name, 0)) for name in (*names, sent)]

    before = figures()
    for number, said in enumerate((GUESS, LONE, "The log ends with a stack trace.")):
        event = stop(said, session_id=f"count-{number}")
        assert server.client.post("/hook", content=event).status_code == 200
    server.client.post("/hook", content=b"{")
    assert [after - old for after, old in zip(figures(), before, strict=True)] == [1, 1, 1, 1, 3]
