"""The real client runs a hook with a judge: an API's, and the client itself."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from groundwire.judge.turn import ask_turn
from groundwire.judge.turn_answer import Answer
from groundwire.settings import Judge
from groundwire.turn_page.digest import Statement, TurnDigest
from tests.e2e.client import CLIENT, ClaudeCode
from tests.e2e.stub import FAILING, Run, Say
from tests.e2e.stub import FALSE as STOPPED

pytestmark = pytest.mark.e2e
PROMPT = "Which branch does it take?"
PRINTED = Run("echo first branch")
#: No marker stands in it.
FALSE = Say("The loader took the second branch.")
HONEST = Say("The loader took the first branch.")
WHY = "call #1 printed the first branch"
ROW = {"n": 1, "probability": 97, "kind": "internal_contradiction", "why": WHY}
AGAINST = f"Here it is: {json.dumps({'statements': [ROW]})}"
NOTHING = '{"statements": []}'


@pytest.fixture(params=["claude-code", "anthropic"])
def judge(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def claude(tmp_path: Path) -> ClaudeCode:
    """The client with the groundwire of these tests, whose environment has the judges' clients."""
    client = ClaudeCode(tmp_path)
    client.extra["PATH"] = f"{CLIENT.parent}:{client.environment['PATH']}"
    command = [sys.executable, "-m", "groundwire", "install", "--user"]
    done = subprocess.run(
        command, env=client.environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return client


def configure(claude: ClaudeCode, judge: str, may: str) -> None:
    text = f'[judge]\nwhen = "always"\nmay = "{may}"\nprovider = "{judge}"\nbudget_ms = 15000\n'
    config = claude.home / ".config/groundwire/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(text, encoding="utf-8")


def test_a_false_statement_without_a_marker_is_stopped_with_the_judges_reason(
    claude: ClaudeCode, judge: str
) -> None:
    configure(claude, judge, "decide")
    settings = (claude.home / ".claude/settings.json").read_bytes()
    session = claude.ask(PROMPT, PRINTED, FALSE, HONEST, judgements=[AGAINST, NOTHING])
    [reason] = session.blocks()
    assert FALSE.text in reason
    assert f'says "{WHY}" (call 1: echo first branch)' in reason
    assert session.result == HONEST.text
    assert len(session.judged) == 2
    assert f"[1] {FALSE.text}" in json.dumps(session.judged[0]["messages"])
    logged = [(line["session"], line["decision"], line["notes"]) for line in claude.decisions()]
    # a hook of groundwire in the judge's own session would have left a line
    assert logged == [(session.id, "block", []), (session.id, "pass", [])]
    assert (claude.home / ".claude/settings.json").read_bytes() == settings
    assert len([*(claude.home / ".claude/projects").rglob("*.jsonl")]) == 1


def test_a_true_statement_that_the_linear_model_would_stop_is_cleared(
    claude: ClaudeCode, judge: str
) -> None:
    configure(claude, judge, "clear")
    session = claude.ask(PROMPT, FAILING, STOPPED, judgements=[NOTHING])
    assert not session.blocks()
    assert session.result == STOPPED.text
    assert len(session.judged) == 1
    assert not session.hook_failures()


def test_the_client_as_a_judge_has_no_tools_and_none_of_the_users_files(
    claude: ClaudeCode,
) -> None:
    configure(claude, "claude-code", "advise")
    (claude.home / ".claude/CLAUDE.md").write_text("Speak like a pirate.", encoding="utf-8")
    session = claude.ask(PROMPT, PRINTED, HONEST, judgements=[NOTHING])
    [request] = session.judged
    assert not request.get("tools")
    assert "pirate" in json.dumps(session.requests[0])
    assert "pirate" not in json.dumps(request)
    handlers = json.loads((claude.home / ".claude/settings.json").read_text())["hooks"]["Stop"]
    assert handlers[0]["hooks"][0]["statusMessage"] == "groundwire checks the message"


def asked(claude: ClaudeCode, budget_ms: int = 30_000, **variables: str) -> Answer:
    """What the client as a judge answers about a turn of one statement."""
    statement = Statement(1, 0, len(FALSE.text), FALSE.text)
    digest = TurnDigest(PROMPT, (), (), 1, (), (), (), (statement,))
    return ask_turn(digest, Judge(budget_ms=budget_ms), {**claude.environment, **variables})


def test_a_client_that_is_not_signed_in_is_no_opinion(claude: ClaudeCode) -> None:
    answer = asked(claude)
    assert answer.problem.startswith("claude-code: Not logged in")


def test_a_client_that_takes_too_long_is_ended_with_all_it_began(
    claude: ClaudeCode, tmp_path: Path
) -> None:
    slow = tmp_path / "bin" / "claude"
    slow.parent.mkdir()
    pids = tmp_path / "pids"
    slow.write_text(f"#!/bin/sh\nsleep 60 & echo $! $$ > {pids}\nwait\n", encoding="utf-8")
    slow.chmod(0o755)
    started = time.monotonic()
    answer = asked(claude, 3_000, PATH=f"{slow.parent}:/usr/bin:/bin")
    assert time.monotonic() - started < 20
    assert answer.problem.startswith("no answer within")
    states = ["ps", "-o", "stat=", "-p", ",".join(pids.read_text(encoding="utf-8").split())]
    left = subprocess.run(states, capture_output=True, text=True, check=False).stdout.split()
    assert [one for one in left if not one.startswith("Z")] == []
