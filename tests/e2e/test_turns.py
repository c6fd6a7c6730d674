"""Turns of the real client with groundwire in it, once as plugin and once by ``install``."""

import json
import subprocess
from typing import Any

import pytest

from groundwire.event import STOP, Event
from groundwire.service.examine import turn_of
from tests.e2e.client import ClaudeCode, Session
from tests.e2e.conftest import Installation
from tests.e2e.stub import FAILING, FALSE, HONEST, PROMPT, Run, Say, Use

pytestmark = pytest.mark.e2e
CLEAN = Say("The log ends with a stack trace. It names handle_request.")


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


def test_the_claim_that_was_sent_back_is_caught_in_other_words(claude: ClaudeCode) -> None:
    reworded = Say("The whole test suite passes.")
    session = claude.ask(PROMPT, FAILING, FALSE, reworded, HONEST)
    [first, second] = session.blocks()
    assert FALSE.text in first
    assert reworded.text in second
    assert session.result == HONEST.text


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


PROMPT_PAIRS = "Make the total of the cart right."
RUN_TESTS_PAIRS = Run("python3 -m unittest test_cart")
COUNTED = Say("All tests pass: 42 passed.")
GONE = Say("There are no references to `old_total` left.")
HONEST_PAIRS = Say("I have not checked that.")
#: A module of so many tests, of which the last ones fail.
TESTS = """import unittest

class CartTest(unittest.TestCase):
    pass

for number in range(42):
    wanted = number + (number >= 42 - {failing})
    check = lambda self, a=number, b=wanted: self.assertEqual(a, b)
    setattr(CartTest, f"test_{{number}}", check)
"""


def write_tests(claude: ClaudeCode, failing: int) -> None:
    (claude.project / "test_cart.py").write_text(TESTS.format(failing=failing), encoding="utf-8")


def write_source(claude: ClaudeCode) -> Use:
    path = str(claude.project / "cart.py")
    source = "def total(lines):\n    return sum(lines)\n"
    return Use("Write", {"file_path": path, "content": source})


def logged(claude: ClaudeCode, session: Session) -> list[tuple[str, str]]:
    """Kind and verdict of all matches of the session's first decision."""
    first = next(line for line in claude.decisions() if line["session"] == session.id)
    return [(one["kind"], one["verdict"]) for one in first["matches"]]


def test_a_true_count_passes(claude: ClaudeCode) -> None:
    write_tests(claude, failing=0)
    session = claude.ask(PROMPT_PAIRS, write_source(claude), RUN_TESTS_PAIRS, COUNTED)
    assert not session.blocks()
    assert session.result == COUNTED.text


def test_the_same_count_over_three_failures_is_contradicted(claude: ClaudeCode) -> None:
    write_tests(claude, failing=3)
    session = claude.ask(PROMPT_PAIRS, write_source(claude), RUN_TESTS_PAIRS, COUNTED, HONEST_PAIRS)
    [reason] = session.blocks()
    assert RUN_TESTS_PAIRS.command in reason
    assert "FAILED (failures=3)" in reason
    assert {verdict for _, verdict in logged(claude, session)} == {"contradicted"}


def test_a_green_run_before_the_last_edit_is_caught(claude: ClaudeCode) -> None:
    write_tests(claude, failing=0)
    session = claude.ask(PROMPT_PAIRS, RUN_TESTS_PAIRS, write_source(claude), COUNTED, HONEST_PAIRS)
    [reason] = session.blocks()
    assert "python3 -m unittest test_cart passed, then cart.py was edited" in reason


def test_absence_passes_after_a_search_without_hits_and_not_over_hits(claude: ClaudeCode) -> None:
    write_tests(claude, failing=0)
    search = Use("Grep", {"pattern": "old_total", "output_mode": "content"})
    assert not claude.ask(PROMPT_PAIRS, search, GONE).blocks()
    (claude.project / "till.py").write_text("old_total(a)\nold_total(b)\n", encoding="utf-8")
    session = claude.ask(PROMPT_PAIRS, search, GONE, HONEST_PAIRS)
    [reason] = session.blocks()
    assert GONE.text in reason
    assert "till.py" in reason
    assert ("unsupported_absence", "unsupported") in logged(claude, session)


PROMPT_CONFIDENCES = "Add a function that sums a list, with a test."
CODE = "def total(values):\n    return sum(values)\n"
TEST = (
    "import unittest\nfrom shop import total\n\n\nclass T(unittest.TestCase):\n"
    "    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n"
)
DONE = Say("The function stands in shop.py. All tests pass.")
UNKNOWN = Say("I don't know - my confidence is too low to answer this accurately.")


def settings(claude: ClaudeCode, text: str) -> None:
    path = claude.home / ".config/groundwire/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")


def history(claude: ClaudeCode) -> list[dict[str, Any]]:
    files = sorted((claude.home / ".claude/validation/history").glob("*.jsonl"))
    return [json.loads(line) for one in files for line in one.read_text("ascii").splitlines()]


def writing(claude: ClaudeCode, name: str, text: str) -> Use:
    return Use("Write", {"file_path": str(claude.project / name), "content": text})


def test_a_turn_with_tools_is_weighed(with_install: ClaudeCode) -> None:
    claude = with_install
    settings(claude, "[composite]\nenabled = true\n[reinforcement]\nenabled = true\n")
    acts = [writing(claude, "shop.py", CODE), writing(claude, "test_shop.py", TEST)]
    session = claude.ask(PROMPT_CONFIDENCES, *acts, Run("python3 -m unittest test_shop"), DONE)
    assert not session.hook_failures() + session.blocks()
    (row,) = history(claude)
    assert row["factors"]["code_validation_score"] == pytest.approx(0.8)  # all but the types
    assert row["factors"]["knowledge_base_score"] is None
    assert row["project"] == str(claude.project)
    last = claude.decisions()[-1]
    assert last["composite"]["value"] == row["composite_confidence"]
    # one run that passed; two new files that are no content
    assert last["reinforcement"]["steps"] == 1
    assert last["reinforcement"]["state"] == "INIT"
    again = claude.ask("Show it.", Run("cat shop.py"), DONE, resume=session)
    assert not again.hook_failures()
    kept = claude.decisions()[-1]["reinforcement"]
    assert kept["steps"] == 2
    assert kept["state"] == "OBSERVE"


def test_a_low_confidence_stops_the_turn_when_it_may(with_install: ClaudeCode) -> None:
    claude = with_install
    settings(claude, "[composite]\nenabled = true\nmay_block = true\ndefault_threshold = 0.9\n")
    session = claude.ask("What does the log say?", Say("The log certainly ends so."), UNKNOWN)
    [reason] = session.blocks()
    told = "groundwire: Confidence 60.00% is below the 90.00% that default needs."
    assert reason.startswith(told)
    assert session.result == UNKNOWN.text
    assert not session.hook_failures()
    assert [row["should_block"] for row in history(claude)] == [True, True]


def test_doctor_after_a_turn(with_install: ClaudeCode, installation: Installation) -> None:
    claude = with_install
    claude.ask("What does the log say?", Say("The log certainly ends so."))
    command = [str(installation.command), "doctor", "--json"]
    done = subprocess.run(
        command,
        cwd=claude.project,
        env=claude.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)
    assert (done.returncode, found["healthy"]) == (0, True)
    texts = [finding["text"] for finding in found["findings"]]
    assert any("starts and stops a sample turn" in text for text in texts)
    assert any("the last Stop was logged at" in text for text in texts)
