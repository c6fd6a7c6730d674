"""The judge's second opinion through the resident server."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.hook.messages import LONE, LONE_MATCH
from tests.hook.test_opinion import settings
from tests.server.resident import Resident
from tests.support.judge_stub import judge_stub, structured


def test_the_server_asks_as_the_command_does(home: Path) -> None:
    config = home / ".config" / "groundwire" / "config.toml"
    config.parent.mkdir(parents=True)
    with judge_stub("openai", structured(0.3)) as stub:
        config.write_text(settings(stub, more="notify = true"), encoding="utf-8")
        resident = Resident(home, **stub.env)
        try:
            deadline = time.monotonic() + 30
            number = 0
            answer: dict[str, Any] = {}
            while "second opinion" not in answer.get("systemMessage", ""):
                assert time.monotonic() < deadline, answer  # settings are compiled beside it
                answer = resident(session_id=f"s{number}", last_assistant_message=LONE)
                number += 1
        finally:
            resident.close()
        assert len(stub.requests) == 1
    assert answer["matches"] == [LONE_MATCH]
    stops = [line for line in resident.log() if line["event"] == "Stop"]
    assert stops[-1]["judge"]["opinions"][0]["score"] == 0.3
