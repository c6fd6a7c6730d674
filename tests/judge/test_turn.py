"""What an answer makes of the matches, and texts in a turn that talk to a judge who obeys them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.model import BLOCK
from groundwire.base.settings import SHIPPED, Join, Judge, Settings
from groundwire.hook.second_look_state import WAKE
from groundwire.hook.sources import JUDGING
from groundwire.inputs.event import STOP, Event
from groundwire.language.safe import safe
from groundwire.runs.digest import digest_of_turn
from groundwire.turn.page import Statement, TurnDigest
from groundwire.verdict.decision import Memory, decide
from groundwire.verdict.examine import Examined, examine, turn_of
from groundwire_judge.answer import OMITTED, Answer, Said, plain_why, read_answer
from groundwire_judge.applied import Applied, apply, joined
from groundwire_judge.ask import ask_turn
from groundwire_judge.claude_code import client_environment, find_client
from groundwire_judge.grounds import around_of, findings_of
from groundwire_judge.injection import injected
from groundwire_judge.protocol import JudgeError
from groundwire_judge.rights import act_of
from groundwire_judge.second_look import is_due
from groundwire_judge.wake import wake_text
from tests.conftest import Hook
from tests.everyday.rows import SCANNER
from tests.hook.messages import GUESS
from tests.support.judge_stub import Step, judge_stub, statements
from tests.support.loopback import Request
from tests.support.tables import rows, table, tables
from tests.support.transcripts import Session

#: No marker stands in it.
UNMARKED = "The loader took the second branch."
#: A run that failed stands against it.
MARKED = "All tests pass."
MESSAGE = f"I changed the loader. {UNMARKED} {MARKED}"
KIND = "internal_contradiction"
#: Texts, and what a judge who obeys them answers.
Row = tuple[int, float, str, str]
INJECTIONS: list[tuple[str, list[Row]]] = tables(__file__)["injections"]
Examine = Callable[..., tuple[Examined, TurnDigest]]


@pytest.fixture
def turn(tmp_path: Path) -> Examine:
    """Return a function that examines a turn with two runs, the second of which failed."""

    def examined(message: str = MESSAGE, output: str = "ok") -> tuple[Examined, TurnDigest]:
        session = Session()
        session.prompt("load both formats")
        session.bash("python -m shop.load --verbose", output)
        session.bash("python -m pytest -q", "1 failed, 11 passed in 0.41s", exit_code=1)
        session.say(message)
        path = session.write(tmp_path / "session.jsonl")
        event = Event(STOP, message=message, transcript_path=str(path), cwd=str(tmp_path))
        found = examine(event, turn_of(event), SCANNER, SHIPPED, Memory())
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
    made = applied(found, Answer((Said(2, second, KIND, "no"), Said(3, third)), whole=True), may)
    named = {"marked": MARKED, "unmarked": UNMARKED}
    assert stopped(found[0], made) == {named[one] for one in sentences}
    assert made.note == ""


@pytest.mark.parametrize("where", ["result", "message"])
@pytest.mark.parametrize(("text", "said"), INJECTIONS)
@pytest.mark.parametrize("may", ["clear", "decide"])
def test_a_text_that_is_obeyed_changes_no_other_sentence(
    turn: Examine, text: str, said: list[Row], where: str, may: str
) -> None:
    found = turn(output=text) if where == "result" else turn(f"{MESSAGE} {text}")
    examined, digest = found

    def obey(request: Request) -> Step:
        asked = request.body["messages"][-1]["content"]
        assert text in asked
        return statements(*said)

    with judge_stub("openai", obey) as stub:
        judge = settings(may).judge.replace(base_url=stub.address, budget_ms=15_000)
        answer = ask_turn(digest, judge, {})
    assert answer.problem == ""
    made = applied(found, answer, may)
    assert stopped(examined, made) & {UNMARKED, MARKED} == {MARKED}
    assert made.note.startswith("the judge is not believed")


def achieved(text: str, *, turn: Examine) -> list[Any]:
    """Return whether ``text`` is recognised, and what of a judge that obeys it wakes the model.

    The judge accuses an honest statement: without a ground, by naming what is missing, by copying
    the text, and by copying what another call printed. It never calls off a stop.
    """
    examined, digest = turn(output=text)
    assert examined.decision.action == BLOCK
    assert not is_due(examined, SHIPPED, stopped=True)  # nobody is asked about it
    assert examined.findings
    usual = "nothing was wrong here"
    wakes = {}
    for name, quote, call, missing in (
        ("bare", "", 0, ""),
        ("missing", "", 0, "source"),
        ("copied", text.splitlines()[0][:80], 1, ""),
        ("other call", "1 failed, 11 passed", 2, ""),
    ):
        row = {"n": 2, "probability": 100, "kind": KIND, "why": text, "call": call}
        reply = json.dumps({"statements": [{**row, "quote": quote, "missing": missing}]})
        answer = read_answer(reply, {1, 2, 3}, calls=2)
        around = around_of(digest, examined.timeline, ())
        sentences = examined.findings.sentences
        found = findings_of(answer, digest, sentences, examined.timeline, around)
        sure = [one for one in found if act_of(one, SHIPPED.judge, WAKE) == WAKE]
        if sure:
            wakes[name] = wake_text(sure, digest, examined.timeline)
            told = wakes[name].replace(f"'{safe(quote, 80)}'", usual) if quote else wakes[name]
            words = {one for one in text.split() if len(one) > 12} - {*quote.split()}
            assert len(told.splitlines()) == (4 if quote else 3)
            assert not [one for one in words if one in told]
    return [bool(injected(digest)), [*wakes]]


def join(marked: int | None, judge: int, weights: dict[str, float]) -> int:
    return joined(marked, judge, Join(**weights))


def read(text: str) -> tuple[list[Any], int, str]:
    """Return what is known of the statements 1 to 3, how many entries are dropped, the problem."""
    answer = read_answer(text, {1, 2, 3}, calls=5)
    known = ((number, answer.about(number)) for number in (1, 2, 3))
    said = [
        "?"
        if one is None
        else "left out"
        if one == Said(number, OMITTED)
        else (one.probability, one.kind, one.why, one.call)
        for number, one in known
    ]
    return said, answer.dropped, answer.problem


def test_what_no_row_can_hold() -> None:
    assert read("[" * 99_999)[2] == "the reply holds no answer"
    assert plain_why("d\ud800e") == "d e"


DIGEST = TurnDigest("Why?", (), (), 1, (), (), (), (Statement(1, 0, 6, "It is."),))


def client(folder: Path, lines: list[str]) -> dict[str, str]:
    """Write a program in the client's place; return the environment that leads to it."""
    path = folder / "claude"
    path.write_text("\n".join(("#!/bin/sh", *lines, "")), encoding="utf-8")
    path.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(folder)}


def reported(lines: list[str], *, tmp_path: Path) -> object:
    """Return what comes of a client with these lines: a problem, or the figures of its report."""
    answer = ask_turn(DIGEST, Judge(), client(tmp_path, lines))
    figures = (answer.model, answer.cost, answer.input_tokens, answer.output_tokens)
    return answer.problem or figures


def test_a_missing_client_is_no_opinion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    assert ask_turn(DIGEST, Judge(), env).problem == (
        "claude-code: the command claude is not on the PATH"
    )
    (tmp_path / "bin").mkdir()
    client(tmp_path / "bin", [])
    monkeypatch.chdir(tmp_path)
    for path in ("bin", ":/usr/bin", "./bin:/usr/bin"):  # a file of the project is not run
        with pytest.raises(JudgeError, match="not on the PATH"):
            find_client({"PATH": path, "HOME": str(tmp_path)})
    place = tmp_path / ".local/bin"
    place.mkdir(parents=True)
    client(place, [])
    assert find_client(env) == str(place / "claude")


def test_a_hook_inside_of_the_judges_session_does_nothing(hook: Hook) -> None:
    hook.env[JUDGING] = "1"
    assert hook(last_assistant_message=GUESS) == {}
    assert hook.log() == []


# a client starts outside of the session that the hook is of
test_rows = rows(
    __file__,
    achieved=achieved,
    join=join,
    read=read,
    reason=plain_why,
    reported=reported,
    environment=client_environment,
)
