"""``groundwire replay``: which sessions are read, what is printed, what the exit code says."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from math import exp
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import GUESS, LONE, Command
from tests.support.tables import table, tables
from tests.support.transcripts import STARTED, Session

TABLES = tables(__file__)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
CLEAN = "The log ends with a stack trace."
FALSE = "All tests pass."


def write_session(path: Path, *messages: str, **more: Any) -> Path:
    """Write a session with one turn for each message; FALSE stands behind tests that fail."""
    session = Session(**more)
    for number, message in enumerate(messages, 1):
        session.prompt(f"question {number}")
        if message.startswith(FALSE):
            session.bash("pytest -q", "1 failed, 7 passed in 0.41s", exit_code=1)
        session.say(message)
    path.parent.mkdir(parents=True, exist_ok=True)
    session.write(path)
    return path


def outcomes(cli: Command, *arguments: str | Path) -> list[dict[str, Any]]:
    printed = cli.out("replay", *arguments, "--format", "jsonl")
    return [json.loads(line) for line in printed.splitlines()]


@pytest.fixture
def sessions(cli: Command) -> Path:
    """Return a folder with five sessions in two projects, and what is none."""
    folder = cli.folder / "projects"
    write_session(folder / "a" / "one.jsonl", FALSE, CLEAN)
    write_session(folder / "a" / "two.jsonl", LONE)
    write_session(folder / "b" / "three.jsonl", CLEAN)
    write_session(folder / "b" / "four" / "subagents" / "agent-1.jsonl", FALSE, agent=True)
    write_session(folder / "b" / "agent-2.jsonl", FALSE, agent=True)
    cli.write("projects/a/notes.md", GUESS)
    (folder / "a" / "old.jsonl").mkdir()
    return folder


@pytest.mark.parametrize(("paths", "count"), TABLES["paths"], ids=str)
@pytest.mark.usefixtures("sessions")
def test_files_folders_and_globs(cli: Command, paths: list[str], count: int) -> None:
    assert len({outcome["transcript"] for outcome in outcomes(cli, *paths)}) == count


def test_a_line_holds_what_a_script_needs(cli: Command, sessions: Path) -> None:
    first, second = outcomes(cli, sessions / "a" / "one.jsonl")
    assert list(first) == [
        *("session_id", "transcript", "turn", "timestamp", "message_id", "decision", "reason"),
        "matches",
    ]
    assert (first["turn"], second["turn"]) == (1, 2)
    assert (first["decision"], second["decision"]) == ("block", "pass")
    assert FALSE in first["reason"]
    assert (second["reason"], second["matches"]) == ("", [])
    assert first["timestamp"].startswith("2026-03-02T09:00:")


def test_a_reported_match_holds_all_that_led_to_it(cli: Command, sessions: Path) -> None:
    """Its confidence is that of the turn, and the parts that are listed add up to it."""
    [outcome] = outcomes(cli, sessions / "b" / "agent-2.jsonl")
    match = outcome["matches"][0]
    assert list(match)[:4] == ["kind", "evidence", "offset", "confidence"]
    assert (outcome["decision"], match["verdict"]["status"]) == ("report", "contradicted")
    logit = sum(factor["weight"] * factor["value"] for factor in match["factors"])
    assert match["confidence"] == int(100 / (1 + exp(-logit)) + 0.5)
    assert match["factors"][0]["name"] == "base"
    assert all(factor["weight"] * factor["value"] for factor in match["factors"])
    [failed] = [factor for factor in match["factors"] if factor["name"] == "failed_open"]
    assert (failed["call_id"], bool(failed["says"])) == (match["verdict"]["call_id"], True)


@pytest.mark.parametrize(("mode", "decision"), [("report", "report"), ("enforce", "block")])
def test_sub_agents_follow_their_own_mode(
    cli: Command, sessions: Path, mode: str, decision: str
) -> None:
    arguments = (sessions / "b", "--set", f"subagents.mode={mode}")
    found = {
        Path(outcome["transcript"]).name: outcome["decision"]
        for outcome in outcomes(cli, *arguments)
    }
    assert found == {"agent-1.jsonl": decision, "agent-2.jsonl": decision, "three.jsonl": "pass"}


def test_the_table_names_the_blocked_turn_and_counts(cli: Command, sessions: Path) -> None:
    before = cli.files()
    lines = cli.out("replay", sessions).splitlines()
    assert cli.out("replay", sessions).splitlines() == lines
    assert cli.files() == before  # nothing is remembered
    assert lines[0] == f"{sessions}/a/one.jsonl, turn 1"
    assert lines[1] == "  asked: question 1"
    assert any(FALSE in line for line in lines)
    assert lines[-1] == (
        "6 turns in 5 transcripts: 1 would have been stopped (16.7 %), 2 reported, 3 clean"
    )


def test_the_table_agrees_with_the_lines(cli: Command) -> None:
    """On the project's own fixture sessions: every figure of the table is a sum over the lines."""
    rows = outcomes(cli, FIXTURES)
    printed = cli.out("replay", FIXTURES)
    decisions = [row["decision"] for row in rows]
    blocked, reported, clean = (decisions.count(d) for d in ("block", "report", "pass"))
    files = len(list(FIXTURES.glob("*.jsonl")))
    summary = printed.splitlines()[-1]
    assert summary.startswith(f"{len(rows)} turns in {files} transcripts: {blocked} would have ")
    assert summary.endswith(f" %), {reported} reported, {clean} clean")
    kinds = [match["kind"] for row in rows for match in row["matches"]]
    table = dict(line.split()[:2] for line in printed.splitlines() if line.count("_language "))
    assert table
    assert table == {kind: str(kinds.count(kind)) for kind in table}


@pytest.mark.parametrize(("limit", "shown"), [(0, 0), (1, 1), (3, 3), (9, 4)])
def test_limit_shows_so_many_and_counts_all(cli: Command, limit: int, shown: int) -> None:
    write_session(cli.folder / "s.jsonl", *[f"{FALSE} Case {number}." for number in range(4)])
    printed = cli.out("replay", "s.jsonl", "--limit", str(limit))
    assert printed.count("  asked: ") == shown
    assert ("more stopped turns" in printed) is (shown < 4)
    assert "4 would have been stopped (100.0 %)" in printed  # each as the first of its session
    assert len(outcomes(cli, "s.jsonl", "--limit", str(limit))) == 4


FAIL_ON = [
    ("one.jsonl", "block", 1),
    ("one.jsonl", "nothing", 0),
    ("two.jsonl", "block", 0),
]


@pytest.mark.parametrize("form", ["table", "jsonl"])
@pytest.mark.parametrize(("name", "fail_on", "code"), FAIL_ON)
def test_fail_on(
    cli: Command, sessions: Path, name: str, fail_on: str, code: int, form: str
) -> None:
    path = sessions / "a" / name
    process = cli("replay", path, "--fail-on", fail_on, "--format", form)
    assert (process.returncode, process.stderr) == (code, b"")
    reported = cli("replay", path, "--fail-on", fail_on, "--set", "mode=report")
    assert reported.returncode == 0


@pytest.mark.parametrize(("since", "count"), TABLES["since"])
def test_since_a_date_or_moment(cli: Command, since: str, count: int) -> None:
    path = write_session(cli.folder / "s.jsonl", LONE, CLEAN)
    stamps = [outcome["timestamp"] for outcome in outcomes(cli, path)]
    assert stamps == ["2026-03-02T09:00:06.000Z", "2026-03-02T09:00:12.000Z"]
    assert STARTED.isoformat() == "2026-03-02T09:00:00+00:00"
    found = outcomes(cli, path, "--since", since)
    assert [outcome["turn"] for outcome in found] == [1, 2][2 - count :]


@table
def test_since_an_age(since: str, count: int, cli: Command) -> None:
    started = datetime.now(UTC) - timedelta(hours=2)
    path = write_session(cli.folder / "s.jsonl", LONE, started=started)
    assert len(outcomes(cli, path, "--since", since)) == count


BAD_SINCE = TABLES["bad_since"]
BAD_SINCE += ["9999-12-31T23:59:59-23:00", "0001-01-01T00:00:00+23:00"]


@pytest.mark.parametrize("since", BAD_SINCE, ids=lambda text: text[:30])
@pytest.mark.usefixtures("sessions")
def test_since_says_what_is_allowed(cli: Command, since: str) -> None:
    said = cli.refused("replay", "projects", f"--since={since}")
    assert said.startswith(f"groundwire: --since: {since!r}: allowed: a date such as 2026-11-01")


def test_an_unreadable_transcript_is_named_and_passed_over(cli: Command, sessions: Path) -> None:
    loop = sessions / "a" / "loop.jsonl"
    loop.symlink_to(loop)  # unreadable for root as well
    for arguments in (["projects"], ["projects/a", "projects/b"], ["projects/**/*.jsonl"]):
        process = cli("replay", *arguments)
        [said] = process.stderr.decode().splitlines()
        assert said.startswith("groundwire: projects/a/loop.jsonl: cannot read the transcript: ")
        assert process.stdout.endswith(b"2 reported, 3 clean; 1 unreadable\n")
        assert process.returncode == 0
        assert cli("replay", *arguments, "--fail-on", "block").returncode == 2
    assert cli("replay", "projects", loop).returncode == 2


def test_what_is_no_transcript(cli: Command, sessions: Path) -> None:
    damaged = [
        b"",
        bytes(range(256)) * 100,
        b'{"type":"summary"}\n',
        b'{"type":"user","me',
        b"[1]\n",
    ]
    for number, data in enumerate(damaged):
        path = sessions / "a" / f"{number}.jsonl"
        path.write_bytes(data)
        process = cli("replay", path, sessions / "a" / "two.jsonl")
        assert process.returncode == 2
        assert f"{path}: no line of a session in it; expected".encode() in process.stderr
        assert b"1 turn in 2 transcripts" in process.stdout
    assert len(outcomes(cli, sessions)) == 6
    said = cli.refused("replay", sessions, "nowhere/*.jsonl")
    assert said == "groundwire: nowhere/*.jsonl: no transcript there; expected *.jsonl files\n"
    # a name with brackets is a file before it is a glob
    shutil.copy(sessions / "a" / "two.jsonl", cli.folder / "s[1].jsonl")
    assert len(outcomes(cli, "s[1].jsonl")) == 1


def test_quoted_text_cannot_command_the_terminal(cli: Command) -> None:
    session = Session()
    session.prompt("why \x1b[2J\ud800 now?")
    session.bash("pytest -q", "1 failed, 7 passed in 0.41s", exit_code=1)
    session.say("All tests pass, \x1b]0;title\x07 and \ud800 the crash is fixed.")
    lines = [json.dumps(entry).encode() for entry in session.entries]
    cli.write("odd\x1b[1m.jsonl", b"\n".join(lines))
    printed = cli.out("replay", ".")
    assert "would have been stopped (100.0 %)" in printed
    assert printed.replace("\n", "").isprintable()
