"""Registration, start, server and settings: each finding when it holds and when not."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire import __version__
from groundwire.install.entry import EVENTS
from groundwire.server.token import ensure_token
from tests.conftest import Hook
from tests.doctor.conftest import Patient, has
from tests.hook.messages import GUESS
from tests.server.resident import Resident, free_port
from tests.support.tables import table

INSTALL = "groundwire install"


def test_registered_and_starting(patient: Patient) -> None:
    assert has(patient.found("hook"), "broken", "the hook is not registered", INSTALL)
    patient.register()
    assert patient.found("server") == []
    found = patient.found("hook")
    assert {level for level, _, _ in found} == {"ok"}
    assert has(found, "ok", f"registered for {', '.join(EVENTS)} in {patient.claude}")
    assert has(found, "ok", "starts and stops a sample turn")
    # in the home folder the project's settings file is the user's
    patient.folder = patient.home
    assert patient.found("hook") == found


@table
def test_settings_in_the_way(settings: Any, words: str, patient: Patient) -> None:
    if isinstance(settings, dict):
        patient.register()
        settings = {**json.loads(patient.claude.read_bytes()), **settings}
    patient.write(settings)
    assert has(patient.found("hook"), "broken", words)


def test_a_registered_file_is_gone(patient: Patient) -> None:
    patient.register(args=["-I", "-S", "/nowhere/groundwire/hook/run.py"])
    found = patient.found("hook")
    assert has(found, "broken", "/nowhere/groundwire/hook/run.py, which does not exist", INSTALL)
    assert not has(found, "ok", "starts")


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
    assert has(patient.found("hook"), level, words, INSTALL)


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


# settings
def test_settings_with_their_origin(patient: Patient) -> None:
    assert patient.found("settings") == [("ok", "the shipped ones", "")]
    path = patient.cli.settings('mode = "report"\nthresholds.report = 40\n')
    patient.env["GROUNDWIRE_NOTIFY"] = "true"
    found = patient.found("settings")
    assert has(found, "ok", f"from {path}: ")
    for words in ('mode = "report" (user)', "thresholds.report = 40 (user)", "notify = true (env"):
        assert has(found, "ok", words)
    assert has(found, "note", "no turn is stopped", 'mode = "enforce"')
    assert has(found, "note", "with the shipped until then", "start a session")
    patient.start_session()
    patient.env["GROUNDWIRE_NOTIFY"] = "false"
    patient.cli.settings("thresholds.report = 41")
    assert has(patient.found("settings"), "note", "with the last good until then")
    patient.cli.settings('mode = "loud"\nthresholds.report = 400\n')
    found = patient.found("settings")
    assert [level for level, _, _ in found] == ["broken", "broken"]
    assert has(found, "broken", '"loud"', "groundwire config check")


def test_a_project_that_is_not_trusted(patient: Patient) -> None:
    path = patient.cli.write(".groundwire.toml", 'mode = "off"\n')
    assert has(patient.found("settings"), "warning", "it is not trusted", f"trust {path}")
    patient.cli.out("trust", patient.folder, "--yes")
    assert not has(patient.found("settings"), "warning", "")


def test_the_hook_has_not_fired(patient: Patient) -> None:
    assert has(patient.found("log"), "note", "no turn is in the decision log yet")
    patient.register()
    assert has(patient.found("log"), "warning", "no turn is in the decision log yet", "/hooks")


def test_the_hook_has_fired(patient: Patient) -> None:
    patient.register()
    Hook(patient.home)(last_assistant_message=GUESS)
    found = patient.found("log")
    assert has(found, "ok", "the last Stop was logged at 20")
    assert has(found, "ok", ": block, 1 turn in 7 days")
    assert has(found, "ok", "no errors in 7 days")
    assert has(found, "ok", "50 % within ")
    assert {level for level, _, _ in found} == {"ok"}


@pytest.mark.parametrize(("last", "level"), [("disk full", "warning"), ("", "note")])
def test_errors(patient: Patient, last: str, level: str) -> None:
    patient.log(days_ago=2, error="disk full")
    patient.log(days_ago=1, error=last)
    count = 2 if last else 1
    noun = "turns" if last else "turn"
    words = f"{count} {noun} of 2 ended unchecked, the last: disk full"
    remedy = "end a turn" if last else ""
    assert has(patient.found("log"), level, words, remedy)


@pytest.mark.parametrize("name", ["state", "cache"])
def test_a_folder_that_cannot_be_written(patient: Patient, name: str, tmp_path: Path) -> None:
    assert has(patient.found("log"), "ok", f"the {name} folder")
    (tmp_path / "file").write_text("", encoding="ascii")
    patient.env[f"GROUNDWIRE_{name.upper()}_DIR"] = str(tmp_path / "file" / "folder")
    words = f"the {name} folder: {tmp_path / 'file'} is no folder"
    assert has(patient.found("log"), "broken", words, f"GROUNDWIRE_{name.upper()}_DIR")


# the three troubleshooting cases, and what goes with them
def test_no_history(patient: Patient) -> None:
    found = patient.found("confidence")
    assert found == [
        (
            "note",
            f"no history yet in {patient.history}; the composite is off in the hook",
            "composite.enabled = true in the settings",
        )
    ]
    patient.run(0.9)
    assert has(patient.found("confidence"), "ok", f"history of 1 day in {patient.history}")
    (file,) = patient.history.iterdir()
    with file.open("ab") as out:
        out.write(b"null\n\xff\n")
    assert has(patient.found("confidence"), "note", "in the history, which are ignored: 2")


def test_the_four_factors_and_the_words_that_made_the_certainty(patient: Patient) -> None:
    patient.run(0.9)
    words = (
        "p-1, last run: Knowledge Base 90.00%, Code Validation 100.00%, Response Certainty "
        '90.00%, Agent History 90.00% (certainty lowered by "maybe")'
    )
    assert has(patient.found("confidence"), "ok", words)


def test_the_factor_that_is_low(patient: Patient) -> None:
    for share in (0.9, 0.9, 0.5):
        patient.run(share)
    words = (
        "p-1 (patcher): 2 of 3 runs met 80.00%, average 83.67%; "
        "weakest factor Knowledge Base, 76.67% on average"
    )
    assert has(patient.found("confidence"), "note", words, "retrieve sources that fit")
    patient.run(0.5)
    patient.run(0.5)
    assert has(patient.found("confidence"), "warning", "2 of 5 runs met")


@pytest.mark.parametrize(("runs", "told"), [(2, False), (3, True)])
def test_the_threshold_is_too_high(patient: Patient, runs: int, told: bool) -> None:
    for _ in range(runs):
        patient.run(0.7, "guard", "dgts_enforcer")
    words = "guard (dgts_enforcer): no run reached 90.00%, the best was 79.00%"
    remedy = "composite.thresholds.dgts_enforcer = 0.79 in the settings"
    assert has(patient.found("confidence"), "warning", words, remedy) is told


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
    printed = process.stdout.decode()
    assert (process.returncode, "\x1b" in printed) == (1, False)
    assert "  broken   the hook is not registered: no turn is checked\n" in printed
    assert "           -> groundwire install\n" in printed
    process = patient.cli("doctor", "--json")
    assert tree(patient) == before
    found = json.loads(process.stdout)
    assert (process.returncode, found["healthy"]) == (1, False)
    assert set(found["findings"][0]) == {"area", "level", "text", "remedy"}
    shutil.rmtree(patient.state)
    patient.register()
    process = patient.cli("doctor", "--json")
    assert (process.returncode, json.loads(process.stdout)["healthy"]) == (0, True)
