"""The plugin's slash commands and the status line in the real client."""

import json
import os
import pty
import subprocess
import time

import pytest

from tests.e2e.client import CLIENT, ClaudeCode
from tests.e2e.conftest import Installation
from tests.e2e.stub import FAILING, FALSE, HONEST, PROMPT, MessagesStub

pytestmark = pytest.mark.e2e
#: Seconds in which the client draws its first screen.
LONGEST_START = 30


def test_slash_commands_answer_without_the_model(with_plugin: ClaudeCode) -> None:
    claude = with_plugin
    first = claude.ask(PROMPT, FAILING, FALSE, HONEST)
    assert len(first.blocks()) == 1
    why = claude.ask("/groundwire:why", resume=first)
    assert not why.requests  # it never reached the model
    assert all(part in why.result for part in ("Stopped 20", FALSE.text, FAILING.command))
    wrong = claude.ask("/groundwire:wrong --keep-text", resume=first)
    assert not wrong.requests
    assert f'not to be challenged: "{FALSE.text}"' in wrong.result
    assert FALSE.text in (claude.home / ".config/groundwire/labels/stops.jsonl").read_text("utf-8")
    allowed = claude.ask("/groundwire:allow --reason 'a rehearsal'", resume=first)
    assert "it holds from the next turn of that session on" in allowed.result
    assert "a rehearsal" in (claude.home / ".config/groundwire/config.toml").read_text("utf-8")
    second = claude.ask(PROMPT, FAILING, FALSE, resume=first)
    assert not second.blocks() + second.messages_to_user()


@pytest.mark.parametrize("mode", ["off", "report"])
def test_a_session_is_switched_off_and_on_again(with_plugin: ClaudeCode, mode: str) -> None:
    claude = with_plugin
    session = claude.ask(PROMPT, HONEST)
    assert "from the next" in claude.ask(f"/groundwire:{mode}", resume=session).result
    assert not claude.ask(PROMPT, FAILING, FALSE, resume=session).blocks()
    assert claude.decisions()[-1]["decision"] == {"off": "pass", "report": "report"}[mode]
    assert len(claude.ask(PROMPT, FAILING, FALSE, HONEST).blocks()) == 1  # another session
    claude.ask("/groundwire:on", resume=session)
    assert len(claude.ask(PROMPT, FAILING, FALSE, HONEST, resume=session).blocks()) == 1


def test_the_status_line_of_an_interactive_client(
    with_install: ClaudeCode, installation: Installation
) -> None:
    claude = with_install
    session = claude.ask(PROMPT, FAILING, FALSE, HONEST)
    path = claude.home / ".claude/settings.json"
    settings = json.loads(path.read_text("utf-8"))
    line = {"type": "command", "command": f"'{installation.command}' statusline"}
    path.write_text(json.dumps({**settings, "statusLine": line}), encoding="utf-8")
    known = claude.home / ".claude.json"
    state = json.loads(known.read_text("utf-8")) | {"hasCompletedOnboarding": True, "theme": "dark"}
    state["projects"] = {str(claude.project): {"hasTrustDialogAccepted": True}}
    state["customApiKeyResponses"] = {"approved": ["key"], "rejected": []}
    known.write_text(json.dumps(state), encoding="utf-8")
    with MessagesStub() as stub:
        shown = on_screen(claude, stub.url, "--resume", session.id, until="groundwire: 1 stop")
    assert "groundwire: 1 stop, 0 reports" in shown


def on_screen(claude: ClaudeCode, url: str, *arguments: str, until: str) -> str:
    """Start the client on a terminal and return what it has drawn when ``until`` is there."""
    main, side = pty.openpty()
    keys = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "key", "TERM": "xterm-256color"}
    process = subprocess.Popen(
        [str(CLIENT), *arguments],
        stdin=side,
        stdout=side,
        stderr=side,
        cwd=claude.project,
        env={**claude.environment, **keys},
        start_new_session=True,
    )
    os.close(side)
    os.set_blocking(main, False)
    drawn, end = b"", time.monotonic() + LONGEST_START
    try:
        while until.encode() not in drawn and time.monotonic() < end:
            time.sleep(0.1)
            try:
                drawn += os.read(main, 1 << 16)
            except BlockingIOError:
                continue
            except OSError:
                break
    finally:
        process.kill()
        process.wait()
        os.close(main)
    return drawn.decode("utf-8", "replace")
