"""A home and a project, and what the doctor finds there."""

import json
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
from groundwire.state.log import append
from groundwire.state.log_record import decision_record
from tests.cli.command import Command
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

    def run(self, share: float, name: str = "p-1") -> None:
        why = (("response_certainty_score", 'lowered by "maybe"'),)
        assessment = assess("patcher", CompositeScores(share, 1.0, share, share, why), Composite())
        row = history_row(assessment, name, "patcher", None, self.now)
        assert append_row(str(self.history), row, self.now, 90) == ""


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
