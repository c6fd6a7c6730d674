"""Reading session files, from the end and from the beginning, whatever is in them."""

from __future__ import annotations

import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from groundwire.transcript.read import CAP, Tail, all_entries, tail_entries
from groundwire.transcript.turn import build_turn
from tests.support.tables import table
from tests.support.transcripts import Session, dump
from tests.transcript.conftest import two_turns

MB = 2**20


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths that the reader asked the system for."""
    asked: list[int] = []
    pread = os.pread

    def counting(descriptor: int, length: int, offset: int) -> bytes:
        asked.append(length)
        return pread(descriptor, length, offset)

    monkeypatch.setattr(os, "pread", counting)
    return asked


def test_the_tail_begins_at_the_last_prompt(tmp_path: Path) -> None:
    made = two_turns()
    tail = tail_entries(made.write(tmp_path / "s.jsonl"))
    assert tail == Tail(tuple(made.entries[2:]), partial=False, skipped=0)


def test_all_entries_come_in_file_order(tmp_path: Path) -> None:
    made = two_turns()
    assert list(all_entries(made.write(tmp_path / "s.jsonl"))) == made.entries


BOOKKEEPING = [
    {"type": "file-history-snapshot", "snapshot": {"type": "user"}},
    {"type": "queue-operation", "operation": "enqueue", "content": "next"},
    {"type": "summary", "summary": "x", "leafUuid": "y"},
    {"type": "a-type-of-tomorrow", "message": {"role": "user", "content": "fix it"}},
    {"parentUuid": "a", "isSidechain": False, "type": "progress", "data": {"type": "user"}},
    {"parentUuid": "a", "data": {"type": "user"}, "type": "progress"},  # not told by a look
    {"cwd": "/home/dev/{x}", "type": "progress"},
    {"note": "no type at all"},
]


@pytest.mark.parametrize("entry", BOOKKEEPING)
@pytest.mark.parametrize("spaced", [False, True])
def test_bookkeeping_is_passed_over(tmp_path: Path, entry: dict[str, Any], spaced: bool) -> None:
    line = dump(entry).replace(b'":', b'": ') if spaced else dump(entry)
    path = tmp_path / "s.jsonl"
    path.write_bytes(two_turns().data() + line)
    assert tail_entries(str(path)) == Tail(tuple(two_turns().entries[2:]))
    assert list(all_entries(str(path))) == two_turns().entries


@table
def test_a_type_inside_a_string_or_object_does_not_hide_a_line(
    entry: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(dump(entry))
    assert list(all_entries(str(path))) == [entry]
    assert tail_entries(str(path)).entries == (entry,)


def padded(path: Path, size: int, tail: bytes) -> str:
    """A file of ``size`` bytes of older lines that take no space on the disk, and a tail."""
    with path.open("wb") as file:
        file.truncate(size)
        file.seek(size)
        file.write(b"\n" + tail)
    return str(path)


def test_a_huge_file_costs_what_a_small_one_does(tmp_path: Path, bytes_read: list[int]) -> None:
    made = two_turns()
    small = tail_entries(padded(tmp_path / "small.jsonl", MB, made.data()))
    cost = sum(bytes_read)
    bytes_read.clear()
    huge = tail_entries(padded(tmp_path / "huge.jsonl", 300 * MB, made.data()))
    assert huge == small == Tail(tuple(made.entries[2:]))
    assert sum(bytes_read) == cost <= 128 * 1024


def test_reading_stops_at_the_cap(tmp_path: Path, bytes_read: list[int]) -> None:
    made = Session()
    made.say("Done.")
    tracemalloc.start()
    tail = tail_entries(padded(tmp_path / "s.jsonl", 300 * MB, made.data()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert tail == Tail(tuple(made.entries), partial=True, skipped=1)
    assert sum(bytes_read) == CAP
    assert max(bytes_read) <= 64 * 1024  # the memory of one window serves the next
    assert peak < 4 * CAP


@pytest.mark.parametrize(("cap", "partial"), [(200, True), (10**6, False)])
def test_a_turn_beyond_the_cap_is_partial(tmp_path: Path, cap: int, partial: bool) -> None:
    tail = tail_entries(two_turns().write(tmp_path / "s.jsonl"), cap)
    assert tail.partial is partial


def test_without_any_prompt_the_whole_file_is_the_tail(tmp_path: Path) -> None:
    made = Session()
    made.say("Hello.")
    made.say("Hello again.")
    assert tail_entries(made.write(tmp_path / "s.jsonl")) == Tail(tuple(made.entries))


@pytest.mark.parametrize("size", [3 * MB, 6 * MB])
def test_a_line_with_images(tmp_path: Path, bytes_read: list[int], size: int) -> None:
    made = two_turns()
    image = {"type": "base64", "media_type": "image/png", "data": "A" * size}
    made.prompt([{"type": "image", "source": image}, {"type": "text", "text": "what is this?"}])
    made.say("A grey picture.")
    path = padded(tmp_path / "s.jsonl", 50 * MB, made.data())
    turn = build_turn(tail_entries(path).entries)
    assert (turn.prompt, turn.message) == ("[image]\nwhat is this?", "A grey picture.")
    assert sum(bytes_read) <= CAP


def test_windows_may_cut_lines_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = two_turns("\u00e9\u4e16 " * 40)
    path = made.write(tmp_path / "s.jsonl")
    for window in range(1, len(made.data())):
        monkeypatch.setattr("groundwire.transcript.read._WINDOW", window)
        assert tail_entries(path) == Tail(tuple(made.entries[2:]))


def test_a_file_cut_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = two_turns().write(tmp_path / "s.jsonl")
    pread = os.pread

    def shrinking(descriptor: int, length: int, offset: int) -> bytes:
        os.truncate(path, 10)
        return pread(descriptor, length, offset)

    monkeypatch.setattr(os, "pread", shrinking)
    assert tail_entries(path).entries == ()


def test_streaming_holds_one_line(tmp_path: Path) -> None:
    made = two_turns()
    path = tmp_path / "s.jsonl"
    padded(path, 300 * MB, made.data())
    tracemalloc.start()
    entries = list(all_entries(str(path), line_cap=MB))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert entries == made.entries
    assert peak < 8 * MB


def test_streaming_can_be_left_early(tmp_path: Path) -> None:
    made = two_turns()
    entries = all_entries(made.write(tmp_path / "s.jsonl"))
    assert next(entries) == made.entries[0]
    entries.close()  # type: ignore[attr-defined]  # an open file would fail the test as a warning


def test_a_slash_command_is_found_from_the_end(tmp_path: Path) -> None:
    made = two_turns()
    wrapper = made.user("<command-name>/review</command-name>\n<command-args>42</command-args>")
    made.attach("file", filename="a.py")
    made.meta("You are a reviewer.")
    made.say("Looks fine.")
    made.local_command("model", "Set model to opus")
    tail = tail_entries(made.write(tmp_path / "s.jsonl"))
    turn = build_turn(tail.entries)
    assert tail.entries[0] == wrapper
    assert (turn.prompt, turn.message) == ("/review 42", "Looks fine.")


def test_an_agents_own_transcript(tmp_path: Path) -> None:
    made = Session(agent=True)
    made.prompt("find it")
    made.grep("it", ["src/it.py"])
    made.say("In src/it.py.")
    tail = tail_entries(made.write(tmp_path / "agent-a1.jsonl"), agent=True)
    assert build_turn(tail.entries, agent=True).prompt == "find it"
    assert not tail.partial
