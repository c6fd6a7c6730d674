"""Registration, start, server and settings: each finding when it holds and when not."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire import __version__
from groundwire.install.entry import EVENTS, current_entry
from groundwire.server.token import ensure_token
from tests.doctor.conftest import Patient, has
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


def test_an_event_is_missing(patient: Patient) -> None:
    patient.register()
    event = EVENTS[-1]
    settings = json.loads(patient.claude.read_bytes())
    del settings["hooks"][event]
    patient.write(settings)
    assert has(patient.found("hook"), "broken", f"not registered for {event}", INSTALL)


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


BLOCK = 'print(\'{"decision": "block"}\')'
ANSWERS = [
    ("raise SystemExit('no module')", "broken", "does not stop a sample turn: no module"),
    ("print('no JSON')", "broken", "does not stop a sample turn: exit code 0"),
    (f"import sys\nprint('0.0.9') if '--where' in sys.argv else {BLOCK}", "warning", "0.0.9, not"),
    (BLOCK, "warning", "registered is groundwire"),
    (
        f"import sys\nprint('{__version__}') if '--where' in sys.argv else {BLOCK}",
        "note",
        "another installation of this version",
    ),
]


@pytest.mark.parametrize(("code", "level", "words"), ANSWERS)
def test_what_another_file_answers(
    patient: Patient, other: Callable[[str], list[str]], code: str, level: str, words: str
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


def test_two_different_copies(patient: Patient) -> None:
    patient.register()
    text = patient.claude.read_text(encoding="utf-8")
    patient.write(text, "settings.local.json", project=True)
    assert not has(patient.found("hook"), "warning", "registered 2 times")
    patient.write(text.replace(str(current_entry().interpreter), "/usr/bin/other"), project=True)
    assert has(patient.found("hook"), "warning", "registered 2 times for Stop", "uninstall")


def test_the_plugin(patient: Patient) -> None:
    patient.write({"enabledPlugins": {"groundwire@here": True}})
    found = patient.found("hook")
    assert found[0] == ("ok", "registered by the plugin groundwire", "")
    assert has(found, "note", "is not built yet", "start a session")
    patient.register()
    settings = json.loads(patient.claude.read_bytes())
    patient.write({**settings, "enabledPlugins": {"groundwire@here": True}})
    assert has(patient.found("hook"), "warning", "enabled as a plugin, too")


def test_the_environment_of_the_plugin(patient: Patient) -> None:
    patient.write({"enabledPlugins": {"groundwire@here": True}})
    data = patient.home / ".claude/plugins/data/groundwire-here"
    data.mkdir(parents=True)
    (data / "failed-0.1.0").write_text("there is no C compiler: install gcc\n", encoding="utf-8")
    assert has(patient.found("hook"), "broken", "there is no C compiler", "start a new session")
    entry = current_entry()
    ready = data / f"ready-{__version__}"
    ready.write_text(f"{entry.interpreter}\n{entry.file}\n", encoding="utf-8")
    assert has(patient.found("hook"), "ok", f"environment is ready: {entry.interpreter}")
    ready.write_text(f"/nowhere/python\n{entry.file}\n", encoding="utf-8")
    assert has(patient.found("hook"), "broken", "/nowhere/python, which does not exist")


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


def test_the_port_is_taken(patient: Patient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        patient.register_server(port, ensure_token(patient.env))
        found = patient.found("server")
    assert has(found, "broken", "taken by another program", f"--port {port + 1}")


def test_the_token_and_the_address(patient: Patient) -> None:
    patient.register_server(free_port(), ensure_token(patient.env))
    settings = json.loads(patient.claude.read_bytes())
    patient.write({**settings, "allowedHttpHookUrls": ["https://elsewhere/*"]})
    assert has(patient.found("server"), "broken", '"allowedHttpHookUrls" does not allow')
    (patient.state / "server-token").chmod(0o644)
    assert has(patient.found("server"), "broken", "allowed: 0o600")
    (patient.state / "server-token").chmod(0o600)
    patient.register_server(free_port(), "7f" * 32)
    assert has(
        patient.found("server"), "broken", "is not the server's", "groundwire install --http"
    )


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
    patient.cli.settings('mode = "loud"\nthresholds.report = 400\n')
    found = patient.found("settings")
    assert [level for level, _, _ in found] == ["broken", "broken"]
    assert has(found, "broken", '"loud"', "groundwire config check")


def test_a_project_that_is_not_trusted(patient: Patient) -> None:
    path = patient.cli.write(".groundwire.toml", 'mode = "off"\n')
    assert has(patient.found("settings"), "warning", "it is not trusted", f"trust {path}")
    patient.cli.out("trust", patient.folder)
    assert not has(patient.found("settings"), "warning", "")


def test_compiled_settings(patient: Patient) -> None:
    patient.cli.settings("notify = true\n")
    assert has(patient.found("settings"), "note", "not compiled yet", "start a session")
    path = patient.start_session()
    assert has(patient.found("settings"), "ok", "compiled for the hook, with shipped rules")
    path.write_bytes(b"damaged")
    assert has(patient.found("settings"), "note", "not compiled yet")


# the program
def test_the_program(patient: Patient) -> None:
    found = patient.found("program")
    assert has(found, "ok", f"groundwire {__version__} in ")
    assert has(found, "ok", f"at {sys.executable}")
    assert has(found, "note", "(claude) is not on PATH")
    fake = patient.home / "bin" / "claude"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\n", encoding="ascii")
    fake.chmod(0o755)
    patient.env["PATH"] = str(fake.parent)
    assert not has(patient.found("program"), "note", "claude")
