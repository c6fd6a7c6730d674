"""``groundwire replay``: which sessions are read, what is printed, what the exit code says."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.errors import TranscriptError
from groundwire.runs import jobs as pool
from groundwire.runs.jobs import Wanted
from groundwire.settings.runtime import load_runtime
from tests.cli.command import GUESS, LONE, Command
from tests.support import console
from tests.support.tables import rows, tables
from tests.support.terminal import on_terminal
from tests.support.transcripts import Session

TABLES = tables(__file__)
FIXTURES = Path(__file__).parents[2] / "fixtures" / "transcripts"
CONSOLE = Path(__file__).with_name("replay.console")
FALSE, LOG = "All tests pass.", "The log is attached."


def outcomes(cli: Command, *arguments: str | Path) -> list[dict[str, Any]]:
    printed = cli.out("replay", *arguments, "--format", "jsonl")
    return [json.loads(line) for line in printed.splitlines()]


@pytest.fixture
def sessions(cli: Command) -> Path:
    """Return the five sessions of ``replay.console``, with what is none beside them."""
    console.play(cli, console.steps_of(CONSOLE.read_text("utf-8").partition("\n== ")[0]))
    cli.write("projects/a/notes.md", GUESS)
    (cli.folder / "projects/a/old.jsonl").mkdir()
    return cli.folder / "projects"


@console.sessions(CONSOLE)
def test_session(steps: console.Steps, cli: Command) -> None:
    console.play(cli, steps)


def test_a_reason_names_a_run_once(cli: Command) -> None:
    cli.settings("thresholds.stop_from = 64\n")
    reason = outcomes(cli, FIXTURES / "sensor-firmware.jsonl")[-1]["reason"]
    assert (reason.count("make flash"), reason.count("Error 1")) == (1, 1)
    assert "the same run failed, and nothing made it good" in reason


def test_the_page_shows_a_colleague_what_would_have_been_stopped(
    cli: Command, sessions: Path
) -> None:
    """One page that loads nothing; what does not fit is counted with the option that shows it."""
    shutil.copy(sessions / "a" / "one.jsonl", sessions / "a" / "five.jsonl")
    page = cli.out("replay", sessions, "--format", "html", "--limit", "1")
    for told in (", session ", ", turn 1</h3>", "confidence ", "Asked: question 1", FALSE):
        assert told in page
    assert "&quot;pytest -q&quot; failed" in page
    assert "and 1 more turn: --limit 2" in page
    assert "... and 1 more stopped turn: --limit 2" in cli.out("replay", sessions, "--limit", "1")
    assert not re.search(r"<script|<link|@import|url\(|<img", page)


def since(moment: str, *, cli: Command) -> int:
    session = Session().play([["prompt", "1"], ["say", LONE], ["prompt", "2"], ["say", LOG]])
    path = session.write(cli.folder / "s.jsonl")
    stamps = [outcome["timestamp"] for outcome in outcomes(cli, path)]
    assert stamps == ["2026-03-02T09:00:06.000Z", "2026-03-02T09:00:12.000Z"]
    found = [outcome["turn"] for outcome in outcomes(cli, path, "--since", moment)]
    assert found == [1, 2][2 - len(found) :]
    return len(found)


def bad_since(moment: str, times: int, *, cli: Command, sessions: Path) -> bool:
    moment *= times
    said = cli.refused("replay", sessions, f"--since={moment}")
    told = f"groundwire: --since: {moment!r}: allowed: a date such as 2026-11-01"
    return said.startswith(told)


def earlier(turns: list[list[str]], *, cli: Command) -> list[str]:
    """Return how turns end: each is the names of its steps and a claim, or nothing of the kind."""
    session = Session()
    for *steps, end in turns:
        session.prompt("go on")
        session.play([TABLES["steps"][name] for name in steps])
        session.play([{"claim": ["say", FALSE], "log": ["say", LOG]}.get(end, [end])])
    found = outcomes(cli, session.write(cli.folder / "s.jsonl"))
    assert [outcome["turn"] for outcome in found] == list(range(1, len(found) + 1))
    return [outcome["decision"] for outcome in found]


test_row = rows(
    __file__,
    paths=lambda paths, *, cli, sessions: (
        sessions and len({it["transcript"] for it in outcomes(cli, *paths)})
    ),
    since=since,
    bad_since=bad_since,
    earlier_turns=earlier,
)


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


@pytest.mark.parametrize(
    "options",
    [
        ("--format", "table", "--fail-on", "block"),
        ("--format", "jsonl", "--set", "mode=report", "--limit", "3"),
    ],
    ids=str,
)
def test_two_processes_print_what_one_prints(cli: Command, options: tuple[str, ...]) -> None:
    """Of the fixture sessions three times, and two files that are no sessions."""
    for number in range(3):
        shutil.copytree(FIXTURES, cli.folder / f"sessions/{number}")
    loop = cli.folder / "sessions/1/loop.jsonl"
    loop.symlink_to(loop)
    cli.write("sessions/2/empty.jsonl", "")
    one, two = (cli("replay", "sessions", *options, "--jobs", jobs) for jobs in ("1", "2"))
    assert two.stdout == one.stdout
    assert two.stderr == one.stderr
    assert two.returncode == one.returncode == (2 if "--fail-on" in options else 0)
    assert b"loop.jsonl: cannot read the transcript" in one.stderr
    assert len(one.stdout) > 500


def test_a_process_that_dies_is_an_error_with_a_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    # a setting that cannot be loaded ends each process as it begins
    results = pool.replay_all(
        [FIXTURES / "shop-django.jsonl"] * 3, load_runtime(), {"mode": "loud"}, Wanted(), 2
    )
    with pytest.raises(TranscriptError, match=r"shop-django\.jsonl: a process ended"):
        list(results)


def test_a_bar_on_stderr_leaves_stdout_as_it_is(cli: Command, tmp_path: Path) -> None:
    target = tmp_path / "out"
    with target.open("wb") as file:
        shown = on_terminal(cli, "replay", FIXTURES, stdout=file.fileno())
    assert "replaying" in shown
    assert f"/{len(list(FIXTURES.glob('*.jsonl')))}" in shown
    assert target.read_text(encoding="utf-8") == cli.out("replay", FIXTURES)


def test_the_bar_is_gone_in_the_end(cli: Command) -> None:
    loop = cli.folder / "loop.jsonl"
    loop.symlink_to(loop)
    shown = on_terminal(cli, "replay", FIXTURES, ".")
    assert "loop.jsonl: cannot read the transcript" in shown
    assert shown.rfind("\x1b[?25h") > shown.rfind("\x1b[?25l") >= 0  # so is the cursor's hiding
    _, bar, rest = shown.rpartition("replaying")
    assert bar
    assert "\x1b[2K" in rest  # the line is wiped before the report begins
    assert "would have been stopped" in rest
