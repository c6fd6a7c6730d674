"""What ``doctor.console`` cannot say: hooks of others, the server, errors of earlier days."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire import __version__
from groundwire.server.token import ensure_token
from tests.cli.command import Command
from tests.doctor.conftest import Patient, has
from tests.server.resident import Resident, free_port
from tests.support.console import Steps, play, sessions
from tests.support.tables import table


@sessions(Path(__file__).with_name("doctor.console"))
def test_session(steps: Steps, cli: Command) -> None:
    play(cli, steps)


@table
def test_settings_in_the_way(settings: Any, words: str, patient: Patient) -> None:
    if isinstance(settings, dict):
        patient.register()
        settings = {**json.loads(patient.claude.read_bytes()), **settings}
    patient.write(settings)
    assert has(patient.found("hook"), "broken", words)


@pytest.fixture
def other(tmp_path: Path) -> Callable[[str], list[str]]:
    """Return a function that writes another file of the hook's name and returns its arguments."""

    def write(code: str) -> list[str]:
        path = tmp_path / "other" / "groundwire" / "hook" / "run.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
        return ["-I", "-S", str(path)]

    return write


@table
def test_what_another_file_answers(
    code: str, level: str, words: str, patient: Patient, other: Callable[[str], list[str]]
) -> None:
    patient.register(command=sys.executable, args=other(code))
    assert has(patient.found("hook"), level, words, "groundwire install")


def test_what_a_project_names_is_not_started(
    patient: Patient, other: Callable[[str], list[str]], tmp_path: Path
) -> None:
    mark = tmp_path / "started"
    args = other(f"open({str(mark)!r}, 'w')")
    patient.register(command=sys.executable, args=args)
    patient.write(patient.claude.read_text(encoding="utf-8"), project=True)
    patient.claude.unlink()
    found = patient.found("hook")
    assert has(found, "note", "it was not tried, the project names it")
    assert not mark.exists()
    patient.register()
    patient.write(patient.claude.read_text(encoding="utf-8"), project=True)
    patient.claude.unlink()
    assert has(patient.found("hook"), "ok", "starts and stops a sample turn")


# the resident server
def test_the_server_answers(patient: Patient, server: Callable[[], Resident]) -> None:
    running = server()
    patient.register_server(running.port, running.token)
    text = f"the resident server answers at port {running.port}, version {__version__}"
    assert patient.found("server") == [("ok", text, "")]
    assert has(patient.found("hook"), "ok", "starts and stops a sample turn")


def test_the_server_is_down(patient: Patient) -> None:
    port = free_port()
    patient.register_server(port, ensure_token(patient.env))
    [(level, text, remedy)] = patient.found("server")
    assert (level, remedy) == ("broken", f"groundwire serve --port {port}, or start a new session")
    assert f"does not run at port {port}" in text


@pytest.mark.parametrize(("last", "level"), [("disk full", "warning"), ("", "note")])
def test_errors(patient: Patient, last: str, level: str) -> None:
    patient.log(days_ago=2, error="disk full")
    patient.log(days_ago=1, error=last)
    count = 2 if last else 1
    noun = "turns" if last else "turn"
    words = f"{count} {noun} of 2 ended unchecked, the last: disk full"
    remedy = "end a turn" if last else ""
    assert has(patient.found("log"), level, words, remedy)


def test_lines_of_the_history_that_are_none_are_told(patient: Patient) -> None:
    patient.run(0.9)
    (file,) = patient.history.iterdir()
    with file.open("ab") as out:
        out.write(b"null\n\xff\n")
    found = patient.found("confidence")
    assert has(found, "note", "in the history, which are ignored: 2")
    assert has(found, "ok", '(certainty lowered by "maybe")')


# the command
def tree(patient: Patient) -> dict[str, tuple[int, bytes]]:
    files = [path for path in patient.home.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_the_command(patient: Patient) -> None:
    """It changes nothing, and what others wrote reaches no terminal."""
    patient.run(0.5, "\x1b[2J\u202e")
    patient.log(error="\x1b]0;x\x07")
    before = tree(patient)
    process = patient.cli("doctor")
    assert (process.returncode, b"\x1b" in process.stdout) == (1, False)
    process = patient.cli("doctor", "--json")
    assert tree(patient) == before
    found = json.loads(process.stdout)
    assert (process.returncode, found["healthy"]) == (1, False)
    assert set(found["findings"][0]) == {"area", "level", "text", "remedy"}
    shutil.rmtree(patient.state)
    patient.register()
    process = patient.cli("doctor", "--json")
    assert (process.returncode, json.loads(process.stdout)["healthy"]) == (0, True)
