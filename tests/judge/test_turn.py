"""What an answer makes of the matches, and texts in a turn that talk to a judge who obeys them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.decision import Memory, decide
from groundwire.event import STOP, Event
from groundwire.judge.applied import Applied, apply
from groundwire.judge.claude_code import client_environment, find_client
from groundwire.judge.join import joined
from groundwire.judge.turn import ask_turn
from groundwire.judge.turn_answer import (
    OMITTED,
    Answer,
    Said,
    plain_why,
    read_answer,
)
from groundwire.model import BLOCK
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import Examined, examine, turn_of
from groundwire.service.turn_digest import digest_of_turn
from groundwire.settings import SHIPPED, Join, Judge, Settings
from groundwire.state.sources import JUDGING
from groundwire.turn_page.digest import Statement, TurnDigest
from tests.conftest import Hook
from tests.hook.messages import GUESS, stop
from tests.support.judge_stub import Step, judge_stub, statements
from tests.support.loopback import Request
from tests.support.tables import table, tables
from tests.support.transcripts import Session

TABLES = tables(__file__)
#: No marker stands in it.
UNMARKED = "The loader took the second branch."
#: A run that failed stands against it.
MARKED = "All tests pass."
MESSAGE = f"I changed the loader. {UNMARKED} {MARKED}"
KIND = "internal_contradiction"
#: Texts, and what a judge who obeys them answers.
INJECTIONS: list[tuple[str, tuple[tuple[int, float, str, str], ...]]] = TABLES["injections"]
Examine = Callable[..., tuple[Examined, TurnDigest]]


@pytest.fixture
def turn(tmp_path: Path) -> Examine:
    """Return a function that examines a turn with two runs, the second of which failed."""
    scanner = Scanner(shipped_rules())

    def examined(message: str = MESSAGE, output: str = "ok") -> tuple[Examined, TurnDigest]:
        session = Session()
        session.prompt("load both formats")
        session.bash("python -m shop.load --verbose", output)
        session.bash("python -m pytest -q", "1 failed, 11 passed in 0.41s", exit_code=1)
        session.say(message)
        path = session.write(tmp_path / "session.jsonl")
        event = Event(STOP, message=message, transcript_path=str(path), cwd=str(tmp_path))
        found = examine(event, turn_of(event), scanner, SHIPPED, Memory())
        digest = digest_of_turn(found)
        assert digest
        return found, digest

    return examined


def settings(may: str) -> Settings:
    return SHIPPED.replace(judge=Judge(when="always", may=may, provider="openai"))


def applied(found: tuple[Examined, TurnDigest], answer: Answer, may: str) -> Applied:
    examined, digest = found
    return apply(MESSAGE, examined.analysis.matches, digest, answer, settings(may))


def stopped(found: Examined, made: Applied) -> set[str]:
    assert found.situation
    decision, _ = decide(MESSAGE, made.matches, found.situation, made.settings, Memory())
    assert (decision.action == BLOCK) == bool(decision.blocking)
    return {found.analysis.text[one.sentence[0] : one.sentence[1]] for one in decision.blocking}


def answer_of(*said: Said) -> Answer:
    return Answer(said, whole=True)


def test_the_turn_is_stopped_without_a_judge_for_one_sentence(turn: Examine) -> None:
    examined, digest = turn()
    assert stopped(examined, Applied(examined.analysis.matches, SHIPPED)) == {MARKED}
    assert [one.text for one in digest.statements][1:] == [UNMARKED, MARKED]


@table
def test_what_each_setting_makes_of_an_answer(
    may: str, probabilities: tuple[int, int], sentences: list[str], turn: Examine
) -> None:
    found = turn()
    second, third = probabilities
    made = applied(found, answer_of(Said(2, second, KIND, "no"), Said(3, third)), may)
    named = {"marked": MARKED, "unmarked": UNMARKED}
    assert stopped(found[0], made) == {named[one] for one in sentences}
    assert made.note == ""


@pytest.mark.parametrize("where", ["result", "message"])
@pytest.mark.parametrize(("text", "rows"), INJECTIONS)
@pytest.mark.parametrize("may", ["clear", "decide"])
def test_a_text_that_is_obeyed_changes_no_other_sentence(
    turn: Examine,
    text: str,
    rows: tuple[tuple[int, float, str, str], ...],
    where: str,
    may: str,
) -> None:
    found = turn(output=text) if where == "result" else turn(f"{MESSAGE} {text}")
    examined, digest = found

    def obey(request: Request) -> Step:
        asked = request.body["messages"][-1]["content"]
        assert text in asked
        return statements(*rows)

    with judge_stub("openai", obey) as stub:
        judge = settings(may).judge.replace(base_url=stub.address, budget_ms=15_000)
        answer = ask_turn(digest, judge, {})
    assert answer.problem == ""
    made = applied(found, answer, may)
    assert stopped(examined, made) & {UNMARKED, MARKED} == {MARKED}
    assert made.note.startswith("the judge is not believed")


def test_the_join_is_a_weighted_sum_of_logits() -> None:
    weights = Join(base=0.0, linear=0.0, judge=1.0, unmarked=0.0)
    assert [joined(50, share, weights) for share in (10, 50, 90)] == [10, 50, 90]
    both = Join(base=0.0, linear=1.0, judge=1.0, unmarked=-2.0)
    assert joined(80, 20, both) == 50
    assert joined(None, 50, both) == joined(12, 50, both) == 12
    assert 0 <= joined(0, 0, both) < joined(100, 100, both) <= 100


ROW = {"n": 2, "probability": 90, "kind": "completeness_claim", "why": "call #3 failed"}
SAID = Said(2, 90, "completeness_claim", "call #3 failed", 3)
WHOLE = json.dumps({"statements": [ROW]})


def read(text: str) -> Answer:
    return read_answer(text, {1, 2, 3}, calls=5)


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"Let me see {{braces}} [and] more.\n\n{WHOLE}\nI hope that helps.",
        json.dumps([ROW]),
        'First {"statements": []}, no: ' + WHOLE,
        json.dumps({"statements": [ROW], "confidence": 1}),
    ],
)
def test_an_answer_with_whatever_stands_around_it(text: str) -> None:
    answer = read(text)
    assert (answer.said, answer.whole, answer.dropped) == ((SAID,), True, 0)
    assert answer.about(2) == SAID
    assert answer.about(3) == Said(3, OMITTED)


def test_of_an_answer_that_breaks_off_the_rest_is_not_known() -> None:
    answer = read(WHOLE[:-2] + ', {"n": 3, "probability": 4')
    assert (answer.said, answer.whole) == ((SAID,), False)
    assert answer.about(1) is answer.about(3) is None


@pytest.mark.parametrize("text", ["", "no", "{", "[]", "[1, 2]", '{"statements": 3}', "[" * 99_999])
def test_a_reply_without_an_answer_is_a_problem(text: str) -> None:
    assert read(text).problem == "the reply holds no answer"
    assert read(text).about(1) is None


@table
def test_an_entry_that_does_not_hold_is_dropped(changes: dict[str, object]) -> None:
    answer = read(json.dumps({"statements": [{**ROW, **changes}]}))
    assert (answer.said, answer.dropped, answer.whole) == ((), 1, True)
    if answer.unread:
        assert answer.about(2) is None


def test_an_entry_without_a_probability_is_dropped() -> None:
    answer = read(json.dumps({"statements": [{**ROW, "probability": None}]}))
    assert (answer.said, answer.dropped) == ((), 1)


def test_a_statement_that_is_named_twice_is_not_believed() -> None:
    answer = read(json.dumps({"statements": [ROW, {**ROW, "probability": 0}]}))
    assert (answer.said, answer.unread, answer.dropped) == ((), (2,), 2)


@pytest.mark.parametrize("kind", ["", "none", "None", None, " null "])
def test_no_kind_is_allowed(kind: str | None) -> None:
    [said] = read(json.dumps({"statements": [{**ROW, "kind": kind}]})).said
    assert said.kind == ""


@table
def test_a_reason_is_one_short_plain_line(why: str, line: str) -> None:
    assert plain_why(why) == line
    assert plain_why("d\ud800e") == "d e"


@table
def test_the_call_that_a_reason_names(why: str, call: int) -> None:
    [said] = read(json.dumps({"statements": [{**ROW, "why": why}]})).said
    assert said.call == call


DIGEST = TurnDigest("Why?", (), (), 1, (), (), (), (Statement(1, 0, 6, "It is."),))
REPORT = TABLES["report"]


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
    env = client_environment(TABLES["it_is_started_outside_of_the_session_that_the_hook_is_of"])
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


def test_a_hook_inside_of_the_judges_session_does_nothing(hook: Hook) -> None:
    hook.env[JUDGING] = "1"
    process = hook.raw(stop(GUESS))
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")
    assert hook.log() == []
