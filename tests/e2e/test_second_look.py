"""The second look in the real client, on a terminal and with ``-p``."""

import json
import time
from pathlib import Path

import pytest

from tests.cli.command import GROUNDWIRE
from tests.e2e.client import CLIENT, REPOSITORY, ClaudeCode
from tests.e2e.interactive import Chat, acts, events, left, look_on
from tests.e2e.models import Model
from tests.server.resident import free_port
from tests.support.decisions import json_lines

pytestmark = pytest.mark.e2e
LATEST = REPOSITORY / ".e2e/latest/node_modules/.bin/claude"
ASKED = "Which branch does it take?"
RUN, FALSE, TRUE = (
    "run echo first branch",
    "say The loader took the second branch.",
    "say The loader took the first branch.",
)
FOUND = {
    "n": 1,
    "kind": "internal_contradiction",
    "why": "call #1 printed the first branch",
    "call": 1,
    "quote": "first branch",
    "missing": "",
}
WAKE, NOTE = (json.dumps({"statements": [{**FOUND, "probability": it}]}) for it in (90, 70))
NOTHING, GARBAGE = '{"statements": []}', '{"statements": [{"n": 1, "pro'
WOKEN = "statement 1 of 1 (the loader took the second branch): call #1 (a command) shows otherwise"
SUMMARY, TOLD = "groundwire looked again", 'says: groundwire: "The loader took the second branch."'
HAD_ITS_WAKE, MOVED_ON = ("note", "this prompt had its wake"), ("note", "the session has moved on")
GAVE_UP = ("nothing", "no opinion of the judge: it was no longer wanted")


@pytest.fixture
def claude(tmp_path: Path) -> ClaudeCode:
    """The client with the groundwire of these tests, with which the judge's client is."""
    client = ClaudeCode(tmp_path, GROUNDWIRE)
    client.env["PATH"] = f"{CLIENT.parent}:{client.env['PATH']}"
    return client


def last(model: Model) -> str:
    """Return what the last request ends with, as text."""
    return json.dumps(model.requests[-1]["messages"][-1])


@pytest.mark.parametrize("client", [CLIENT, LATEST], ids=["pinned", "newest"])
def test_a_wake_and_its_correction(claude: ClaudeCode, client: Path) -> None:
    if not client.exists():
        pytest.skip("the newest client could not be installed")
    look_on(claude, provider="claude-code")
    with Model([RUN, FALSE, TRUE], [WAKE]) as model, Chat(claude, model, client=client) as chat:
        chat.ask(ASKED)
        chat.sees(SUMMARY)
        chat.sees("The loader took the first branch.")
        assert WOKEN in last(model).lower()
        chat.until(lambda: len(acts(claude)) == 2)  # the judge says the same of the correction
        chat.idle(2)
        assert acts(claude) == [("wake", ""), HAD_ITS_WAKE]
        assert [one["stop_hook_active"] for one in events(claude)] == [False, True]
        assert len(model.requests) == 3


def test_nothing_found(claude: ClaudeCode) -> None:
    look_on(claude)
    with Model([RUN, TRUE], [NOTHING]) as model, Chat(claude, model) as chat:
        chat.ask(ASKED)
        chat.until(lambda: acts(claude))
        chat.shown = b""
        chat.idle(2)
        assert acts(claude) == [("nothing", "")]
        assert not chat.has("groundwire:")
        assert len(model.requests) == 2


def test_a_note_is_told_once_and_to_the_user_alone(claude: ClaudeCode) -> None:
    look_on(claude)
    steps = [RUN, FALSE, "say Blue.", "say Green."]
    with Model(steps, [NOTE, NOTHING]) as model, Chat(claude, model) as chat:
        chat.ask(ASKED)
        chat.until(lambda: acts(claude) == [("note", "")])
        chat.ask("What colour has the sky?")
        chat.sees(f"UserPromptSubmit {TOLD}")
        chat.sees("Blue.")
        chat.ask("And what colour has the grass?")
        chat.sees("Green.")
        [path] = (claude.home / ".claude/projects").glob("*/*.jsonl")
        told = [one for one in json_lines(path) if "hook_system_message" in json.dumps(one)]
        assert len(told) == 1
        assert "groundwire why" not in json.dumps(model.requests)


def test_a_prompt_sent_while_the_judge_works(claude: ClaudeCode) -> None:
    look_on(claude)
    with Model([RUN, FALSE, "say Blue."], [WAKE, NOTHING]) as model, Chat(claude, model) as chat:
        model.gate.clear()
        chat.ask(ASKED)
        chat.until(lambda: model.judged)
        model.turn_gate.clear()
        chat.ask("What colour has the sky?")
        chat.until(lambda: len(model.requests) == 3)
        model.gate.set()
        chat.until(lambda: acts(claude) == [MOVED_ON])
        model.turn_gate.set()
        chat.sees(f"Stop {TOLD}")
        chat.idle(1)
        assert not chat.has(SUMMARY)
        assert len(model.requests) == 3


def test_a_newer_look_ends_an_older_one(claude: ClaudeCode) -> None:
    look_on(claude)
    steps = [RUN, FALSE, RUN, TRUE]
    with Model(steps, [WAKE, NOTHING]) as model, Chat(claude, model) as chat:
        model.gate.clear()
        for count in (1, 2):
            chat.ask(ASKED)
            chat.until(lambda: len(model.judged) == count)  # noqa: B023
        chat.until(lambda: acts(claude) == [GAVE_UP])
        model.gate.set()
        chat.until(lambda: acts(claude) == [GAVE_UP, ("nothing", "")])
        assert len(model.requests) == 4


@pytest.mark.parametrize("fault", ["down", "garbage", "refusal", "another statement"])
def test_a_judge_that_fails(claude: ClaudeCode, fault: str) -> None:
    down = {"provider": "openai", "base_url": f"http://127.0.0.1:{free_port()}/v1", "model": "m"}
    look_on(claude, **(down if fault == "down" else {}))
    said = {"garbage": GARBAGE, "refusal": "I cannot do that.", "down": ""}
    said |= {"another statement": WAKE.replace('"n": 1', '"n": 7')}
    with Model([RUN, FALSE], [said[fault]]) as model, Chat(claude, model) as chat:
        chat.ask(ASKED)
        chat.until(lambda: acts(claude))
        chat.idle(1)
        [(act, why)] = acts(claude)
        assert act == "nothing"
        assert bool(why) is (fault != "another statement"), why
        assert not chat.has("groundwire:")
        assert not chat.has("Traceback")
        assert len(model.requests) == 2


@pytest.mark.parametrize("how", ["/exit", "hang up", "kill"])
def test_the_client_quits_while_the_judge_works(claude: ClaudeCode, how: str) -> None:
    look_on(claude, provider="claude-code")
    with Model([RUN, FALSE], [WAKE]) as model, Chat(claude, model) as chat:
        model.gate.clear()
        chat.ask(ASKED)
        chat.until(lambda: model.judged)
        assert len(left(claude)) > 2
        chat.leave(how)
        time.sleep(2)
        assert left(claude) == []
        model.gate.set()


def test_two_sessions_at_once(claude: ClaudeCode) -> None:
    look_on(claude)
    with (
        Model([RUN, FALSE, TRUE], [WAKE, NOTHING]) as one,
        Model([RUN, FALSE], [NOTE]) as two,
        Chat(claude, one) as waking,
        Chat(claude, two) as noting,
    ):
        one.gate.clear()
        two.gate.clear()
        waking.ask(ASKED)
        noting.ask(ASKED)
        waking.until(lambda: one.judged and two.judged)
        two.gate.set()
        noting.until(lambda: acts(claude) == [("note", "")])
        one.gate.set()
        waking.sees("The loader took the first branch.")
        waking.until(lambda: len(acts(claude)) == 3)
        assert acts(claude)[1:] == [("wake", ""), ("nothing", "")]
        noting.idle(1)
        assert not waking.has(TOLD)
        assert len(two.requests) == 2


@pytest.mark.parametrize("command", ["/clear", "/compact"])
def test_after_a_command_that_shortens_the_session(claude: ClaudeCode, command: str) -> None:
    look_on(claude)
    summary = "say <summary>The first branch was taken.</summary>"
    steps = [RUN, TRUE, *([summary] if command == "/compact" else []), RUN, FALSE, TRUE]
    with Model(steps, [NOTHING, WAKE, NOTHING]) as model, Chat(claude, model) as chat:
        chat.ask(ASKED)
        chat.until(lambda: acts(claude))
        chat.ask(command)
        chat.sees("? for shortcuts")  # behind a prompt that is empty
        chat.ask(ASKED)
        chat.sees("The loader took the first branch.")
        chat.until(lambda: len(acts(claude)) == 3)
        assert acts(claude)[1:] == [("wake", ""), ("nothing", "")]


def test_a_cleared_session_is_not_woken_for_the_old_one(claude: ClaudeCode) -> None:
    look_on(claude)
    with Model([RUN, FALSE], [WAKE]) as model, Chat(claude, model) as chat:
        model.gate.clear()
        chat.ask(ASKED)
        chat.until(lambda: model.judged)
        chat.idle(0.5)
        chat.ask("/clear")
        chat.until(lambda: acts(claude) == [GAVE_UP])
        model.gate.set()
        chat.idle(1)
        assert len(model.requests) == 2


def test_a_stop_and_a_wake_in_one_prompt(claude: ClaudeCode) -> None:
    look_on(claude)
    steps = ["run python3 -m unittest test_server", "say All 8 tests pass now.", RUN, FALSE, TRUE]
    judge = WAKE.replace('"call": 1', '"call": 2')
    with Model(steps, [judge]) as model, Chat(claude, model) as chat:
        chat.ask(ASKED)
        chat.sees(SUMMARY)
        chat.sees("The loader took the first branch.")
        chat.until(lambda: len(acts(claude)) == 2)
        assert acts(claude) == [("wake", ""), HAD_ITS_WAKE]
        assert len(model.judged) == 2  # what was stopped is not looked at


def test_escape_after_a_wake(claude: ClaudeCode) -> None:
    look_on(claude)
    steps = [RUN, FALSE, TRUE, "say Blue."]
    with Model(steps, [WAKE, NOTHING]) as model, Chat(claude, model) as chat:
        model.gate.clear()
        chat.ask(ASKED)
        chat.until(lambda: model.judged)
        model.turn_gate.clear()
        model.gate.set()
        chat.until(lambda: len(model.requests) == 3)
        chat.sees(SUMMARY)
        chat.type("\x1b")
        chat.sees("Interrupted")
        model.turn_gate.set()
        chat.idle(1)
        chat.ask("What colour has the sky?")
        chat.sees("Blue.")
        chat.idle(1)
        assert acts(claude)[0] == ("wake", "")
        assert [one for one in acts(claude)[1:] if one[0] != "nothing"] == []
        assert len(model.requests) == 4


@pytest.mark.parametrize("judge", [WAKE, GARBAGE, "slow"], ids=["wake", "garbage", "slow"])
def test_without_a_terminal(claude: ClaudeCode, judge: str) -> None:
    look_on(claude, provider="claude-code", budget_ms=3_000 if judge == "slow" else 15_000)
    with Model([RUN, FALSE, TRUE], [judge]) as model:
        if judge == "slow":
            model.gate.clear()
        url = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "key"}
        words = ("-p", ASKED, "--allowedTools", "Bash", "--output-format", "json")
        report = json.loads(claude.run(*words, env=url))
        assert left(claude) == []
        model.gate.set()
    if judge == WAKE:
        assert "Stop hook feedback:" in last(model)
        assert WOKEN in last(model).lower()
        assert acts(claude) == [("wake", ""), HAD_ITS_WAKE]
    else:
        [(act, why)] = acts(claude)
        assert act == "nothing"
        assert why.startswith("no opinion of the judge: ")
    assert report["result"] == (TRUE if judge == WAKE else FALSE).removeprefix("say ")
