"""The resident server weighs a turn as the command hook does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Hook
from tests.server.resident import Resident
from tests.support.transcripts import Session

SETTINGS = "[composite]\nenabled = true\n[reinforcement]\nenabled = true\n"
DONE = "The pool closes its sockets now. All tests pass."


@pytest.fixture
def event(resident: Resident) -> dict[str, Any]:
    """Return a turn below the projects folder, which is all that the server reads."""
    session = Session()
    session.prompt("fix the pool")
    session.edit("/home/dev/shop/src/pool.py", "...", "socket.close()")
    session.bash("pytest -q", "8 passed in 0.41s")
    session.say(DONE)
    folder = resident.projects / "-home-dev-shop"
    folder.mkdir()
    path = session.write(folder / "5.jsonl")
    return {"transcript_path": path, "last_assistant_message": DONE, "prompt_id": "1"}


def test_same_models(
    resident: Resident, event: dict[str, Any], write_file: Callable[[Path, str], Path]
) -> None:
    write_file(resident.home / ".config/groundwire/config.toml", SETTINGS)
    hook = Hook(resident.home)
    for session in ("server", "process"):
        hook.start(session_id=session)
    resident(**event, session_id="server")
    hook(**event, session_id="process")
    first, second = resident.log()
    assert first["reinforcement"] == second["reinforcement"]
    assert first["reinforcement"]["state"] == "INIT"  # nothing was looked at before the tests
    assert first["composite"]["factors"] != second["composite"]["factors"]  # one run more by then
    factors = [one["composite"]["factors"]["code_validation_score"] for one in (first, second)]
    assert factors == [0.8, 0.8]
    (file,) = (resident.home / ".claude/validation/history").iterdir()
    lines = [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]
    assert [line["task_id"] for line in lines] == ["1", "1"]
