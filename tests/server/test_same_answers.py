"""Both ways say the same, byte for byte: the command, and the resident server."""

import itertools
import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Hook
from tests.hook.test_golden import CASES, PATHS, VOLATILE
from tests.hook.test_judge import AGAINST, MESSAGE, UNMARKED, settings
from tests.server.resident import Local, Resident
from tests.support.judge_stub import judge_stub, statements
from tests.support.waiting import wait_until


def placed(case: Path, folder: Path) -> bytes:
    """Copy a case to where Claude Code keeps transcripts and return its event."""
    target = folder / case.name
    shutil.copytree(case, target)
    event = json.loads((case / "event.json").read_text(encoding="utf-8"))
    return json.dumps(
        {key: str(target / value) if key in PATHS else value for key, value in event.items()}
    ).encode()


@pytest.mark.parametrize("kind", [Resident, Local])
def test_the_same_bytes_and_the_same_log(
    home: Path, tmp_path: Path, kind: type[Resident | Local]
) -> None:
    (tmp_path / "other").mkdir()
    command = Hook(tmp_path / "other")
    with kind(home) as resident:
        if isinstance(resident, Local):
            resident.start()
        for case in CASES:
            event = placed(case, resident.projects)
            wanted = command.raw(event)
            status, body = resident.send(event)
            assert (wanted.returncode, wanted.stderr, status) == (0, b"", 200), case.name
            assert body == wanted.stdout, case.name
        found = [line for line in resident.log() if line["event"] != "server"]
    logs = [
        [{key: line[key] for key in line if key not in VOLATILE} for line in lines]
        for lines in (found, command.log())
    ]
    assert len(logs[0]) > len(CASES) / 2
    assert logs[0] == logs[1]


def test_the_server_asks_as_the_command_does(home: Path) -> None:
    with judge_stub("openai", statements(AGAINST)) as stub:
        Hook(home).configure(settings(stub))
        with Resident(home, **stub.env) as resident:
            sessions = itertools.count()

            def asked() -> bool:  # settings are compiled beside it
                answer = resident(session_id=f"s{next(sessions)}", last_assistant_message=MESSAGE)
                return UNMARKED in answer.get("reason", "")

            wait_until(asked, seconds=60)
        assert len(stub.requests) == 1
    stops = [line for line in resident.log() if line["event"] == "Stop"]
    assert stops[-1]["judge"]["statements"][0]["probability"] == AGAINST[1]
