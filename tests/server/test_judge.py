"""A judge of the turn through the resident server."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.hook.test_judge import AGAINST, MESSAGE, UNMARKED, settings
from tests.server.resident import Resident
from tests.support.judge_stub import judge_stub, statements


def test_the_server_asks_as_the_command_does(home: Path) -> None:
    config = home / ".config" / "groundwire" / "config.toml"
    config.parent.mkdir(parents=True)
    with judge_stub("openai", statements(AGAINST)) as stub:
        config.write_text(settings(stub), encoding="utf-8")
        resident = Resident(home, **stub.env)
        try:
            deadline = time.monotonic() + 60
            number = 0
            answer: dict[str, Any] = {}
            while UNMARKED not in answer.get("reason", ""):
                assert time.monotonic() < deadline, answer  # settings are compiled beside it
                answer = resident(session_id=f"s{number}", last_assistant_message=MESSAGE)
                number += 1
        finally:
            resident.close()
        assert len(stub.requests) == 1
    stops = [line for line in resident.log() if line["event"] == "Stop"]
    assert stops[-1]["judge"]["statements"][0]["probability"] == AGAINST[1]
