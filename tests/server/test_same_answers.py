"""Both ways say the same, byte for byte: the command, and the resident server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Hook
from tests.hook.test_golden import CASES, PATHS, VOLATILE
from tests.server.resident import Resident


def placed(case: Path, folder: Path) -> bytes:
    """Copy a case to where Claude Code keeps transcripts and return its event."""
    target = folder / case.name
    shutil.copytree(case, target)
    event = json.loads((case / "event.json").read_text(encoding="utf-8"))
    return json.dumps(
        {key: str(target / value) if key in PATHS else value for key, value in event.items()}
    ).encode()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_same_bytes_and_the_same_log(resident: Resident, case: Path, tmp_path: Path) -> None:
    event = placed(case, resident.projects)
    (tmp_path / "other").mkdir()
    command = Hook(tmp_path / "other")
    wanted = command.raw(event)
    status, body = resident.send(event)
    assert (wanted.returncode, wanted.stderr, status) == (0, b"", 200)
    assert body == wanted.stdout
    logs = [
        [{key: line[key] for key in line if key not in VOLATILE} for line in lines]
        for lines in (resident.log(), command.log())
    ]
    assert logs[0] == logs[1]
