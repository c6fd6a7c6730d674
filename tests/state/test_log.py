"""The decision log on real files: parallel and killed writers, full disks, planted links."""

import json
import os
import stat
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

import groundwire
from groundwire.model import Decision, Marker, Match, Verdict
from groundwire.settings import Log
from groundwire.state import log_files
from groundwire.state.log import append
from groundwire.state.log_files import CURRENT, LOCK, Locked, open_folder
from groundwire.state.log_lines import read_log
from groundwire.state.log_record import MAX_MATCHES, decision_record
from tests.support.tables import table, tables
from tests.support.together import Processes, ends, together

TABLES = tables(__file__)
SOURCE = str(Path(groundwire.__file__).parents[1])
#: Starts a process that has only the standard library and groundwire, as the hook has.
PYTHON = [sys.executable, "-I", "-S", "-c"]
PRELUDE = f"""
import os, sys
sys.path.insert(0, {SOURCE!r})
from groundwire.settings import Log
from groundwire.state.log import append
"""
WRITER = (
    PRELUDE
    + """
folder, writer, lines, max_bytes, keep = sys.argv[1:2] + [int(each) for each in sys.argv[2:]]
sys.stdout.write("ready\\n"); sys.stdout.flush(); sys.stdin.readline()
for number in range(lines):
    record = {"id": f"{writer}-{number}", "writer": writer, "number": number, "pad": "x" * 40}
    problem = append(folder, record, Log(True, max_bytes, keep))
    if problem:
        sys.exit(problem)
"""
)


def writers(
    folder: Path, count: int, lines: int, max_bytes: int
) -> AbstractContextManager[Processes]:
    """Start processes that write so many records each."""
    numbers = (str(lines), str(max_bytes), "1000")
    return together(
        *([*PYTHON, WRITER, str(folder), str(writer), *numbers] for writer in range(count))
    )


def numbers_of_writers(folder: Path) -> tuple[dict[int, list[int]], int]:
    """Return the numbers of each writer's records in the order of the log, and what was torn."""
    lines = read_log(str(folder))
    found = defaultdict(list)
    for record in lines:
        found[record["writer"]].append(record["number"])
    assert lines.problems == []
    return found, lines.skipped


def log_text(folder: Path) -> str:
    return (folder / CURRENT).read_text()


def ids(folder: Path) -> list[str]:
    return [record["id"] for record in read_log(str(folder))]


# --- one writer ---------------------------------------------------------------------------------
def test_append_makes_folder_and_file_and_reads_back(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "groundwire"
    assert append(str(folder), {"id": "1", "text": "caf\u00e9\n"}, Log()) == ""
    assert append(str(folder), {"id": "2"}, Log()) == ""
    assert log_text(folder) == '{"id": "1", "text": "caf\\u00e9\\n"}\n{"id": "2"}\n'
    assert list(read_log(str(folder))) == [{"id": "1", "text": "caf\u00e9\n"}, {"id": "2"}]
    assert append(str(tmp_path / "off"), {"id": "1"}, Log(enabled=False)) == ""
    assert append(None, {"id": "1"}, Log()).endswith("there is no state folder, HOME is not set")
    for nothing in (tmp_path, tmp_path / "off"):
        lines = read_log(str(nothing))
        assert (list(lines), lines.skipped, lines.problems) == ([], 0, [])
    assert [path.name for path in tmp_path.iterdir()] == ["state"]


def test_everything_is_private_whatever_the_umask(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "state"
    old = os.umask(0)
    try:
        assert [append(str(folder), {"id": str(n)}, Log(max_bytes=1)) for n in range(2)] == ["", ""]
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {CURRENT: 0o600, "decisions.1.jsonl": 0o600, LOCK: 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700


@table
def test_a_torn_last_line_is_closed_first(
    before: str, after: str, skipped: int, tmp_path: Path
) -> None:
    (tmp_path / CURRENT).write_text(before)
    assert append(str(tmp_path), {"id": "new"}, Log()) == ""
    assert log_text(tmp_path) == after
    lines = read_log(str(tmp_path))
    assert [record["id"] for record in lines][-1] == "new"
    assert lines.skipped == skipped


@pytest.mark.parametrize(
    "record",
    [
        {"id": {1, 2}},
        {"id": float("nan")},
        {"id": "x" * 2_000_000},  # the reader would take it for somebody else's
    ],
)
def test_a_record_that_cannot_be_a_line_is_told(tmp_path: Path, record: dict[str, Any]) -> None:
    assert append(str(tmp_path), record, Log()).startswith("decision log: the record ")
    assert list(tmp_path.iterdir()) == []


# --- rotation -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("there", "keep", "after"),
    [
        ([], 3, {1: "current"}),
        ([1], 3, {1: "current", 2: "1"}),
        ([1, 2, 3], 3, {1: "current", 2: "1", 3: "2"}),  # the oldest goes
        ([1, 3], 3, {1: "current", 2: "1", 3: "3"}),  # killed between two renames: fill the gap
        ([2, 3], 3, {1: "current", 2: "2", 3: "3"}),
        ([1, 2, 7, 12], 2, {1: "current", 2: "1"}),  # keep was made smaller
        ([1], 1, {1: "current"}),
        ([1], 0, {}),
    ],
)
def test_rotation(tmp_path: Path, there: list[int], keep: int, after: dict[int, str]) -> None:
    (tmp_path / "decisions.01.jsonl").write_text("mine")  # another file, which is left alone
    for number in there:
        (tmp_path / f"decisions.{number}.jsonl").write_text(f'{{"id": "{number}"}}\n')
    (tmp_path / CURRENT).write_text('{"id": "current"}\n')
    assert append(str(tmp_path), {"id": "new"}, Log(max_bytes=20, keep=keep)) == ""
    old = [after[number] for number in sorted(after, reverse=True)]
    assert ids(tmp_path) == [*old, "new"]
    assert {path.name for path in tmp_path.iterdir()} == {
        CURRENT,
        LOCK,
        "decisions.01.jsonl",
        *(f"decisions.{number}.jsonl" for number in after),
    }


# --- several writers ----------------------------------------------------------------------------
def test_parallel_hooks_lose_double_and_tear_nothing_while_rotating(tmp_path: Path) -> None:
    with writers(tmp_path, 4, 150, 4_000) as running:
        while any(process.poll() is None for process in running):
            found, skipped = numbers_of_writers(tmp_path)  # a reader sees whole prefixes
            assert skipped == 0
            assert all(numbers == list(range(len(numbers))) for numbers in found.values())
        assert ends(running) == [("", "", 0)] * 4
    assert numbers_of_writers(tmp_path) == ({writer: list(range(150)) for writer in range(4)}, 0)
    assert len(list(tmp_path.glob("decisions.*.jsonl"))) > 8
    assert max(path.stat().st_size for path in tmp_path.glob("*.jsonl")) <= 4_000


def test_a_lock_that_is_never_freed_costs_a_moment_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_files, "LOCK_SECONDS", 0.05)
    folder = open_folder(str(tmp_path))
    with Locked(folder):
        problem = append(str(tmp_path), {"id": "1"}, Log())
    os.close(folder)
    assert problem == f"decision log: decisions.lock is held by another process in {tmp_path}"
    assert append(str(tmp_path), {"id": "1"}, Log()) == ""


# --- folders and disks that do not take a line --------------------------------------------------
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("file", "Not a directory"),
        ("file/state", "Not a directory"),
        ("dangling", "No such file or directory"),
        ("x" * 300, "File name too long"),
        ("nul\0", "null"),
    ],
)
def test_a_folder_that_cannot_be_one(tmp_path: Path, path: str, words: str) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    problem = append(os.path.join(tmp_path, path), {"id": "1"}, Log())
    assert problem.startswith("decision log: ")
    assert words in problem
    assert (tmp_path / "file").read_text() == "mine"
    assert len(read_log(os.path.join(tmp_path, path)).problems) in (0, 1)


@table
def test_a_disk_that_is_full_in_the_middle_of_a_line(room: int, words: str, tmp_path: Path) -> None:
    """The limit on the size of files makes the system cut a write, as a full disk does."""
    before = '{"id": "old"}\n'
    (tmp_path / CURRENT).write_text(before)
    script = PRELUDE + (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + room},) * 2)\n"
        "print(append(sys.argv[1], {'id': 'new'}, Log()))\n"
    )
    run = subprocess.run(
        [*PYTHON, script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert run.stdout == f"decision log: {words} in {tmp_path}\n"
    assert log_text(tmp_path) == before


# --- what others may have planted -----------------------------------------------------------------
PLANTS: dict[str, Callable[[Path], object]] = {
    "symlink": lambda path: path.symlink_to(path.parents[1] / "victim"),
    "dangling": lambda path: path.symlink_to(path.parents[1] / "nowhere"),
    "hard link": lambda path: path.hardlink_to(path.parents[1] / "victim"),
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
}


@pytest.mark.parametrize("name", [CURRENT, LOCK])
@table
def test_planted_files_are_refused(planted: str, words: str, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    folder = tmp_path / "state"
    folder.mkdir()
    PLANTS[planted](folder / name)
    problem = append(str(folder), {"id": "1"}, Log())
    assert words in problem
    assert victim.read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


# --- reading ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("content", "found", "skipped"),
    [
        (b'{"id": "1"}\n{"id": "2', ["1"], 1),  # torn at the end
        (b'{"id": "1"}{"id"\n{"id": "2"}\n', ["2"], 1),  # torn in the middle
        (b'null\n[1]\n"id"\n{"other": 1}\n{"id": "1"}\n', ["1"], 4),  # JSON of somebody else
        (b'\xff\xfe\n\x00\n\n{"id": "1"}\n', ["1"], 3),
        (b"[" * 200_000 + b'\n{"id": "1"}\n', ["1"], 1),
        # One line that is longer than the reader takes at once, and ends like a record.
        (b"x" * (1 << 20) + b'{"id": "0"}\n{"id": "1"}\n', ["1"], 1),
        (b"x" * (3 << 20), [], 1),
    ],
)
def test_reading_steps_over_what_is_no_record(
    tmp_path: Path, content: bytes, found: list[str], skipped: int
) -> None:
    (tmp_path / CURRENT).write_bytes(content)
    lines = read_log(str(tmp_path))
    assert ([record["id"] for record in lines], lines.skipped) == (found, skipped)


def test_reading_shows_the_log_as_it_was_when_it_began(tmp_path: Path) -> None:
    for name in ("1", "2"):
        append(str(tmp_path), {"id": name}, Log())
    lines = read_log(str(tmp_path))
    first = next(lines)
    for name in ("3", "4", "5"):  # rotates the file away under the reader
        append(str(tmp_path), {"id": name}, Log(max_bytes=1, keep=1))
    assert [first, *lines] == [{"id": "1"}, {"id": "2"}]


# --- what a line holds --------------------------------------------------------------------------
EVENT = TABLES["event"]


def a_match(offset: int = 5, confidence: int = 75, evidence: str = "I think") -> Match:
    marker = Marker("speculation.i_think", "speculation_language", "weak")
    verdict = Verdict("unsupported", "nothing ran", "toolu_1", "SECRET command", "SECRET line")
    return Match(marker.kind, evidence, offset, confidence, marker, (0, 90), (), verdict)


def test_a_line_holds_what_later_tools_need_and_no_message(tmp_path: Path) -> None:
    match = a_match()
    record = decision_record(
        "0.1.0",
        EVENT,
        Decision("block", (match,), (match,), "one unsupported claim"),
        message_id="msg_1",
        suppressed=2,
        milliseconds=12.3456,
        notes=["the cache is stale"],
    )
    assert append(str(tmp_path), record, Log()) == ""
    line = json.loads(log_text(tmp_path))
    assert len(line.pop("id")) == 29
    assert time.strptime(line.pop("time"), "%Y-%m-%dT%H:%M:%S." + record["time"][-4:])
    assert line == TABLES["a_line_holds_what_later_tools_need_and_no_message"]
    assert "SECRET" not in log_text(tmp_path)


@pytest.mark.parametrize(
    "event",
    [
        {},
        dict.fromkeys(EVENT, None),
        dict.fromkeys(EVENT, 7),
        {key: {"deep": ["list"]} for key in EVENT},
        dict.fromkeys(EVENT, "x" * 100_000),
        dict.fromkeys(EVENT, "\ud83d\x00\n"),
    ],
)
def test_a_hostile_event_still_makes_a_short_line(tmp_path: Path, event: dict[str, Any]) -> None:
    record = decision_record("0.1.0", event, Decision("pass"), error="e" * 9_999, notes=["n"] * 99)
    assert append(str(tmp_path), record, Log()) == ""
    (line,) = read_log(str(tmp_path))
    assert len(log_text(tmp_path)) < 20_000
    assert (line["decision"], len(line["error"]), len(line["notes"])) == ("pass", 500, 20)


def test_of_very_many_matches_the_most_confident_are_kept_in_their_order(tmp_path: Path) -> None:
    """A pasted novel must not make a line that no reader takes."""
    evidence = "\U0001f600" * 200
    matches = tuple(a_match(at, at % 101, evidence) for at in range(5_000))
    record = decision_record("0", EVENT, Decision("report", matches))
    offsets = [match["offset"] for match in record["matches"]]
    assert append(str(tmp_path), record, Log()) == ""
    assert (len(offsets), record["counts"]["matches"]) == (MAX_MATCHES, 5_000)
    assert offsets == sorted(offsets)
    assert {(len(one["evidence"]), one["length"]) for one in record["matches"]} == {(80, 200)}
    assert {match["confidence"] for match in record["matches"]} == {98, 99, 100}
    assert len(list(read_log(str(tmp_path)))) == 1
