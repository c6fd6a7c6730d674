"""Reading and replacing settings files on a real disk."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from groundwire.errors import InstallError
from groundwire.install import settings_file
from groundwire.install.settings_file import obstacles, plan, settings_path, write
from tests.support.tables import table

TEXT = '{\n  "a": 1\n}\n'


def to_two(text: str) -> str:
    return text.replace("1", "2")


@table
def test_paths_of_the_scopes(scope: str, env: dict[str, str], expected: str) -> None:
    assert settings_path(scope, env, Path("/p")) == Path(expected)


def test_a_file_is_replaced_and_backed_up(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(TEXT, encoding="utf-8")
    path.chmod(0o640)
    backup = write(plan(path, to_two))
    assert backup == tmp_path / "settings.json.groundwire-backup"
    assert backup.read_text(encoding="utf-8") == TEXT
    assert path.read_text(encoding="utf-8") == to_two(TEXT)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, backup)] == [0o640, 0o640]
    assert sorted(tmp_path.iterdir()) == [path, backup]


def test_an_older_backup_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for content in ("x", "y", "y", "z"):  # the same is backed up once
        path.write_text(f'{{"a": 1, "n": "{content}"}}', encoding="utf-8")
        write(plan(path, to_two))
    names = [f"settings.json.groundwire-backup{suffix}" for suffix in ("", "-1", "-2")]
    kept = [json.loads((tmp_path / name).read_bytes())["n"] for name in names]
    assert kept == ["x", "y", "z"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_text(TEXT, encoding="utf-8")
    path = tmp_path / "settings.json"
    path.symlink_to("dotfiles/claude.json")
    backup = write(plan(path, to_two))
    assert path.is_symlink()
    assert target.read_text(encoding="utf-8") == to_two(TEXT)
    assert backup == tmp_path / "dotfiles/claude.json.groundwire-backup"


def test_a_missing_file_and_folder_are_made(tmp_path: Path) -> None:
    path = tmp_path / ".claude" / "settings.json"
    mask = os.umask(0o027)
    try:
        assert write(plan(path, lambda text: text.replace("{}", '{"a": 1}'))) is None
    finally:
        os.umask(mask)
    assert path.read_text(encoding="utf-8") == '{"a": 1}\n'
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.parametrize(
    "content", [b'\xef\xbb\xbf{"a": 1}', b'{"a": 1}\r\n', b'{"a": 1}', '{"é\u2028": 1}'.encode()]
)
def test_mark_line_ends_and_scripts_stay(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    assert not plan(path, lambda text: text).needed
    write(plan(path, to_two))
    assert path.read_bytes() == content.replace(b"1", b"2")


def test_a_file_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(TEXT, encoding="utf-8")
    change = plan(path, to_two)
    path.write_text('{"of": "another program"}', encoding="utf-8")
    with pytest.raises(InstallError, match="changed meanwhile"):
        write(change)
    assert path.read_text(encoding="utf-8") == '{"of": "another program"}'


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(InstallError, match=r"settings\.json: byte 7 is not UTF-8"):
        plan(path, to_two)
    assert obstacles({}, tmp_path) == []
    change = settings_file.Change(path / "settings.json", None, "{}", True)
    with pytest.raises(InstallError, match=r"settings\.json: File exists"):
        write(change)
    with pytest.raises(InstallError, match="HOME is not set"):
        settings_path("user", {}, tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(InstallError, match=r"settings\.json: Is a directory"):
        plan(path, to_two)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, []),
        ({"user": {"disableAllHooks": True}}, ["disableAllHooks"]),
        # A project's word weighs more than the user's.
        ({"user": {"disableAllHooks": True}, "project": {"disableAllHooks": False}}, []),
        ({"user": {"disableAllHooks": False}, "local": {"disableAllHooks": True}}, ["disableAll"]),
        ({"user": {"disableAllHooks": "yes"}}, []),
        ({"user": {"allowManagedHooksOnly": True}}, ["allowManagedHooksOnly"]),
        ({"project": {"enabledPlugins": {"groundwire@groundwire": True}}}, ["as a plugin"]),
        ({"project": {"enabledPlugins": {"groundwire@groundwire": False, "x@y": True}}}, []),
        ({"user": [1], "local": None}, []),
    ],
)
def test_what_stands_in_the_way(
    tmp_path: Path, files: dict[str, object], expected: list[str]
) -> None:
    env = {"HOME": str(tmp_path / "home")}
    for scope, content in files.items():
        path = settings_path(scope, env, tmp_path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    lines = obstacles(env, tmp_path)
    assert len(lines) == len(expected)
    assert all(word in line for word, line in zip(expected, lines, strict=True))
