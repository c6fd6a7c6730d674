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
from tests.support.transcripts import STARTED, Session

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


PATHS = [
    (["projects"], 5),
    (["projects/"], 5),
    (["./projects/../projects"], 5),
    (["projects/a"], 2),
    (["projects/a/one.jsonl"], 1),
    (["projects/a/one.jsonl", "projects/b"], 4),
    (["projects/*/*.jsonl"], 4),
    (["projects/**/*.jsonl"], 5),
    (["projects/**/agent-*"], 2),
    (["projects/?"], 5),
    (["projects/[b]"], 3),
    (["projects", "projects/a", "projects/a/one.jsonl"], 5),
    (["~/shop/projects/a"], 2),
]


@pytest.mark.parametrize(("paths", "count"), PATHS, ids=str)
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
    lines = cli.out("replay", sessions).splitlines()
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
    assert "4 would have been stopped (100.0 %)" in printed


def test_limit_cuts_no_lines(cli: Command) -> None:
    write_session(cli.folder / "s.jsonl", *[FALSE] * 4)
    assert len(outcomes(cli, "s.jsonl", "--limit", "1")) == 4


def test_every_turn_is_judged_as_the_first_of_its_session(cli: Command) -> None:
    write_session(cli.folder / "s.jsonl", *[FALSE] * 4)
    assert [outcome["decision"] for outcome in outcomes(cli, "s.jsonl")] == ["block"] * 4


@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_nothing_is_remembered(cli: Command, sessions: Path, form: str) -> None:
    before = cli.files()
    printed = cli.out("replay", sessions, "--format", form)
    assert cli.out("replay", sessions, "--format", form) == printed
    assert cli.files() == before


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


def test_fail_on_follows_the_settings(cli: Command, sessions: Path) -> None:
    arguments = ("replay", sessions, "--fail-on", "block")
    assert cli(*arguments).returncode == 1
    assert cli(*arguments, "--set", "mode=report").returncode == 0
    assert (
        cli(
            *arguments, "--set", "thresholds.block=100", "--set", "thresholds.message_block=100"
        ).returncode
        == 0
    )


SINCE = [
    ("2026-03-02", 2),
    ("2026-03-03", 0),
    ("20260302", 2),
    ("2026-03-02T09:00:00", 2),
    ("2026-03-02T09:00:06", 2),  # the very second of the first answer
    ("2026-03-02T09:00:07", 1),
    ("2026-03-02T09:00:12", 1),
    ("2026-03-02T09:00:13", 0),
    ("2026-03-02T10:00:07+01:00", 1),  # the same moment in another zone
    ("2026-03-02T08:00:07-01:00", 1),
    ("0900-01-01", 2),
]


@pytest.mark.parametrize(("since", "count"), SINCE)
def test_since_a_date_or_moment(cli: Command, since: str, count: int) -> None:
    path = write_session(cli.folder / "s.jsonl", LONE, CLEAN)
    stamps = [outcome["timestamp"] for outcome in outcomes(cli, path)]
    assert stamps == ["2026-03-02T09:00:06.000Z", "2026-03-02T09:00:12.000Z"]
    assert STARTED.isoformat() == "2026-03-02T09:00:00+00:00"
    assert len(outcomes(cli, path, "--since", since)) == count


AGES = [("90m", 0), ("150m", 1), ("1h", 0), ("3h", 1), ("1d", 1), ("2w", 1), ("0d", 0)]


@pytest.mark.parametrize(("since", "count"), AGES)
def test_since_an_age(cli: Command, since: str, count: int) -> None:
    started = datetime.now(UTC) - timedelta(hours=2)
    path = write_session(cli.folder / "s.jsonl", LONE, started=started)
    assert len(outcomes(cli, path, "--since", since)) == count


def test_turns_keep_their_number_behind_since(cli: Command) -> None:
    path = write_session(cli.folder / "s.jsonl", LONE, CLEAN)
    [second] = outcomes(cli, path, "--since", "2026-03-02T09:00:07")
    assert second["turn"] == 2


BAD_SINCE = [
    "yesterday",
    "7",
    "7y",
    "d",
    "-7d",
    "\u00b2d",
    "2026-13-01",
    "99999999999d",
    "9" * 5000,
]
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


def test_an_unreadable_transcript_by_name(cli: Command, sessions: Path) -> None:
    loop = sessions / "loop.jsonl"
    loop.symlink_to(loop)
    process = cli("replay", loop)
    assert process.stdout == (
        b"0 turns in 1 transcript: 0 would have been stopped (0.0 %), "
        b"0 reported, 0 clean; 1 unreadable\n"
    )


DAMAGED = [
    ("empty", b""),
    ("binary", bytes(range(256)) * 100),
    ("no conversation", b'{"type":"summary","summary":"x"}\n'),
    ("half a line", b'{"type":"user","message":{"role":"us'),
    ("other JSON", b'[1]\n"x"\n7\nnull\n{}\n'),
]


@pytest.mark.parametrize("data", [row[1] for row in DAMAGED], ids=[row[0] for row in DAMAGED])
def test_a_damaged_transcript_has_no_turns(cli: Command, sessions: Path, data: bytes) -> None:
    (sessions / "a" / "zero.jsonl").write_bytes(data)
    assert len(outcomes(cli, sessions)) == 6


def test_one_path_without_transcripts_is_an_error(cli: Command, sessions: Path) -> None:
    said = cli.refused("replay", sessions, "nowhere/*.jsonl")
    assert said == "groundwire: nowhere/*.jsonl: no transcript there; expected *.jsonl files\n"


def test_a_name_with_brackets_is_a_file_before_it_is_a_glob(cli: Command, sessions: Path) -> None:
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


def test_an_own_pack_in_a_replay(cli: Command) -> None:
    path = write_session(cli.folder / "s.jsonl", LONE)
    assert outcomes(cli, path, "--set", "kinds.speculation_language=false")[0]["matches"] == []
