"""The look-ups of files: below the current folder, and above it inside a repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.service.disk import file_lookup
from tests.support.tables import table


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with a package in it, and a file beside the repository."""
    (tmp_path / "shop/.git").mkdir(parents=True)
    (tmp_path / "shop/web/src").mkdir(parents=True)
    (tmp_path / "shop/web/src/cart.ts").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "shop/README.md").write_text("one", encoding="utf-8")
    (tmp_path / "outside.txt").write_text("one", encoding="utf-8")
    return tmp_path / "shop"


@table
def test_look_up(folder: str, path: str, line: int, found: bool | None, project: Path) -> None:
    assert file_lookup(str(project / folder))(path, line) is found


def test_outside_of_a_repository_only_the_folder_itself_counts(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/notes.md").write_text("one", encoding="utf-8")
    assert file_lookup(str(tmp_path / "a"))("notes.md", 1) is True
    look = file_lookup(str(tmp_path / "a/b"))
    assert look("notes.md", 1) is False
    assert look(str(tmp_path / "a/notes.md"), 1) is True  # a full path stands for itself
