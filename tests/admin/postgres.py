"""A real PostgreSQL server for the tests: a folder of its own, a socket, no network, no fsync."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import psycopg

#: Where Debian's package puts the programs of each version.
_PROGRAMS = Path("/usr/lib/postgresql")
_SECONDS = 60.0
_OPTIONS = ("fsync=off", "listen_addresses=", "shared_buffers=16MB", "max_connections=60")


def program(name: str) -> Path:
    """Return a program of the newest installed server; fails where there is none."""
    found = sorted(_PROGRAMS.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which(name)
    assert found or on_path, f"{name} is missing: run 'make e2e', or tests/e2e/setup.sh"
    return found[-1] if found else Path(str(on_path))


class PostgreSQL:
    """Runs one server as long as it is entered; ``create`` makes empty databases."""

    def __init__(self) -> None:
        self._count = 0
        # as root the server refuses to run; everybody else runs it as himself
        name = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self._user = pwd.getpwnam(name)
        # a short path, for the name of a socket is limited to about 100 bytes
        self.folder = Path(tempfile.mkdtemp(prefix="gwpg-", dir="/tmp"))

    def __enter__(self) -> PostgreSQL:
        os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        data = self.folder / "data"
        self._run("initdb", "--auth=trust", "--username=groundwire", "--encoding=UTF8", "-D", data)
        options = " ".join(f"-c {option}" for option in _OPTIONS)
        given = ("-D", data, "-l", self.folder / "log", "-o", f"-k {self.folder} {options}")
        self._run("pg_ctl", "start", "-w", *given)
        return self

    def __exit__(self, *_: object) -> None:
        data = self.folder / "data"
        self._run("pg_ctl", "stop", "-w", "-m", "fast", "-D", data)  # it closes connections
        shutil.rmtree(self.folder)

    def create(self) -> str:
        """Make an empty database, which ends with the server; return its URL."""
        self._count += 1
        name = f"test{self._count}"
        dsn = f"dbname=postgres user=groundwire host={self.folder}"
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return f"postgresql://groundwire@/{name}?host={self.folder}"

    def _run(self, name: str, *arguments: str | Path) -> None:
        given: dict[str, Any] = {"cwd": self.folder, "env": {"LC_ALL": "C.UTF-8"}}
        if os.geteuid() == 0:
            given |= {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}
        command = [program(name), *arguments]
        done = subprocess.run(command, **given, capture_output=True, timeout=_SECONDS, check=False)
        assert done.returncode == 0, done.stderr.decode()
