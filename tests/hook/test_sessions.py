"""Whole sessions of the hook, and what they cannot say: variables, folders, long answers, secrets
in files, lines of a transcript that are late."""

import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.hook.memory import read_memory
from groundwire.report.json_output import MOST_MATCHES
from tests.cli.command import Command
from tests.config.place import PACK
from tests.conftest import Hook
from tests.hook.messages import GUESS, LONE, LONE_MATCH, write_turn
from tests.support.console import Client, Steps, play, sessions
from tests.support.tables import rows
from tests.support.transcripts import Session


@sessions(*Path(__file__).parent.glob("*.console"))
def test_console(steps: Steps, cli: Command) -> None:
    play(cli, steps)


def with_variable(name: str, value: str, *, hook: Hook) -> str:
    """Return how the reason of a stop ends for Claude; "" without a stop."""
    hook.env[name] = value
    reason = hook(last_assistant_message=GUESS).get("reason", "")
    return "\n".join(reason.splitlines()[-2:-1])


test_row = rows(__file__, with_variable=with_variable)


def test_the_folder_of_the_project_counts_more_than_where_the_model_went(hook: Hook) -> None:
    folder = hook.home / "shop"
    folder.mkdir()
    (folder / ".groundwire.toml").write_text("thresholds.words_block = 70\n", encoding="utf-8")
    hook.env["CLAUDE_PROJECT_DIR"] = str(folder)
    hook.start(cwd="/")
    assert hook(last_assistant_message=LONE, cwd="/")["decision"] == "block"


def test_an_own_pack_reaches_the_hook(hook: Hook, tmp_path: Path) -> None:
    """Compiled by the process that the hook starts, here and nowhere else in this module."""
    pack = tmp_path / "packs" / "mine.toml"
    pack.parent.mkdir()
    pack.write_text(PACK, encoding="utf-8")
    hook.configure(f'patterns.folders = ["{pack.parent}"]\n')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("groundwire.hook.start.START_WAIT", 60.0)  # on a machine that is busy
        hook(hook_event_name="SessionStart", source="startup")
    assert len(os.listdir(hook.home / ".cache" / "groundwire")) >= 2  # and a note
    [match] = hook(last_assistant_message="It is zorble likely the parser.")["matches"]
    assert match["evidence"] == "zorble likely"
    assert hook(last_assistant_message=LONE) == {"matches": [LONE_MATCH]}


# long answers
SUBJECTS = ["parser", "lexer", "cache", "proxy", "router", "mailer", "loader", "worker", "broker"]
TAIL = "in the second step of the nightly run that ends with the export of all the old orders"


def test_at_most_twenty_matches_the_worst_in_order(hook: Hook) -> None:
    message = "\n\n".join([LONE] * 15 + [GUESS] * 15)
    matches = hook(last_assistant_message=message)["matches"]
    assert len(matches) == MOST_MATCHES == 20
    offsets = [match["offset"] for match in matches]
    assert offsets == sorted(offsets)
    assert offsets[0] > message.index(GUESS) - 1
    line = hook.log()[-1]
    assert line["counts"]["matches"] > 45
    assert line["milliseconds"] > 0


@pytest.mark.parametrize(("count", "more"), [(4, ""), (9, "and 5 more")])
def test_a_reason_names_four_statements_and_counts_the_rest(
    hook: Hook, count: int, more: str
) -> None:
    hook.configure("thresholds.words_block = 75\n")  # so many words make each of them milder
    hook.start()
    sentences = [
        f"I think the crash of the {name} is probably caused by a race condition {TAIL}."
        for name in SUBJECTS[:count]
    ]
    reason = hook(last_assistant_message="\n\n".join(sentences))["reason"]
    assert len(reason) <= 1000
    assert reason.count(" is probably caused by") == 4
    assert (more in reason, "more" in reason) == (True, bool(more))
    last = ["Give only the corrected statements, not the whole answer again."]
    assert reason.splitlines()[-2:] == [*last, "(User: groundwire why shows what decided.)"]


def test_a_reason_keeps_its_count_when_the_verdicts_are_long(hook: Hook, tmp_path: Path) -> None:
    hook.configure("thresholds.stop_from = 64\n")
    hook.start()
    message = "\n\n".join(f"All tests pass with the {name} {TAIL}." for name in SUBJECTS)
    path = write_turn(tmp_path / "s.jsonl", "go on", message, failed=True)
    reason = hook(last_assistant_message=message, transcript_path=path)["reason"]
    assert (reason.count("1 failed, 7 passed"), reason.count("likewise")) == (1, 0)
    assert reason.startswith(f"groundwire: {len(SUBJECTS)} statements not backed by evidence")
    quoted = [line.split('"')[1] for line in reason.splitlines() if line.startswith('- "')]
    assert all(set(one.replace("...", "").split()) <= set(message.split()) for one in quoted)
    assert len(reason) <= 1000
    assert " more of this kind." in reason


# what the files keep
CLAIM = "All tests pass."
TESTED = "....\n42 passed in 1.20s"
BROKEN = "FAILED tests/test_cart.py::test_total\n3 failed, 39 passed in 1.31s"


SECRET = "hunter2Secret9"
HOLDERS = ["--db-password {}", "--url=https://bob:{}@db.example/x", "-k 'Bearer {}'"]


@pytest.mark.parametrize("command", [f"pytest -q {one.format(SECRET)}" for one in HOLDERS])
def test_a_secret_and_a_message_are_nowhere_in_the_files(cli: Command, command: str) -> None:
    """And the run is known again by the rest of its command."""
    client = Client(cli)
    client.to("s.jsonl")
    for output, status in ((BROKEN, "failed"), (TESTED, "passed")):
        client.step("prompt go on", [])
        client.session.bash(command, output, exit_code=status == "failed")
        said = f"All tests pass, I think. Run `{command}` to see it. Zebulon will."
        client.answer("stop", said, {})
        digest = read_memory(str(client.hook.state), client.session.session_id).digest
        assert digest
        assert [run.status for run in digest.runs] == [status]
    files = [path for path in (cli.home / ".local").rglob("*") if path.is_file()]
    assert {".json", ".jsonl"} <= {path.suffix for path in files}
    texts = [path.read_text("utf-8").lower() for path in files]
    assert not [text for text in texts if SECRET.lower() in text or "zebulon" in text]


@pytest.mark.parametrize(("days", "kept"), [(6, True), (8, False)])
def test_sessions_are_forgotten_after_a_week(hook: Hook, days: int, kept: bool) -> None:
    hook(session_id="old", last_assistant_message=LONE)
    moment = time.time() - days * 86_400
    left = [*(hook.state / "sessions").glob("*.json"), hook.state / "sessions" / "x.json.9-ab.tmp"]
    for path in left:
        path.touch()
        os.utime(path, (moment, moment))
    hook.start(session_id="new")
    assert [path.exists() for path in left] == [kept, kept]


# lines that are late


def turn(*steps: Sequence[Any]) -> list[bytes]:
    """Return the lines of a session of one turn."""
    session = Session().play([("prompt", "fix the cart"), *steps])
    return session.data().splitlines(keepends=True)


FAILING = ("bash", "pytest -q", BROKEN, {"exit_code": 1})
PASSING = ("bash", "pytest -q", TESTED)
SAY = ("say", CLAIM)
#: A result, a call and the final message, the whole file.
LATE = [
    (turn(FAILING), 2, "3 failed"),
    (turn(PASSING, FAILING, SAY), 3, "3 failed"),
    (turn(FAILING, SAY), 0, "3 failed"),
]


@pytest.mark.parametrize(("lines", "there", "reason"), LATE, ids=lambda _: "")
def test_what_comes_late_still_counts(
    hook: Hook, tmp_path: Path, lines: list[bytes], there: int, reason: str
) -> None:
    path = tmp_path / "t.jsonl"
    if there:
        path.write_bytes(b"".join(lines[:there]))
    threading.Timer(0.05, path.write_bytes, [b"".join(lines)]).start()
    answer = hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert reason in answer["reason"]


def test_what_never_comes_holds_nothing_up(hook: Hook, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(turn(FAILING, SAY)[:-2]))
    assert "decision" not in hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert hook.log()[-1]["notes"] == ["the transcript lacks the result of a tool call"]
    path.write_bytes(b"".join(turn(PASSING)))
    assert "decision" not in hook(transcript_path=str(path), last_assistant_message=CLAIM)
    assert hook.log()[-1]["notes"] == []
