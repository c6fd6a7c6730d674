"""The entrance exam as a model takes it, over loopback, and what a second look keeps."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.errors import ConfigError
from groundwire.hook import second_look_state
from groundwire_judge.exam import exam_tasks, read_exam
from groundwire_judge.request import render
from tests.cli.command import Command
from tests.support.judge_stub import Step, Stub, judge_stub
from tests.support.loopback import Request
from tests.support.tables import rows

#: What a large model answered to each digest of the exam, recorded.
RECORDED = json.loads(Path(__file__).with_name("exam_answers.json").read_text("utf-8"))
QUESTIONS = {
    render(one.digest)[1]: (f"{one.id} {'true' if one.place is None else 'false'}")
    for one in exam_tasks()
}


def model(blind: int = 0, accuse: int = 0) -> Iterator[Stub]:
    """Return a model that overlooks some false messages and accuses some true ones."""
    false = [name for name in QUESTIONS.values() if name.endswith("false")][:blind]
    true = [name for name in QUESTIONS.values() if name.endswith("true")][:accuse]
    nothing: dict[str, Any] = {"statements": []}

    def answer(request: Request) -> Step:
        name = QUESTIONS[request.body["messages"][-1]["content"]]
        said = nothing if name in false else RECORDED[name]
        if name in true:  # the call is there, so its number stands in the entry
            row = {"n": 1, "probability": 90, "kind": "certainty_language", "why": "no"}
            said = {"statements": [{**row, "call": None, "quote": "", "missing": "source"}]}
        return Step("structured", json.dumps(said))

    with judge_stub("openai", answer) as stub:
        yield stub


def switched_on(blind: int, accuse: int, *, cli: Command) -> tuple[int, list[str]]:
    """Switch the second look on with such a model; return the exit code and what is said."""
    for stub in model(blind, accuse):
        words = ("--provider", "openai", "--base-url", stub.address, "--model", "m")
        done = cli("second-look", "on", *words)
        asked = len(stub.requests)
    assert asked == 24
    said = (done.stdout + done.stderr).decode().replace(str(cli.home), "~")
    keep = [line for line in said.splitlines() if not line.startswith("m takes")]
    assert (done.returncode == 0) is (cli.home / ".local/state/groundwire/second-look/on").exists()
    return done.returncode, [line.split(" on 2")[0].split(";")[0][:90] for line in keep]


def refused(text: str) -> str:
    with pytest.raises(ConfigError) as error:
        read_exam(text, "exam.toml")
    return str(error.value)


def voted(votes: list[bool], *, tmp_path: Path) -> list[int]:
    for number, right in enumerate(votes):
        second_look_state.vote(str(tmp_path), "m", str(number), right=right)
    second_look_state.vote(str(tmp_path), "other", "x", right=False)
    found = second_look_state.votes_of(str(tmp_path), "m")
    return [found.right, found.wrong, found.row]


test_rows = rows(__file__, switched_on=switched_on, refused=refused, voted=voted)


def test_it_is_switched_on_and_off_where_the_hook_is_registered(cli: Command) -> None:
    settings = cli.home / ".claude/settings.json"
    cli.out("install")
    before = json.loads(settings.read_text("utf-8"))
    for stub in model():
        words = ("--provider", "openai", "--base-url", stub.address, "--model", "m")
        assert "registered in" in cli.out("second-look", "on", *words, "--limit-per-day", "7")
        cli.out("second-look", "on", *words)
        assert len(stub.requests) == 24  # the exam is taken once
    assert "UserPromptSubmit" in json.loads(settings.read_text("utf-8"))["hooks"]
    status = cli.out("second-look", "status")
    assert "found 12 of 12 false messages, accused 0 of 12 true ones" in status
    assert "of 7 calls" in status
    cli.out("second-look", "off")
    assert json.loads(settings.read_text("utf-8")) == before
    assert "is off" in cli.out("second-look", "status")
    written = (cli.home / ".config/groundwire/config.toml").read_text("utf-8")
    assert 'when = "off"' in written


def test_a_note_is_told_once_and_not_when_it_is_old(tmp_path: Path) -> None:
    folder = str(tmp_path)
    for session in ("a", "b", "a"):
        second_look_state.keep_note(folder, session, f"of {session}")
    assert second_look_state.waiting_notes(folder, "a") == 2
    assert second_look_state.take_notes(folder, "a") == ["of a", "of a"]
    assert second_look_state.take_notes(folder, "a") == []
    [old] = (tmp_path / "notes").iterdir()
    os.utime(old, (0, 0))
    assert second_look_state.take_notes(folder, "b") == []
