"""``groundwire install --http``: the settings text before and after, and the command."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from groundwire.install.entry import EVENTS, STATUS_MESSAGE, TIMEOUT_SECONDS, current_entry
from groundwire.install.registration import (
    is_ours,
    plan_install,
    plan_uninstall,
    registered_port,
)
from groundwire.install.resident import Resident
from groundwire.install.settings_file import obstacles
from groundwire.server.client import running_version
from groundwire.server.token import default_port, ensure_token
from groundwire.state.sources import TOKEN_VARIABLE
from tests.install.test_command import Sandbox
from tests.install.test_registration import ENTRY, TEXTS
from tests.server.resident import free_port

RESIDENT = Resident(23_000, "7f" * 32)
OTHER = Resident(23_001, "00" * 32)
HTTP = {
    "type": "http",
    "url": "http://127.0.0.1:23000/hook",
    "headers": {"Authorization": "Bearer $GROUNDWIRE_TOKEN"},
    "allowedEnvVars": ["GROUNDWIRE_TOKEN"],
    "timeout": TIMEOUT_SECONDS,
    "statusMessage": STATUS_MESSAGE,
}


def ours(text: str) -> dict[str, list[dict[str, Any]]]:
    """Our handlers of a settings text by event."""
    hooks = json.loads(text).get("hooks", {})
    found = {
        event: [one for group in groups for one in group["hooks"] if is_ours(one)]
        for event, groups in hooks.items()
    }
    return {event: handlers for event, handlers in found.items() if handlers}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_server_answers_where_it_can(text: str) -> None:
    planned = plan_install(text, ENTRY, RESIDENT)
    starting = {**ENTRY.handler(), "args": [*ENTRY.handler()["args"], "--resident", "23000"]}
    assert ours(planned) == {"Stop": [HTTP], "SubagentStop": [HTTP], "SessionStart": [starting]}
    assert json.loads(planned)["env"][TOKEN_VARIABLE] == RESIDENT.token
    assert registered_port(planned) == 23_000
    assert plan_install(planned, ENTRY, RESIDENT) == planned
    assert plan_install(plan_install(text, ENTRY, OTHER), ENTRY, RESIDENT) == planned
    assert plan_uninstall(planned) == text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_from_one_way_to_the_other_and_back(text: str) -> None:
    http = plan_install(text, ENTRY, RESIDENT)
    command = plan_install(http, ENTRY)
    assert ours(command) == {event: [ENTRY.handler()] for event in EVENTS}
    assert TOKEN_VARIABLE not in command
    assert registered_port(command) == 0
    assert json.loads(plan_install(command, ENTRY, RESIDENT)) == json.loads(http)
    assert plan_uninstall(command) == text


def test_the_users_timeout_stays() -> None:
    text = plan_install("{}", ENTRY).replace(f'"timeout": {TIMEOUT_SECONDS}', '"timeout": 7')
    http = plan_install(text, ENTRY, RESIDENT)
    assert {one["timeout"] for handlers in ours(http).values() for one in handlers} == {7}


NOT_OURS = [
    {**HTTP, "url": "http://127.0.0.1:23000/other"},
    {**HTTP, "url": "http://example.com:23000/hook"},
    {**HTTP, "url": "http://127.0.0.1:23000/hook?x"},
    {**HTTP, "allowedEnvVars": ["OTHER_TOKEN"]},
    {**HTTP, "allowedEnvVars": "GROUNDWIRE_TOKEN"},
    {"type": "http", "url": HTTP["url"]},
    {"type": "http", "url": 7, "allowedEnvVars": ["GROUNDWIRE_TOKEN"]},
]


@pytest.mark.parametrize("handler", NOT_OURS, ids=repr)
def test_another_servers_handlers_are_left_alone(handler: dict[str, Any]) -> None:
    assert not is_ours(handler)


def test_what_stands_in_the_way_is_told(tmp_path: Path) -> None:
    settings = tmp_path / ".claude/settings.json"
    settings.parent.mkdir()
    refusing = {"allowedHttpHookUrls": ["https://hooks.example/*"], "httpHookAllowedEnvVars": []}
    settings.write_text(json.dumps(refusing), encoding="utf-8")
    env = {"HOME": str(tmp_path)}
    told = obstacles(env, tmp_path / "project", RESIDENT.url)
    assert told == [
        f'{settings}: "allowedHttpHookUrls" does not allow {RESIDENT.url}',
        f'{settings}: "httpHookAllowedEnvVars" does not allow GROUNDWIRE_TOKEN',
    ]
    assert obstacles(env, tmp_path / "project") == []
    allowing = {
        "allowedHttpHookUrls": ["http://127.0.0.1:*"],
        "httpHookAllowedEnvVars": ["GROUNDWIRE_TOKEN"],
    }
    settings.write_text(json.dumps(allowing), encoding="utf-8")
    assert obstacles(env, tmp_path / "project", RESIDENT.url) == []


@pytest.fixture
def box(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


def test_the_command_registers_keeps_the_secret_and_gives_all_back(box: Sandbox) -> None:
    done = box.run("install", "--http", "--project")
    assert done.returncode == 2
    assert "--http puts a secret into the settings" in " ".join(done.stderr.split())
    done = box.run("install", "--http", "--dry-run")
    assert f'"{TOKEN_VARIABLE}": "(a new token)"' in done.stdout
    assert not (box.home / ".local").exists()
    box.user.write_text('{\n"env": []}', encoding="utf-8")
    assert 'line 2: "env" must be an object' in box.run("install", "--http").stderr
    text = '{\n    "model": "opus"\n}\n'
    box.user.write_text(text, encoding="utf-8")
    box.user.chmod(0o644)
    done = box.run("install", "--http")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"starts the server at port {default_port()}" in done.stdout
    token = ensure_token({"HOME": str(box.home)})
    written = box.user.read_text(encoding="utf-8")
    assert json.loads(written)["env"] == {TOKEN_VARIABLE: token}
    assert written == plan_install(text, current_entry(), Resident(default_port(), token))
    assert stat.S_IMODE(box.user.stat().st_mode) == 0o600
    assert token not in done.stdout
    done = box.run("uninstall")
    assert done.returncode == 0
    assert box.user.read_text(encoding="utf-8") == text


def test_uninstall_ends_the_server(box: Sandbox) -> None:
    port = free_port()
    box.run("install", "--http", "--port", str(port))
    token = ensure_token({"HOME": str(box.home)})
    command = json.loads(box.user.read_bytes())["hooks"]["SessionStart"][0]["hooks"][0]
    box.start(command, {"hook_event_name": "SessionStart", "session_id": "s"})
    assert running_version(port, token)
    assert f"the server at port {port} ends\n" in box.run("uninstall").stdout
    box.wait_until(lambda: not running_version(port, token))
