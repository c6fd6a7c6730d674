"""A home and a project, and what the doctor finds there."""

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.confidence.composite.formula import CompositeScores, assess
from groundwire.doctor.examination import examine
from groundwire.doctor.finding import Finding, Surroundings
from groundwire.history.append import append_row
from groundwire.history.rows import history_row
from groundwire.install.entry import current_entry
from groundwire.install.registration import plan_install
from groundwire.install.resident import Resident as Registered
from groundwire.model import Decision
from groundwire.settings import Composite, Log
from groundwire.state.compiled import settings_key
from groundwire.state.compiled_file import compiled_path
from groundwire.state.log import append
from groundwire.state.log_record import decision_record
from tests.cli.command import Command
from tests.conftest import Hook
from tests.server.resident import Resident

Findings = list[tuple[str, str, str]]


class Patient:
    def __init__(self, root: Path) -> None:
        self.cli = Command(root)
        self.home, self.folder, self.env = self.cli.home, self.cli.folder, self.cli.env
        self.now = time.time()
        self.claude = self.home / ".claude" / "settings.json"
        self.state = self.home / ".local/state/groundwire"
        self.history = self.home / ".claude/validation/history"

    def examine(self, agent: str = "") -> list[Finding]:
        return examine(Surroundings(self.env, self.folder, self.now, agent))

    def found(self, area: str, agent: str = "") -> Findings:
        """Return level, text and remedy of the findings of one area."""
        every = self.examine(agent)
        return [(one.level, one.text, one.remedy) for one in every if one.area == area]

    def register(self, **changes: Any) -> None:
        """Register the hook; ``changes`` are keys of every handler."""
        text = json.loads(plan_install("{}\n", current_entry()))
        for groups in text["hooks"].values():
            groups[0]["hooks"][0].update(changes)
        self.write(text)

    def register_server(self, port: int, token: str) -> None:
        self.write(json.loads(plan_install("{}\n", current_entry(), Registered(port, token))))

    def write(self, settings: Any, name: str = "settings.json", project: bool = False) -> Path:
        path = (self.folder if project else self.home) / ".claude" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = settings if isinstance(settings, str) else json.dumps(settings, indent=2)
        path.write_text(text, encoding="utf-8")
        return path

    def log(self, days_ago: float = 0, **fields: Any) -> None:
        raw = {"hook_event_name": "Stop", "session_id": "s"}
        moment = time.gmtime(self.now - days_ago * 86_400)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", moment)
        record = {**decision_record("0", raw, Decision("pass"), milliseconds=20.0), "time": stamp}
        assert append(str(self.state), {**record, **fields}, Log()) == ""

    def run(
        self, share: float, name: str = "p-1", kind: str = "patcher", hours_ago: float = 0
    ) -> None:
        why = (("response_certainty_score", 'lowered by "maybe"'),)
        assessment = assess(kind, CompositeScores(share, 1.0, share, share, why), Composite())
        moment = self.now - hours_ago * 3_600
        row = history_row(assessment, name, kind, None, moment)
        assert append_row(str(self.history), row, moment, 90) == ""

    def start_session(self) -> Path:
        """Start a session in the project; return the settings that are compiled for it."""
        Hook(self.home).start(cwd=str(self.folder))
        found = settings_key(self.env, str(self.folder))
        assert found
        return Path(compiled_path(str(self.home / ".cache/groundwire"), found[0]))

    def transcript(self, days_ago: float) -> None:
        path = self.home / ".claude/projects/-home-ana-shop/5.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n", encoding="ascii")
        os.utime(path, (self.now - days_ago * 86_400,) * 2)


def has(found: Findings, level: str, words: str, remedy: str = "") -> bool:
    """Tell whether a finding of this level has these words and this in its remedy."""
    return any(one == level and words in text and remedy in mends for one, text, mends in found)


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(tmp_path)


@pytest.fixture
def server(patient: Patient) -> Iterator[Callable[[], Resident]]:
    """Return a function that starts the resident server of that home."""
    servers: list[Resident] = []

    def start() -> Resident:
        servers.append(Resident(patient.home))
        return servers[-1]

    yield start
    for one in servers:
        one.close()
