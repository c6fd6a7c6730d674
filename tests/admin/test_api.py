"""What no session as text can send: other bytes, long bodies, the hook's own checks."""

from pathlib import Path

from tests.admin.server import AdminServer, is_problem
from tests.conftest import Hook
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
