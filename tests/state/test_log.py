"""The decision log on real files: parallel and killed writers, full disks, planted links."""

import json
import os
import resource
import stat
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.model import Decision, Marker, Match, Verdict
from groundwire.base.settings import Log
from groundwire.hook import log as log_files
from groundwire.hook.log import CURRENT, LOCK, Locked, append, open_folder
from groundwire.hook.log_lines import read_log
from groundwire.hook.log_record import MAX_MATCHES, decision_record
from tests.support.tables import rows, tables
from tests.support.together import ends, writers

TABLES = tables(__file__)


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


def test_a_record_that_cannot_be_a_line_is_told(tmp_path: Path) -> None:
    # the reader would take the long one for somebody else's
    for value in ({1, 2}, float("nan"), "x" * 2_000_000):
        assert append(str(tmp_path), {"id": value}, Log()).startswith("decision log: the record ")
    assert list(tmp_path.iterdir()) == []


def test_parallel_hooks_lose_double_and_tear_nothing_while_rotating(tmp_path: Path) -> None:
    imports = "from groundwire.base.settings import Log\nfrom groundwire.hook.log import append"
    record = '{"id": f"{writer}-{number}", "writer": writer, "number": number, "pad": "x" * 40}'
    write = f"append(folder, {record}, Log(True, 4_000, 1_000))"
    with writers(tmp_path, 4, 150, imports, write) as running:
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


PLANTS: dict[str, Callable[[Path], object]] = {
    "symlink": lambda path: path.symlink_to(path.parents[1] / "victim"),
    "dangling": lambda path: path.symlink_to(path.parents[1] / "nowhere"),
    "hard link": lambda path: path.hardlink_to(path.parents[1] / "victim"),
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
}


def torn(before: str, *, tmp_path: Path) -> tuple[object, ...]:
    (tmp_path / CURRENT).write_text(before)
    assert append(str(tmp_path), {"id": "new"}, Log()) == ""
    lines = read_log(str(tmp_path))
    assert [record["id"] for record in lines][-1] == "new"
    return log_text(tmp_path), lines.skipped


def rotated(there: list[int], keep: int, *, tmp_path: Path) -> list[list[str]]:
    """Return the numbers of the old files and what stands in each of them, the oldest first."""
    (tmp_path / "decisions.01.jsonl").write_text("mine")  # another file, which is left alone
    for number in there:
        (tmp_path / f"decisions.{number}.jsonl").write_text(f'{{"id": "{number}"}}\n')
    (tmp_path / CURRENT).write_text('{"id": "current"}\n')
    assert append(str(tmp_path), {"id": "new"}, Log(max_bytes=20, keep=keep)) == ""
    assert (tmp_path / "decisions.01.jsonl").read_text() == "mine"
    names = {path.name for path in tmp_path.iterdir()} - {CURRENT, LOCK, "decisions.01.jsonl"}
    *old, new = [record["id"] for record in read_log(str(tmp_path))]
    assert new == "new"
    return [sorted((name.split(".")[1] for name in names), reverse=True), old]


def no_folder(path: str, words: str, *, tmp_path: Path) -> bool:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    problem = append(os.path.join(tmp_path, path), {"id": "1"}, Log())
    assert (tmp_path / "file").read_text() == "mine"
    assert len(read_log(os.path.join(tmp_path, path)).problems) in (0, 1)
    return problem.startswith("decision log: ") and words in problem


def full(room: int, *, tmp_path: Path) -> str:
    """The system cuts a write at the limit on the size of files, as a full disk does."""
    before = '{"id": "old"}\n'
    (tmp_path / CURRENT).write_text(before)
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + room, kept[1]))
    try:
        said = append(str(tmp_path), {"id": "new"}, Log())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, kept)
    assert log_text(tmp_path) == before
    return said.removeprefix("decision log: ").removesuffix(f" in {tmp_path}")


def planted(what: str, words: str, *, tmp_path: Path) -> bool:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    problems = []
    for name in (CURRENT, LOCK):
        folder = tmp_path / name
        folder.mkdir()
        PLANTS[what](folder / name)
        problems.append(append(str(folder), {"id": "1"}, Log()))
    assert victim.read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()
    return all(words in problem for problem in problems)


def read(parts: list[list[Any]], *, tmp_path: Path) -> tuple[object, ...]:
    """Read what is made of these texts, each so many times."""
    text = "".join(part * times for part, times in parts)
    (tmp_path / CURRENT).write_bytes(text.encode("latin-1"))
    lines = read_log(str(tmp_path))
    return [record["id"] for record in lines], lines.skipped


test_row = rows(
    __file__,
    a_torn_last_line_is_closed_first=torn,
    rotation=rotated,
    a_folder_that_cannot_be_one=no_folder,
    a_disk_that_is_full_in_the_middle_of_a_line=full,
    planted_files_are_refused=planted,
    reading_steps_over_what_is_no_record=read,
)


def test_reading_shows_the_log_as_it_was_when_it_began(tmp_path: Path) -> None:
    for name in ("1", "2"):
        append(str(tmp_path), {"id": name}, Log())
    lines = read_log(str(tmp_path))
    first = next(lines)
    for name in ("3", "4", "5"):  # rotates the file away under the reader
        append(str(tmp_path), {"id": name}, Log(max_bytes=1, keep=1))
    assert [first, *lines] == [{"id": "1"}, {"id": "2"}]


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


@pytest.mark.parametrize("odd", [None, 7, {"deep": ["list"]}, "x" * 100_000, "\ud83d\x00\n"])
def test_a_hostile_event_still_makes_a_short_line(tmp_path: Path, odd: object) -> None:
    event = dict.fromkeys(EVENT, odd)
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
