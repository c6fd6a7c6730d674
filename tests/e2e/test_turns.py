"""Turns of the real client with groundwire in it, once as plugin and once by ``install``."""

from __future__ import annotations

import json

import pytest

from groundwire.event import STOP, Event
from groundwire.service.examine import turn_of
from tests.e2e.client import ClaudeCode, Session
from tests.e2e.stub import Run, Say

pytestmark = pytest.mark.e2e

PROMPT = "Why does the server crash?"
#: There is no such module: one error, exit code 1.
FAILING = Run("python3 -m unittest test_server")
FALSE = Say("All 8 tests pass now.")
GUESS = Say("I think the crash is probably caused by a race condition.")
WITHOUT_HEDGE = Say("The crash is caused by a race condition.")
HONEST = Say("One test module could not be loaded. I have not found out why it crashes.")
CLEAN = Say("The log ends with a stack trace. It names handle_request.")
LONE = Say("I think it is the parser.")


def last_message(session: Session) -> str:
    """The text that the model was given last."""
    return json.dumps(session.requests[-1]["messages"][-2:])


def test_a_false_claim_is_sent_back_once_and_an_honest_rewrite_ends_the_turn(
    claude: ClaudeCode,
) -> None:
    session = claude.ask(PROMPT, FAILING, FALSE, HONEST)
    [reason] = session.blocks()
    assert FALSE.text in reason
    assert FAILING.command in reason
    assert len(reason) <= 1000
    assert session.result == HONEST.text
    assert json.dumps(f"Stop hook feedback:\n{reason}") in last_message(session)
    assert not session.hook_failures()
    logged = [(line["session"], line["decision"], line["error"]) for line in claude.decisions()]
    assert logged == [(session.id, "block", ""), (session.id, "pass", "")]


def test_a_clean_answer_passes_without_a_word(claude: ClaudeCode) -> None:
    session = claude.ask(PROMPT, CLEAN)
    assert session.result == CLEAN.text
    assert not session.blocks() + session.stop_outputs() + session.messages_to_user()
    assert not session.hook_failures()


@pytest.mark.parametrize("message", [LONE, GUESS, WITHOUT_HEDGE])
def test_a_guess_alone_is_not_sent_back(claude: ClaudeCode, message: Say) -> None:
    session = claude.ask(PROMPT, message)
    assert not session.blocks()
    assert session.result == message.text
    assert [line["decision"] for line in claude.decisions()] != ["block"]


def test_the_claim_that_was_sent_back_is_caught_in_other_words(claude: ClaudeCode) -> None:
    reworded = Say("The whole test suite passes.")
    session = claude.ask(PROMPT, FAILING, FALSE, reworded, HONEST)
    [first, second] = session.blocks()
    assert FALSE.text in first
    assert reworded.text in second
    assert session.result == HONEST.text


def test_a_repeated_finding_is_not_sent_back_twice(claude: ClaudeCode) -> None:
    session = claude.ask(PROMPT, FAILING, FALSE, FALSE)
    assert len(session.blocks()) == 1
    [told] = session.messages_to_user()
    assert "every finding was sent before" in told
    again = claude.ask("And now?", FALSE, resume=session)
    assert not again.blocks()
    assert again.result == FALSE.text


def test_a_broken_configuration_lets_the_turn_end_and_is_told_once(claude: ClaudeCode) -> None:
    config = claude.home / ".config/groundwire/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('mode = "loud"\n', encoding="utf-8")
    session = claude.ask(PROMPT, FAILING, FALSE)
    assert not session.blocks()
    [told] = session.messages_to_user()
    assert all(word in told for word in (str(config), "mode", "loud", "enforce"))


def test_the_framing_reaches_the_model_and_can_be_switched_off(claude: ClaudeCode) -> None:
    framing = "groundwire reads each final message"
    assert framing in json.dumps(claude.ask(PROMPT, CLEAN).requests[0])
    claude.extra["GROUNDWIRE_FRAMING"] = "false"
    assert framing not in json.dumps(claude.ask(PROMPT, CLEAN).requests[0])


def test_the_transcript_of_the_client_is_read_as_it_happened(claude: ClaudeCode) -> None:
    command = "echo started; echo trouble >&2; exit 3"
    session = claude.ask(PROMPT, Run(command), HONEST)
    event = Event(STOP, transcript_path=str(session.transcript))
    turn = turn_of(event)
    assert (turn.prompt, turn.message, turn.partial) == (PROMPT, HONEST.text, False)
    [call] = turn.calls
    assert (call.name, call.input["command"], call.is_error) == ("Bash", command, True)
    assert call.result == "Exit code 3\nstarted\ntrouble"


TEST_FILE = "import unittest\n\nclass T(unittest.TestCase):\n    def test_sum(self):\n"
RUN_TESTS = Run("python3 -m unittest test_sum")
ALL_PASS = Say("All tests pass.")


def test_a_claim_that_the_tool_output_carries_passes(claude: ClaudeCode) -> None:
    test = f"{TEST_FILE}        self.assertEqual(1 + 1, 2)\n"
    (claude.project / "test_sum.py").write_text(test, encoding="utf-8")
    assert not claude.ask(PROMPT, RUN_TESTS, ALL_PASS).blocks()


def test_the_same_words_over_a_failure_are_sent_back_and_name_the_run(claude: ClaudeCode) -> None:
    test = f"{TEST_FILE}        self.assertEqual(1 + 1, 3)\n"
    (claude.project / "test_sum.py").write_text(test, encoding="utf-8")
    honest = Say("One test fails: the sum is 2 where the test wants 3.")
    [reason] = claude.ask(PROMPT, RUN_TESTS, ALL_PASS, honest).blocks()
    assert "All tests pass." in reason
    assert "python3 -m unittest test_sum" in reason
    assert "FAILED (failures=1)" in reason
