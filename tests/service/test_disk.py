"""The look-ups of files: below the current folder, and above it inside a repository."""

import os
import shutil
import struct
from pathlib import Path

import pytest

from groundwire.hook.profiles import turn_facts
from groundwire.inputs.disk import commit_lookup, file_lookup
from groundwire.inputs.event import Event
from groundwire.inputs.git_objects import has_commit, read_start
from tests.support.growth import function_calls
from tests.support.programs import git
from tests.support.tables import rows


def look_up(folder: str, path: str, line: int, *, tmp_path: Path) -> bool | None:
    """Look in a repository with a package in it, beside which there is a file."""
    (tmp_path / "shop/.git").mkdir(parents=True)
    (tmp_path / "shop/web/src").mkdir(parents=True)
    (tmp_path / "shop/web/src/cart.ts").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "shop/README.md").write_text("one", encoding="utf-8")
    (tmp_path / "outside.txt").write_text("one", encoding="utf-8")
    (tmp_path / "other").mkdir()
    return file_lookup(str(tmp_path / folder))(path.replace("HERE", str(tmp_path)), line)


test_row = rows(__file__, look_up=look_up)


COMMIT = "1a2b3c4"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git = tmp_path / ".git"
    (git / "objects" / "pack").mkdir(parents=True)
    (git / "config").write_text("[core]\n")
    return tmp_path


def test_pipes_hold_nobody(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"abcdef")
    assert [read_start(str(tmp_path / "a.txt"), most) for most in (4, 99)] == [b"abcd", b"abcdef"]
    os.mkfifo(pipe := tmp_path / "pipe")
    standard_input = os.dup(0)
    reading, writing = os.pipe()
    try:
        os.dup2(reading, 0)
        for name in (pipe, "/dev/zero", "/proc/self/fd/0", tmp_path):
            with pytest.raises(OSError, match="regular"):
                read_start(str(name), 10)
    finally:
        os.dup2(standard_input, 0)
        for descriptor in (standard_input, reading, writing):
            os.close(descriptor)
    has_line = file_lookup(str(tmp_path))
    assert [has_line("pipe", line) for line in (0, 3)] == [True, False]
    event = Event("Stop", "s", transcript_path=str(pipe))
    assert turn_facts(event, {}, "/repo")["model"] == ""
    for place in ("objects/pack/pack-1.idx", "config"):
        path = repository / ".git" / place
        path.unlink(missing_ok=True)
        os.mkfifo(path)
        assert commit_lookup(str(repository))(COMMIT) is None
        path.unlink()


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


_NONE = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("git") / "shop"
    (folder / "src" / "cart").mkdir(parents=True)
    git(folder, "init", "-q")
    for number in range(30):
        git(folder, "commit", "-q", "--allow-empty", "-m", f"step {number}")
    return folder


@pytest.fixture
def shop(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "shop")


@pytest.mark.parametrize("packed", [False, True])
def test_commits_are_found_by_their_first_digits(shop: Path, packed: bool) -> None:
    names = git(shop, "log", "--format=%H").split()
    if packed:
        git(shop, "gc", "-q")
    for digits in (7, 8, 11, 39, 40):
        found = [has_commit(str(shop / "src/cart"), name[:digits]) for name in names]
        assert found == [True] * 30
        assert has_commit(str(shop), _NONE[:digits]) is False
    name = names[0][:9]
    other = name[:-1] + ("0" if name[-1] != "0" else "1")
    assert has_commit(str(shop), other) is False


def test_a_work_tree_beside_the_repository(shop: Path, tmp_path: Path) -> None:
    git(shop, "worktree", "add", "-q", str(tmp_path / "fix"), "-b", "fix")
    name = git(shop, "rev-parse", "HEAD")
    assert has_commit(str(tmp_path / "fix"), name) is True
    assert has_commit(str(tmp_path / "fix"), _NONE) is False


def test_what_cannot_be_told(shop: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--shared", str(shop), str(clone))
    assert has_commit(str(clone), _NONE) is None  # objects lie elsewhere too
    assert has_commit(str(tmp_path), _NONE) is None  # no repository
    assert has_commit("", _NONE) is None
    git(tmp_path, "init", "-q", "--object-format=sha256", "longer")
    assert has_commit(str(tmp_path / "longer"), _NONE) is None


def test_a_damaged_index_leaves_it_open(shop: Path) -> None:
    git(shop, "gc", "-q")
    (index,) = (shop / ".git/objects/pack").glob("*.idx")
    index.chmod(0o644)
    index.write_bytes(b"no index at all")
    assert has_commit(str(shop), _NONE) is None
