"""Whether a repository holds a commit, against repositories that git itself made."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from groundwire.service.git_objects import has_commit

_NONE = "0123456789abcdef0123456789abcdef01234567"


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("git") / "shop"
    (folder / "src" / "cart").mkdir(parents=True)
    git(folder, "init", "-q")
    for number in range(30):
        git(folder, "commit", "-q", "--allow-empty", "-m", f"step {number}")
    return folder


@pytest.fixture
def repository(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "shop")


@pytest.mark.parametrize("packed", [False, True])
def test_commits_are_found_by_their_first_digits(repository: Path, packed: bool) -> None:
    names = git(repository, "log", "--format=%H").split()
    if packed:
        git(repository, "gc", "-q")
    for digits in (7, 8, 11, 39, 40):
        found = [has_commit(str(repository / "src/cart"), name[:digits]) for name in names]
        assert found == [True] * 30
        assert has_commit(str(repository), _NONE[:digits]) is False
    name = git(repository, "rev-parse", "HEAD")[:9]
    other = name[:-1] + ("0" if name[-1] != "0" else "1")
    assert has_commit(str(repository), other) is False


def test_a_work_tree_beside_the_repository(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "fix"), "-b", "fix")
    name = git(repository, "rev-parse", "HEAD")
    assert has_commit(str(tmp_path / "fix"), name) is True
    assert has_commit(str(tmp_path / "fix"), _NONE) is False


def test_what_cannot_be_told(repository: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--shared", str(repository), str(clone))
    assert has_commit(str(clone), _NONE) is None  # objects lie elsewhere too
    assert has_commit(str(tmp_path), _NONE) is None  # no repository
    assert has_commit("", _NONE) is None
    git(tmp_path, "init", "-q", "--object-format=sha256", "longer")
    assert has_commit(str(tmp_path / "longer"), _NONE) is None


def test_a_damaged_index_leaves_it_open(repository: Path) -> None:
    git(repository, "gc", "-q")
    (index,) = (repository / ".git/objects/pack").glob("*.idx")
    index.chmod(0o644)
    index.write_bytes(b"no index at all")
    assert has_commit(str(repository), _NONE) is None
