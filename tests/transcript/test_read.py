"""Reading session files, from the end and from the beginning, whatever is in them."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.errors import TranscriptError
from groundwire.inputs.transcript import CAP, Tail, tail_entries
from groundwire.inputs.turns import all_entries, build_turn, split_turns
from tests.support.tables import rows, tables
from tests.support.transcripts import Session, dump

TABLES = tables(__file__)
MB = 2**20


def two_turns(message: str = "Done.") -> Session:
    """Return a session whose second turn begins with its third line."""
    first = [("prompt", "an older prompt"), ("say", "An older answer.")]
    second = [("prompt", "fix it"), ("bash", "make test", "3 passed"), ("say", message)]
    return Session().play([*first, *second])


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


def passed_over(entry: dict[str, Any], *, tmp_path: Path) -> bool:
    path, made = tmp_path / "s.jsonl", two_turns()
    for line in (dump(entry), dump(entry).replace(b'":', b'": ')):
        path.write_bytes(made.data() + line)
        assert tail_entries(str(path)) == Tail(tuple(made.entries[2:]))
        assert list(all_entries(str(path))) == made.entries
    return True


def kept(entry: dict[str, Any], *, tmp_path: Path) -> bool:
    path = tmp_path / "s.jsonl"
    path.write_bytes(dump(entry))
    assert tail_entries(str(path)).entries == (entry,)  # without a prompt it is all
    return list(all_entries(str(path))) == [entry]


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
        monkeypatch.setattr("groundwire.inputs.transcript._WINDOW", window)
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


def damaged(part: str, times: int, skipped: int, *, tmp_path: Path) -> bool:
    """Tell whether so many bytes, given as latin-1, are skipped at the end and before it."""
    path, made, damage = tmp_path / "s.jsonl", two_turns(), (part * times).encode("latin-1")
    path.write_bytes(made.data() + damage)
    assert tail_entries(str(path)) == Tail(tuple(made.entries[2:]), skipped=skipped)
    assert list(all_entries(str(path))) == made.entries
    lines = [dump(entry) for entry in made.entries]
    path.write_bytes(b"".join([*lines[:-1], damage, b"\n", lines[-1]]))
    assert tail_entries(str(path)).entries == tuple(made.entries[2:])
    assert list(all_entries(str(path))) == made.entries
    path.write_bytes(damage)
    return (tail_entries(str(path)).entries, list(all_entries(str(path)))) == ((), [])


def refused(name: str, times: int, why: str, *, tmp_path: Path) -> bool:
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    path = str(tmp_path / (name * times))
    descriptors = os.listdir("/dev/fd")
    for read in READERS:
        with pytest.raises(TranscriptError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}: cannot read the transcript: ")
        assert why in str(caught.value)
        assert os.listdir("/dev/fd") == descriptors
    return True


READERS: tuple[Callable[[str], object], ...] = (tail_entries, lambda path: list(all_entries(path)))
test_row = rows(
    __file__,
    bookkeeping=passed_over,
    a_type_inside_a_string_or_object_does_not_hide_a_line=kept,
    damage=damaged,
    what_cannot_be_read=refused,
)


@pytest.mark.parametrize("rewrite", [
    lambda data: b"\xef\xbb\xbf" + data,
    lambda data: data.replace(b"\n", b"\r\n"),
    lambda data: data.replace(b"\n", b"\n\n"),
    lambda data: data.replace(b',"', b',\r"'),
    lambda data: data.rstrip(b"\n"),
])  # fmt: skip
def test_other_editors_ways(tmp_path: Path, rewrite: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(rewrite(Session.data(two_turns())))
    assert list(all_entries(str(path))) == two_turns().entries
    assert tail_entries(str(path)) == Tail(tuple(two_turns().entries[2:]))


def test_lines_end_at_a_newline_alone(tmp_path: Path) -> None:
    words = "one\u2028two\u2029three\x85four\x0bfive\x1csix\rseven"
    path = two_turns(words).write(tmp_path / "s.jsonl")
    assert build_turn(tail_entries(path).entries).message == words


def test_an_error_while_reading_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(descriptor: int, length: int, offset: int) -> bytes:
        raise OSError(5, "Input/output error")

    path = two_turns().write(tmp_path / "s.jsonl")
    monkeypatch.setattr(os, "pread", failing)
    with pytest.raises(TranscriptError, match="Input/output error"):
        tail_entries(path)


FILES = sorted((Path(__file__).parents[2] / "fixtures" / "transcripts").glob("*.jsonl"))


@pytest.mark.parametrize("window", [64, 4096, 131_072])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_turns_and_calls_and_the_tail(
    file: Path, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = file.stem.startswith("agent-")
    turns = list(split_turns(all_entries(str(file)), agent=agent))
    assert [len(turns), sum(len(turn.calls) for turn in turns)] == TABLES["expected"][file.stem]
    assert all(turn.prompt and not turn.partial and not turn.interrupted for turn in turns)
    assert all(call.result is not None for turn in turns for call in turn.calls)
    monkeypatch.setattr("groundwire.inputs.transcript._WINDOW", window)
    tail = tail_entries(str(file), agent=agent)
    assert build_turn(tail.entries, tail.partial, agent) == turns[-1]
    assert tail.skipped == 0


def test_streaming_can_be_left_early(tmp_path: Path) -> None:
    entries = all_entries(two_turns().write(tmp_path / "s.jsonl"))
    next(entries)
    entries.close()  # type: ignore[attr-defined]  # an open file would fail the test as a warning
