"""Session files that are damaged, odd, or cannot be read at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import TranscriptError
from groundwire.transcript.read import Tail, all_entries, tail_entries
from groundwire.transcript.turn import build_turn
from tests.support.transcripts import Session, dump
from tests.transcript.conftest import two_turns

DAMAGE = {
    "half a line": (b'{"type":"user","message":{"role":"us', 1),
    "cut in a character": ('{"type":"user","message":"\u00e9'.encode()[:-1], 1),
    "two objects in a line": (b'{"type":"user"}{"type":"user"}\n', 1),
    "an array": (b'["user"]\n', 1),
    "a number": (b"3\n", 1),
    "a word": (b"Killed\n", 1),
    "zero bytes after a crash": (bytes(4096), 1),
    "invalid UTF-8": (b'{"type":"user","message":"\xff\xfe"}\n', 1),
    "a raw control character": (b'{"type":"user","message":"a\x01b"}\n', 1),
    "nested too deeply": (b'{"type":"user","a":' + b"[" * 200_000 + b"\n", 1),
    "not JSON's number": (b'{"type":"user","a":NaN}\n', 1),
    "blank lines": (b"\n\n  \n\r\n", 0),
}


@pytest.mark.parametrize(("damage", "skipped"), DAMAGE.values(), ids=DAMAGE.keys())
def test_damage_is_skipped(tmp_path: Path, damage: bytes, skipped: int) -> None:
    path, made = tmp_path / "s.jsonl", two_turns()
    path.write_bytes(made.data() + damage)
    assert tail_entries(str(path)) == Tail(tuple(made.entries[2:]), skipped=skipped)
    assert list(all_entries(str(path))) == made.entries
    lines = [dump(entry) for entry in made.entries]
    path.write_bytes(b"".join([*lines[:-1], damage, b"\n", lines[-1]]))
    assert tail_entries(str(path)).entries == tuple(made.entries[2:])
    assert list(all_entries(str(path))) == made.entries


def test_a_last_line_without_its_newline_counts(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(two_turns("All done.").data().rstrip(b"\n"))
    assert build_turn(tail_entries(str(path)).entries).message == "All done."


@pytest.mark.parametrize("rewrite", [
    lambda data: b"\xef\xbb\xbf" + data,
    lambda data: data.replace(b"\n", b"\r\n"),
    lambda data: data.replace(b"\n", b"\n\n"),
    lambda data: data.replace(b',"', b',\r"'),
])  # fmt: skip
def test_other_editors_ways(tmp_path: Path, rewrite: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(rewrite(Session.data(two_turns())))
    assert list(all_entries(str(path))) == two_turns().entries
    assert tail_entries(str(path)) == Tail(tuple(two_turns().entries[2:]))


def test_a_byte_order_mark_before_the_only_prompt(tmp_path: Path) -> None:
    made = Session()
    made.prompt("fix it")
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + made.data())
    assert tail_entries(str(path)) == Tail(tuple(made.entries))


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\r"])
def test_lines_end_at_a_newline_alone(tmp_path: Path, separator: str) -> None:
    words = f"one{separator}two"
    path = two_turns(words).write(tmp_path / "s.jsonl")
    assert build_turn(tail_entries(path).entries).message == words


@pytest.mark.parametrize("content", [b"", b"\n", bytes(range(256)) * 64, os.urandom(300_000)])
def test_an_empty_or_binary_file_has_no_entries(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    assert tail_entries(str(path)).entries == ()
    assert list(all_entries(str(path))) == []


def read_all(path: str) -> object:
    return list(all_entries(path))


@pytest.mark.parametrize("read", [tail_entries, read_all])
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing.jsonl", "No such file"),
        ("", "it is a folder"),
        ("file/s.jsonl", "Not a directory"),
        ("pipe", "not a regular file"),
        ("loop", "symbolic links"),
        ("a\0b", "null"),
        ("x" * 5000, "too long"),
    ],
)
def test_what_cannot_be_read_is_named(
    tmp_path: Path, read: Callable[[str], object], name: str, why: str
) -> None:
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    path = str(tmp_path / name)
    descriptors = os.listdir("/dev/fd")
    with pytest.raises(TranscriptError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: cannot read the transcript: ")
    assert why in str(caught.value)
    assert os.listdir("/dev/fd") == descriptors


@pytest.mark.parametrize("read", [tail_entries, read_all])
def test_a_file_without_permission(tmp_path: Path, read: Callable[[str], object]) -> None:
    path = two_turns().write(tmp_path / "s.jsonl")
    os.chmod(path, 0)
    user = os.geteuid()
    if user == 0:  # root may read everything, so be someone else for a moment
        os.seteuid(65534)
    try:
        with pytest.raises(TranscriptError, match="Permission denied"):
            read(path)
    finally:
        os.seteuid(user)


def test_an_error_while_reading_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(descriptor: int, length: int, offset: int) -> bytes:
        raise OSError(5, "Input/output error")

    path = two_turns().write(tmp_path / "s.jsonl")
    monkeypatch.setattr(os, "pread", failing)
    with pytest.raises(TranscriptError, match="Input/output error"):
        tail_entries(path)
