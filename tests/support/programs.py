"""Programs as processes of their own: run to their end, found by their command lines, and git."""

import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path


def run_program(
    command: Sequence[object],
    data: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
    code: int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a program on ``data``; a hang fails the test, as does another exit code than given."""
    words, given = [*map(str, command)], data.encode() if isinstance(data, str) else data
    done = subprocess.run(
        words, input=given, env=env, cwd=folder, capture_output=True, timeout=180, check=False
    )
    assert code in (None, done.returncode), done.stderr.decode()
    return done


def process_of(*ending: str | Path) -> Path:
    """Return the folder in /proc of the process whose command line ends with these words."""
    wanted = "".join(f"{word}\0" for word in ending).encode()
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            if (path / "cmdline").read_bytes().endswith(wanted):
                return path
    raise AssertionError(f"no process has {ending}")


def git(folder: Path, *arguments: str, env: dict[str, str] | None = None) -> str:
    """Return what git prints, which may fail in an environment of its own."""
    words = "-c user.name=a -c user.email=a@example.com -c commit.gpgsign=false".split()
    done = run_program(["git", *words, *arguments], b"", env, folder, None if env else 0)
    return (done.stdout + done.stderr).decode().strip()
