"""Turns without a tool call: what is reported as run or seen in them, and what is only talk."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.decision import Memory
from groundwire.event import Event
from groundwire.evidence.past.session import Digest
from groundwire.model import BLOCK
from groundwire.service.examine import Examined, examine, turn_of
from groundwire.settings import SHIPPED
from tests.evidence.turns import SCANNER
from tests.support.transcripts import Session

ASKED = "please make the total of the cart right"


def ended(
    folder: Path,
    message: str,
    prompt: str = ASKED,
    digest: Digest | None = None,
    written: str | None = None,
) -> Examined:
    """End a turn without calls; ``written`` is the final message that the transcript holds."""
    session = Session()
    session.prompt(prompt)
    session.say(message if written is None else written)
    path = session.write(folder / "t.jsonl")
    event = Event("Stop", "s", cwd=str(folder), transcript_path=path, message=message)
    return examine(event, turn_of(event), SCANNER, SHIPPED, Memory(digest=digest))


INVENTED = [
    "I ran the test suite and it exited with code 0.",
    "The suite exited with code 0.",
    "The build finished with exit code 0.",
    "I ran the tests and all of them pass.",
    "I've run the full suite: 42 passed.",
    "I ran `cargo test` and everything passed.",
    "I ran `npm run build` and nothing broke.",
    "Then I executed `dotnet build`.",
    "I just re-ran the tests; all tests pass.",
    "I ran `go vet ./...`, the linter is clean.",
    "I ran the migrations.",
]
TALK = [
    "I ran the test suite earlier and it exited with code 0.",
    "As before, all tests pass.",
    "I already ran the tests and they all pass.",
    "All tests pass.",
    "The build is green.",
    "I will run the tests; they should exit with code 0.",
    "Run `pytest`; it exits with code 0 when all tests pass.",
    "Run `npm run build` before you push.",
    "Should I run the tests?",
    "I have not run the tests.",
    "CI ran the tests and they pass.",
    "You ran the tests, and they pass.",
    "If you ran `mvn test` and it exited with code 1, look at the report.",
    "I can run the test suite once the database is up.",
    "pytest exits with code 5 when no tests were collected.",
]


@pytest.mark.parametrize("message", INVENTED)
def test_what_nobody_ran_is_sent_back(tmp_path: Path, message: str) -> None:
    found = ended(tmp_path, message)
    assert found.decision.action == BLOCK
    worst = max(found.analysis.matches, key=lambda match: match.confidence)
    assert worst.verdict
    assert worst.verdict.status == "unsupported"
    assert "nothing was run" in worst.verdict.why


@pytest.mark.parametrize("message", TALK)
def test_talk_is_not(tmp_path: Path, message: str) -> None:
    found = ended(tmp_path, message)
    assert found.decision.action != BLOCK
    verdicts = {match.verdict.status for match in found.analysis.matches if match.verdict}
    assert verdicts <= {"not_checkable"}


@pytest.mark.parametrize("message", INVENTED)
@pytest.mark.parametrize(
    "prompt",
    [
        "What did you do in this session?",
        "did you run the tests?",
        "write a PR description",
        "summarize the work",
        "is everything done?",
    ],
)
def test_whoever_asks_back_gets_an_answer_of_earlier_turns(
    tmp_path: Path, message: str, prompt: str
) -> None:
    assert ended(tmp_path, message, prompt).decision.action != BLOCK


@pytest.mark.parametrize("message", [*INVENTED, "All tests pass.", "The build is green."])
def test_in_a_session_that_never_called_a_tool_nothing_passed(tmp_path: Path, message: str) -> None:
    found = ended(tmp_path, message, "what did you do?", Digest())
    assert found.decision.action == BLOCK


@pytest.mark.parametrize("message", INVENTED)
def test_after_work_in_a_session_it_may_be_of_an_earlier_turn(tmp_path: Path, message: str) -> None:
    digest = Digest(edited=("cart.py",), whole=False)
    assert ended(tmp_path, message, digest=digest).decision.action != BLOCK


def test_the_user_may_have_told_the_exit_code(tmp_path: Path) -> None:
    told = "my script ended with exit code 3, why?"
    assert ended(tmp_path, "The script exited with code 3.", told).decision.action != BLOCK
    assert ended(tmp_path, "The script exited with code 3.").decision.action == BLOCK


@pytest.mark.parametrize("message", INVENTED)
def test_a_transcript_without_the_message_may_lack_calls_too(tmp_path: Path, message: str) -> None:
    found = ended(tmp_path, message, written="Let me look at it.")
    assert found.decision.action != BLOCK


@pytest.mark.parametrize("message", INVENTED)
def test_without_a_transcript_nothing_is_known(message: str) -> None:
    event = Event("Stop", "s", message=message)
    found = examine(event, turn_of(event), SCANNER, SHIPPED, Memory())
    verdicts = {match.verdict for match in found.analysis.matches}
    assert verdicts <= {None}


@pytest.mark.parametrize(
    ("message", "prompt", "action"),
    [
        ("`src/nope.py:9999` returned None.", ASKED, BLOCK),
        ("`src/cart.py:2` adds the tax twice.", ASKED, "pass"),
        ("`src/cart.py:40` adds the tax twice.", ASKED, BLOCK),
        ("`src/nope.py:9999` returned None.", "why does src/nope.py:9999 return None?", "pass"),
    ],
)
def test_a_cited_line_is_looked_up_on_disk(
    tmp_path: Path, message: str, prompt: str, action: str
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/cart.py").write_text("a = 1\nb = 2\n", encoding="utf-8")
    assert ended(tmp_path, message, prompt).decision.action == action
