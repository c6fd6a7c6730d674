"""The token's file: private, made once, refused when others can have a hand in it."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groundwire.errors import ServerError
from groundwire.server.token import default_port, ensure_token, known_token


def file_of(home: Path) -> Path:
    return home / ".local/state/groundwire/server-token"


def test_it_is_made_once_and_private(home: Path) -> None:
    env = {"HOME": str(home)}
    assert known_token(env) == ""
    assert list(home.iterdir()) == []
    token = ensure_token(env)
    assert len(token) == 64
    assert ensure_token(env) == known_token(env) == token
    assert stat.S_IMODE(file_of(home).stat().st_mode) == 0o600
    assert [path.name for path in file_of(home).parent.iterdir()] == ["server-token"]


def test_many_at_once_agree(home: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        tokens = set(pool.map(lambda _: ensure_token({"HOME": str(home)}), range(64)))
    assert len(tokens) == 1
    assert [path.name for path in file_of(home).parent.iterdir()] == ["server-token"]


def test_two_homes_have_two(tmp_path: Path) -> None:
    assert ensure_token({"HOME": str(tmp_path / "a")}) != ensure_token(
        {"HOME": str(tmp_path / "b")}
    )


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_others_must_not_read_it(home: Path, mode: int) -> None:
    ensure_token({"HOME": str(home)})
    file_of(home).chmod(mode)
    with pytest.raises(ServerError, match=f"{file_of(home)}: mode {oct(mode)}; allowed: 0o600"):
        ensure_token({"HOME": str(home)})


@pytest.mark.parametrize("text", ["", "short\n", "x" * 63 + "!\n", "a" * 65])
def test_what_is_no_token_is_refused(home: Path, text: str) -> None:
    ensure_token({"HOME": str(home)})
    file_of(home).write_text(text, encoding="utf-8")
    with pytest.raises(ServerError, match="is no token; remove it"):
        ensure_token({"HOME": str(home)})


def test_a_link_and_a_folder_that_cannot_be_used(home: Path, tmp_path: Path) -> None:
    file_of(home).parent.mkdir(parents=True)
    file_of(home).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ServerError, match="server-token: "):
        ensure_token({"HOME": str(home)})
    (tmp_path / "file").touch()
    with pytest.raises(ServerError, match="Not a directory"):
        ensure_token({"HOME": str(tmp_path / "file")})
    with pytest.raises(ServerError, match="HOME is not set"):
        ensure_token({})


def test_the_port_is_the_users_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 1001)
    assert default_port() == 23_001
