"""Files that a turn names may be pipes, devices and folders: nobody waits for them."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from groundwire.service.bounded import read_start
from groundwire.service.disk import commit_lookup, file_lookup
from tests.support.growth import function_calls

COMMIT = "1a2b3c4"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git = tmp_path / ".git"
    (git / "objects" / "pack").mkdir(parents=True)
    (git / "config").write_text("[core]\n")
    return tmp_path


def test_a_regular_file_is_read_up_to_the_bound(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"abcdef")
    assert read_start(str(path), 4) == b"abcd"
    assert read_start(str(path), 99) == b"abcdef"


@pytest.mark.parametrize("name", ["pipe", "/dev/zero", "/proc/self/fd/0", "."])
def test_anything_else_is_refused(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    standard_input = os.dup(0)
    reading, writing = os.pipe()
    try:
        os.dup2(reading, 0)
        with pytest.raises(OSError, match="regular"):
            read_start(str(tmp_path / name), 10)
    finally:
        os.dup2(standard_input, 0)
        for descriptor in (standard_input, reading, writing):
            os.close(descriptor)


@pytest.mark.parametrize("place", ["config", "objects/pack/pack-1.idx"])
def test_pipes_in_a_repository_hold_nobody(repository: Path, place: str) -> None:
    path = repository / ".git" / place
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert commit_lookup(str(repository))(COMMIT) is None


def test_a_pack_of_equal_names_is_looked_at_in_bounds(repository: Path) -> None:
    count = 300_000
    fanout = b"".join(struct.pack(">I", count if first >= 0x1A else 0) for first in range(256))
    names = bytes.fromhex("1a2b3d" + "00" * 17) * count
    pack = repository / ".git" / "objects" / "pack" / "pack-1.idx"
    pack.write_bytes(b"\xfftOc\x00\x00\x00\x02" + fanout + names)
    holds = commit_lookup(str(repository))
    assert holds("1a2b3d0") is True
    assert holds("1a2b3d1") is False
    assert function_calls(lambda: holds("1a2b3d1")) < 2_000


def test_a_path_that_is_a_pipe_exists_and_has_no_lines(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    has_line = file_lookup(str(tmp_path))
    assert has_line("pipe", 0) is True
    assert has_line("pipe", 3) is False
