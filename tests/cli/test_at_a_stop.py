"""What ``stops.console`` cannot say of a stop: labels as samples, slash commands, a terminal."""

import json
import tomllib

import pytest

from groundwire.calibrate.samples import read_samples
from groundwire.cli import slash
from tests.cli.command import Command
from tests.support.console import Client
from tests.support.inside import run_inside
from tests.support.terminal import on_terminal

CLAIM = "All tests pass: 42 passed in 1.2s. The log is short."
AGAIN = "The whole test suite passes now."
FAILED = "3 failed, 39 passed in 1.31s"
LABELS = ".config/groundwire/labels/stops.jsonl"


@pytest.fixture
def client(cli: Command) -> Client:
    """Return Claude Code after a start of a session with the hook."""
    client = Client(cli)
    client.step("start", [])
    return client


def say(client: Client, text: str, *, stopped: bool) -> None:
    """End a turn in which tests failed."""
    client.step("prompt mend it", [])
    client.step("bash pytest -q", [f"| {FAILED}", "? 1"])
    assert ("reason" in client.answer("stop", text, {})) == stopped


@pytest.mark.parametrize("text", ["--no-text", "--keep-text"])
def test_a_wrong_stop_is_a_label_that_calibrate_reads(
    client: Client, cli: Command, text: str
) -> None:
    say(client, AGAIN, stopped=True)
    client.step('stop 3 tests fail. {"stop_hook_active": true}', [])
    say(client, "3 tests fail.", stopped=False)
    assert f'not to be challenged: "{AGAIN}"' in cli.out("wrong", "last", text)
    path = cli.home / LABELS
    assert (AGAIN in path.read_text("utf-8")) == (text == "--keep-text")
    [sample] = read_samples(path)
    assert (sample.message.text, sample.turn.message) == (AGAIN, AGAIN)
    assert [FAILED in str(call.result) for call in sample.turn.calls] == [True]
    assert (sample.message.flag(1), sample.message.labels[1].answered) == (0, True)
    cli.out("wrong", "last", text)  # the same label again
    assert len(path.read_text("utf-8").splitlines()) == 1
    client.path.unlink()
    said = cli.refused("quality", path)
    kept = "1 session; to leave one out needs two" in said
    assert kept == (text == "--keep-text")
    assert kept or "kept without text: left out" in said
    assert "nothing to keep: the transcript is gone" in cli.refused("wrong", "last")


@pytest.mark.parametrize("words", ["", "last", "{session}"])
def test_a_slash_command_is_answered_in_place_of_the_model(
    client: Client, cli: Command, words: str
) -> None:
    say(client, CLAIM, stopped=True)
    event = {
        "hook_event_name": "UserPromptExpansion",
        "session_id": client.session.session_id,
        "command_args": f"{words} --kind".format(session=client.session.session_id),
    }
    env = {**cli.env, "CLAUDECODE": "1"}
    for name in ("allow", "other"):
        data = json.dumps({**event, "command_name": f"groundwire:{name}"}).encode()
        printed = run_inside(slash.main, ["slash"], data, env, cli.folder).stdout
        answer = json.loads(printed or "{}")
        assert ("wrote to" in answer.get("reason", "")) == (name == "allow")
        assert ("decision" in answer) == (name == "allow")


@pytest.mark.parametrize(("typed", "turns"), [("\n", "20"), ("7\n", "7"), ("0\n", "")])
def test_an_installation_on_a_terminal_asks_for_a_trial(
    cli: Command, typed: str, turns: str
) -> None:
    shown = on_terminal(cli, "install", typed=typed)
    assert (f"the next {turns} turns are only reported" in shown) == bool(turns)
    assert (cli.home / ".local/state/groundwire/trial").exists() == bool(turns)
    assert "turns that are only reported" not in on_terminal(cli, "install")
    cli("uninstall")
    assert not (cli.home / ".local/state/groundwire/trial").exists()


def test_a_threshold_is_proposed_above_wrong_stops_and_below_right_ones(
    client: Client, cli: Command
) -> None:
    path = cli.home / LABELS
    for text in ("All unit tests pass.", AGAIN, CLAIM):
        say(client, text, stopped=True)
        cli.out("wrong", "last", "--no-text")
    rows = path.read_text("utf-8").splitlines()
    rows[-1] = rows[-1].replace('"flag": 0', '"flag": 1')
    path.write_text("\n".join(rows), encoding="utf-8")
    printed = cli.out("learn", "--since", "2020-01-01", "--yes")
    settings = tomllib.loads((cli.home / ".config/groundwire/config.toml").read_text("utf-8"))
    assert 60 < settings["thresholds"]["block"] <= 100
    first, *_, last = [line for line in printed.splitlines() if " stopped wrongly, " in line]
    assert "3 of 3 replayed turns stopped" in first
    assert "would be: 0 labelled findings" in last
    assert "1 of 3 replayed turns stopped" in last
