"""Build the plugin's environment in its data folder, once for each version of the plugin.

Usage: ``build.py DATA_FOLDER [--detached]``, normally through ``build.sh``. Needs the standard
library alone. Everything is written below DATA_FOLDER:

- ``env-VERSION-...`` the virtual environment, with the plugin folder installed by pip;
- ``ready-VERSION`` written last: the environment's interpreter and the hook's file, a line each;
- ``failed-VERSION`` instead of it when something went wrong: the text that the user is told;
- ``build-VERSION.log`` what pip said; ``build.lock`` held while a build runs.

pip's own configuration and ``PIP_...`` variables count, such as a company's index.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(os.path.abspath(__file__)).parent.parent


class Cause(NamedTuple):
    """A known failure: what the tools print, why that stops the build, and what helps."""

    signs: tuple[str, ...]  # regular expressions
    why: str
    remedy: str


CAUSES = (
    Cause(
        (r"ensurepip is not", r"No module named '?(venv|ensurepip)"),
        "this Python comes without its venv module",
        "install it (Debian, Ubuntu: sudo apt install python3-venv)",
    ),
    Cause(
        (
            r"command '\S*(cc|clang|g\+\+)\S*' failed",
            r"unable to execute '\S*(cc|clang)",
            r"Python\.h: No such file",
        ),
        "a dependency has to be compiled, and there is no working C compiler",
        "get one (Debian, Ubuntu: sudo apt install gcc python3-dev, macOS: xcode-select --install)",
    ),
    Cause((r"No space left on device",), "the disk is full", "make room"),
    Cause(
        (
            r"Failed to establish a new connection",
            r"Temporary failure in name resolution|Name or service not known|nodename nor servname",
            r"Network is unreachable|Connection (refused|timed out)|No matching distribution",
            r"(ConnectTimeout|ReadTimeout|Proxy|SSL)Error",
        ),
        "pip could not get the packages from the package index",
        "check the network",
    ),
)
#: Claude Code keeps the old folder of an updated plugin for about this long.
KEEP_OTHER_VERSIONS_SECONDS = 14 * 24 * 3600


class BuildError(Exception):
    """The environment cannot be built; the message is meant for the user."""


def plugin_version(root: Path) -> str:
    """The version of the package in the plugin folder."""
    source = (root / "src/groundwire/base/version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', source, re.MULTILINE)
    if not found:
        raise BuildError(f"{root} is not the groundwire plugin: it declares no version")
    return found.group(1)


def explain(log: str) -> str:
    """Why a build failed, in words for the user, from what the tools printed."""
    for cause in CAUSES:
        if any(re.search(sign, log) for sign in cause.signs):
            return f"{cause.why}; {cause.remedy}"
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["the tools said nothing"])[-1][:300]


def child_environment(scratch: Path) -> dict[str, str]:
    """The environment of venv and pip: temporary files below ours, no settings of the session.

    ``constraints.txt`` holds for what the build itself needs, too; older pips read one variable for
    both.
    """
    dropped = ("CLAUDE", "ANTHROPIC", "PYTHON")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    given, ours = kept.get("PIP_CONSTRAINT", ""), (ROOT / "constraints.txt").as_uri()
    kept |= {"PIP_CONSTRAINT": f"{given} {ours}", "PIP_BUILD_CONSTRAINT": ours}
    return kept | {"TMPDIR": str(scratch), "PIP_USER": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def run(command: list[str], log: Path, lock: int, scratch: Path) -> str:
    """Run one step, add what it prints to ``log``, return its standard output.

    The step inherits the lock, so that the lock outlives a killed builder as long as its pip does.
    Raises BuildError with the explained cause.
    """
    with log.open("a", encoding="utf-8") as out:
        out.write(f"$ {shlex.join(command)}\n")
        out.flush()
        done = subprocess.run(  # noqa: S603 - our own command lines
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=child_environment(scratch),
            pass_fds=(lock,),
            text=True,
            errors="replace",
            check=False,
        )
        out.write(done.stdout)
    if done.returncode:
        raise BuildError(explain(done.stdout))
    return done.stdout


def build(data: Path, version: str, lock: int) -> None:
    """Make a fresh environment, install the plugin folder into it and write the marker."""
    log = data / f"build-{version}.log"
    log.unlink(missing_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f"env-{version}-", dir=data))
    scratch = folder / "tmp"
    scratch.mkdir()
    try:
        run([sys.executable, "-I", "-m", "venv", str(folder)], log, lock, scratch)
        python = str(folder / "bin/python")
        pip = [python, "-I", "-m", "pip", "install", "--no-input", "--no-cache-dir"]
        run([*pip, "--disable-pip-version-check", str(ROOT)], log, lock, scratch)
        where = run([python, "-I", "-m", "groundwire.hook.entry"], log, lock, scratch)
        installed, interpreter, file = where.splitlines()
        if installed != version:
            raise BuildError(f"pip installed version {installed} instead of {version}")
        shutil.rmtree(scratch, ignore_errors=True)
        write(data / f"ready-{version}", f"{interpreter}\n{file}\n")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def write(path: Path, text: str) -> None:
    """Write ``text`` so that a reader sees all of it or nothing."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def tidy(data: Path, version: str) -> None:
    """Remove what killed builds and long replaced versions left behind."""
    markers = {path: path.read_text(encoding="utf-8") for path in data.glob("ready-*")}
    for marker in list(markers):
        old = time.time() - marker.stat().st_mtime > KEEP_OTHER_VERSIONS_SECONDS
        if marker.name != f"ready-{version}" and old:
            marker.unlink()
            del markers[marker]
    for folder in data.glob("env-*"):
        if not any(text.startswith(f"{folder}/") for text in markers.values()):
            shutil.rmtree(folder, ignore_errors=True)


def main(argv: list[str]) -> int:
    """Build unless it is done or another build runs; 1 on a failure, which is recorded."""
    data = Path(argv[0]).absolute()
    if "--detached" in argv:
        os.setsid()
    data.mkdir(parents=True, exist_ok=True)
    version = plugin_version(ROOT)
    failed = data / f"failed-{version}"
    lock = os.open(data / "build.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not (data / f"ready-{version}").exists():
            build(data, version, lock)
        tidy(data, version)
    except BlockingIOError:
        print("groundwire: another build is running", file=sys.stderr)  # noqa: T201
        return 0
    except (BuildError, OSError, ValueError) as error:
        again = shlex.join(["sh", str(ROOT / "hooks/build.sh"), str(data)])
        text = f"groundwire checks nothing: {error}. Then run: {again}"
        write(failed, text + "\n")
        print(text, file=sys.stderr)  # noqa: T201
        return 1
    for note in (failed, data / f"told-{version}"):
        note.unlink(missing_ok=True)
    print(f"groundwire: ready in {data}", file=sys.stderr)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
