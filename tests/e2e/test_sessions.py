"""The real client with groundwire in it, session by session: the files ``*.console`` here."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from groundwire.base.settings import Judge
from groundwire.turn.page import Statement, TurnDigest
from groundwire_judge.ask import ask_turn
from tests.cli.command import GROUNDWIRE
from tests.e2e.client import CLIENT, REPOSITORY, ClaudeCode
from tests.e2e.conftest import OFFLINE
from tests.e2e.models import Model
from tests.support.console import Steps, sessions
from tests.support.terminal import Terminal

pytestmark = pytest.mark.e2e
HERE = Path(__file__).parent
INSTALL = ["$ groundwire install --user", "..."]


@sessions(HERE / "both.console")
def test_by_install(steps: Steps, claude: ClaudeCode) -> None:
    claude.play([INSTALL, *steps])


@sessions(HERE / "both.console", HERE / "plugin.console")
def test_with_plugin(steps: Steps, with_plugin: ClaudeCode) -> None:
    with_plugin.play(steps)


@sessions(HERE / "install.console", HERE / "resident.console")
def test_with_command(steps: Steps, claude: ClaudeCode) -> None:
    try:
        claude.play(steps)
    finally:
        claude("serve", "--stop", "--port", str(claude.port))


@sessions(HERE / "folder.console", HERE / "market.console")
def test_with_a_plugin_that_is_not_built(
    steps: Steps, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    is_copied = "market" in request.node.name
    claude = ClaudeCode(tmp_path, "", *([] if is_copied else ["--plugin-dir", str(REPOSITORY)]))
    claude.env |= OFFLINE
    if is_copied:  # without what git ignores, as it would come from a clone
        command = ["git", "checkout-index", "--all", f"--prefix={claude.home}/clone/"]
        subprocess.run(command, cwd=REPOSITORY, check=True)
    claude.play(steps)


@pytest.fixture
def judged(tmp_path: Path) -> ClaudeCode:
    """The client with the groundwire of these tests, whose environment has the judges' clients."""
    client = ClaudeCode(tmp_path, GROUNDWIRE)
    client.env["PATH"] = f"{CLIENT.parent}:{client.env['PATH']}"
    return client


@pytest.mark.parametrize("judge", ["claude-code", "anthropic"])
@sessions(HERE / "judge.console")
def test_with_judge(steps: Steps, judged: ClaudeCode, judge: str) -> None:
    judged.play([[line.replace("JUDGE", judge) for line in step] for step in steps])
    assert len([*(judged.home / ".claude/projects").rglob("*.jsonl")]) == 1


def test_a_client_as_a_judge_that_gives_no_answer(judged: ClaudeCode, tmp_path: Path) -> None:
    """It is not signed in; or it takes too long, and is ended with all that it began."""
    said = "The loader took the second branch."
    digest = TurnDigest("Why?", (), (), 1, (), (), (), (Statement(1, 0, len(said), said),))
    answer = ask_turn(digest, Judge(budget_ms=30_000), judged.env)
    assert answer.problem.startswith("claude-code: Not logged in")
    pids = tmp_path / "pids"
    slow = judged.write("bin/claude", f"#!/bin/sh\nsleep 60 & echo $! $$ > {pids}\nwait\n")
    slow.chmod(0o755)
    started = time.monotonic()
    answer = ask_turn(digest, Judge(budget_ms=3_000), {"PATH": f"{slow.parent}:/usr/bin:/bin"})
    assert time.monotonic() - started < 20
    assert answer.problem.startswith("no answer within")
    states = ["ps", "-o", "stat=", "-p", ",".join(pids.read_text(encoding="utf-8").split())]
    left = subprocess.run(states, capture_output=True, text=True, check=False).stdout.split()
    assert [one for one in left if not one.startswith("Z")] == []


def test_the_status_line_of_an_interactive_client(claude: ClaudeCode) -> None:
    claude.play([INSTALL])
    words = ["run python3 -m unittest test_server", "say All 8 tests pass now.", "say It fails."]
    claude.turn("ask", "Why does the server crash?", words)
    path, known = claude.home / ".claude/settings.json", claude.home / ".claude.json"
    line = {"type": "command", "command": f"'{claude.program}' statusline"}
    path.write_text(json.dumps(json.loads(path.read_text()) | {"statusLine": line}))
    state = json.loads(known.read_text()) | {"hasCompletedOnboarding": True, "theme": "dark"}
    state["projects"] = {str(claude.folder): {"hasTrustDialogAccepted": True}}
    state["customApiKeyResponses"] = {"approved": ["key"], "rejected": []}
    known.write_text(json.dumps(state), encoding="utf-8")
    with Model([]) as model:
        claude.env |= {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "key"}
        claude.program = CLIENT
        with Terminal(claude, "--resume", claude.session) as terminal:
            terminal.wait_for("groundwire: 1 stop, 0 reports")
