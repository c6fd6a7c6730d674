"""What no session as text can send: other bytes, long bodies, the hook's own checks."""

from pathlib import Path

from tests.admin.server import AdminServer, is_problem
from tests.conftest import Hook
from tests.hook.messages import GUESS, LONE, stop, write_turn
from tests.hook.test_golden import CASES
from tests.server.test_same_answers import placed

ADMIN = "/api/v1/admin"
PART = b'{"config": {"confidence_calculation": %s}}'
#: Bodies of PUT agent-config; the answer is 400 or 422.
BODIES = [
    *(b'"\xff"', b"[" * 200_000, PART % (b'{"a":' * 900 + b"1" + b"}" * 900)),
    PART % (b'{"method": 1%s}' % (b"0" * 4000)),
]


def test_bodies_that_stand_in_no_line_are_refused(server: AdminServer) -> None:
    put, post = server.client.put, server.client.post
    for content in BODIES:
        headers = {"Content-Type": "application/json"}
        answer = put(f"{ADMIN}/agent-config", content=content, headers=headers)
        is_problem(answer, 400 if answer.status_code == 400 else 422)
    path = f"{ADMIN}/prompts/confidence_evaluation_prompt"
    is_problem(post(path, json={"content": "x" * 20_001}), 422)
    note = {"vote": 1, "note": "x" * 2_001}
    is_problem(post(f"{ADMIN}/decisions/none/feedback", json=note), 422)


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
