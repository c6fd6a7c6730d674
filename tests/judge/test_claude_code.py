"""The user's own client as a judge: how it is found and started, and what its report holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.config.judge_models import priced_models
from groundwire.judge.claude_code import client_environment, find_client
from groundwire.judge.protocol import JudgeError
from groundwire.judge.turn import ask_turn
from groundwire.settings import Judge
from groundwire.state.sources import JUDGING
from groundwire.turn_page.digest import Statement, TurnDigest
from tests.conftest import Hook
from tests.hook.messages import GUESS, stop
from tests.support.tables import table

DIGEST = TurnDigest("Why?", (), (), 1, (), (), (), (Statement(1, 0, 6, "It is."),))
REPORT = (
    '{"is_error": false, "subtype": "success", "total_cost_usd": 0.25, "result": "%s",'
    ' "modelUsage": {"small-1": {}}, "usage": {"input_tokens": 5, "cache_read_input_tokens": 7,'
    ' "output_tokens": 3}}'
)


def client(folder: Path, *lines: str) -> dict[str, str]:
    """Write a program in the client's place; return the environment that leads to it."""
    path = folder / "claude"
    path.write_text("\n".join(("#!/bin/sh", *lines, "")), encoding="utf-8")
    path.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(folder)}


def test_a_missing_client_is_no_opinion(tmp_path: Path) -> None:
    env = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    assert ask_turn(DIGEST, Judge(), env).problem == (
        "claude-code: the command claude is not on the PATH"
    )
    place = tmp_path / ".local/bin"
    place.mkdir(parents=True)
    client(place)
    assert find_client(env) == str(place / "claude")


def test_it_is_started_outside_of_the_session_that_the_hook_is_of() -> None:
    env = client_environment(
        {
            "HOME": "/home/ada",
            "CLAUDECODE": "1",
            "CLAUDE_CODE_SESSION_ID": "s",
            "CLAUDE_PROJECT_DIR": "/p",
            "CLAUDE_CONFIG_DIR": "/c",
            "CLAUDE_CODE_OAUTH_TOKEN": "t",
            "CLAUDE_CODE_USE_BEDROCK": "1",
        }
    )
    assert {name for name in env if name.startswith("CLAUDE")} >= {
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK",
    }
    assert not {"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR"} & env.keys()
    assert env[JUDGING] == "1"


def test_tokens_and_dollars_come_from_its_report(tmp_path: Path) -> None:
    said = r"{\"statements\": []}"
    report = tmp_path / "report.json"
    report.write_text(REPORT % said, encoding="utf-8")
    answer = ask_turn(DIGEST, Judge(), client(tmp_path, "cat >/dev/null", f"cat {report}"))
    assert (answer.problem, answer.model, answer.cost) == ("", "small-1", 0.25)
    assert (answer.input_tokens, answer.output_tokens) == (12, 3)


@table
def test_a_client_without_a_report_is_no_opinion(
    lines: tuple[str, ...], problem: str, tmp_path: Path
) -> None:
    assert ask_turn(DIGEST, Judge(), client(tmp_path, *lines)).problem == problem


def test_an_unknown_place_raises() -> None:
    with pytest.raises(JudgeError):
        find_client({"PATH": ""})


def test_a_hook_inside_of_the_judges_session_does_nothing(hook: Hook) -> None:
    hook.env[JUDGING] = "1"
    process = hook.raw(stop(GUESS))
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")
    assert hook.log() == []


def test_its_prices_are_none_of_the_models_that_judge_answers() -> None:
    [model] = priced_models({"claude-code/haiku": 0.1, "openai/gpt-4": 0.2})
    assert (model.provider, model.per_query) == ("openai", 0.2)
