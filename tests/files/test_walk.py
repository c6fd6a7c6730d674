"""Which files a path has: order, links, loops, what cannot be read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from groundwire.errors import FileError
from groundwire.files.text_file import Skipped
from groundwire.files.walk import is_data_file, walk
from tests.support.tables import table


def put(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")


def found(folder: Path) -> list[str]:
    """Return relative names; what is passed over with its reason."""
    rows = []
    for item in walk(folder):
        path = item.path if isinstance(item, Skipped) else item
        reason = f": {item.reason}" if isinstance(item, Skipped) else ""
        rows.append(f"{path.relative_to(folder)}{reason}")
    return rows


def test_order(tmp_path: Path) -> None:
    put(tmp_path, "b/2", "b/1", "a/x", "c", "B")
    assert found(tmp_path) == ["B", "c", "a/x", "b/1", "b/2"]


def test_a_file(tmp_path: Path) -> None:
    put(tmp_path, "a")
    assert list(walk(tmp_path / "a")) == [tmp_path / "a"]


def test_folders_that_hold_no_work(tmp_path: Path) -> None:
    put(tmp_path, ".git/a", "node_modules/b", "x/.venv/c", "x/__pycache__/d", ".github/e")
    assert found(tmp_path) == [".github/e"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path, "a/x", "f")
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "a" / "self").symlink_to("self")
    (tmp_path / "g").symlink_to("f")
    (tmp_path / "out").symlink_to("/")
    assert found(tmp_path) == [
        "f",
        "g: symbolic link",
        "out: symbolic link",
        "a/self: symbolic link",
        "a/up: symbolic link",
        "a/x",
    ]


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    put(tmp_path, "real/x")
    (tmp_path / "link").symlink_to("real")
    assert list(walk(tmp_path / "link")) == [tmp_path / "link" / "x"]


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert found(tmp_path) == ["pipe: not a regular file"]


def test_a_deep_tree(tmp_path: Path) -> None:
    put(tmp_path, "/".join(["d"] * 400) + "/x")
    assert len(found(tmp_path)) == 1


@table
def test_a_path_that_is_none(name: str, said: str, tmp_path: Path) -> None:
    put(tmp_path, "f")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileError, match=f"{said}.*; expected a file or folder"):
        list(walk(tmp_path / name))


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    put(tmp_path, "a/x", "b")
    (tmp_path / "a").chmod(0)
    user = os.geteuid()
    entered = (tmp_path, *tmp_path.parents)
    folders = [one for one in entered if not one.stat().st_mode & stat.S_IXOTH]
    modes = [folder.stat().st_mode for folder in folders]
    for folder in folders:
        folder.chmod(0o755)
    if user == 0:
        os.seteuid(65534)
    try:
        assert found(tmp_path) == ["b", "a: Permission denied"]
    finally:
        os.seteuid(user)
        (tmp_path / "a").chmod(0o755)
        for folder, mode in zip(folders, modes, strict=True):
            folder.chmod(mode)


@table
def test_data_files(path: str, data: bool) -> None:
    assert is_data_file(Path("/site") / path) == data
