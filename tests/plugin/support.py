"""A plugin folder and a data folder on disk, and the launchers run by real shells."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.base.version import __version__
from tests.support.programs import run_program
from tests.support.waiting import wait_until

REPOSITORY = Path(__file__).parents[2]
#: The shells of this machine; the odd one out is how Claude Code does it, by the first line.
SHELLS: dict[str, list[str]] = {"itself": []} | {
    " ".join(command): [str(shutil.which(command[0])), *command[1:]]
    for command in (["dash"], ["bash", "--posix"], ["busybox", "sh"], ["ksh"])
    if shutil.which(command[0])
}
#: What the launchers need besides the shell.
TOOLS = ("cat", "cmp", "find", "mkdir", "mv", "rm", "sed", "sh", "tr")
#: A folder name with everything that a careless script trips over.
ODD = "a 'b' \"c\" $d \\e *f"
#: What the hook's file is replaced by, so that a test sees what reaches it.
SHOW_CALL = (
    "import json, sys; flags = [sys.flags.isolated, sys.flags.no_site]; "
    "print(json.dumps([flags, sys.stdin.read()]))"
)
EVENT = '{"hook_event_name": "Stop"}'


class Finished(NamedTuple):
    code: int
    stdout: str
    stderr: str

    def told(self) -> str:
        """The message to the user; the launcher must have printed nothing else."""
        fields: dict[str, Any] = json.loads(self.stdout)
        assert list(fields) == ["systemMessage"]
        return str(fields["systemMessage"])


class Plugin:
    """A copy of the plugin's launchers and the data folder that Claude Code would give them."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "plugin"
        self.data = folder / "data"
        self.home = folder / "home"
        shutil.copytree(REPOSITORY / "hooks", self.root / "hooks")
        shutil.copy(REPOSITORY / "constraints.txt", self.root)
        self.package = self.root / "src" / "groundwire"
        compiled = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / "src/groundwire", self.package, ignore=compiled)
        self.home.mkdir()
        self.tools = folder / "tools"
        self.tools.mkdir()
        for name in TOOLS:
            path = shutil.which(name)
            assert path, f"{name} is missing on this machine"
            (self.tools / name).symlink_to(path)
        self.environment = {
            "HOME": str(self.home),
            "PATH": str(self.tools),
            "CLAUDE_PLUGIN_ROOT": str(self.root),
            "CLAUDE_PLUGIN_DATA": str(self.data),
        }

    def of(self, name: str) -> Path:
        """Return a file of this version: ready, failed, told, or the log of a build."""
        return self.data / f"{name}-{__version__}{'.log' if name == 'build' else ''}"

    @property
    def marker(self) -> Path:
        return self.of("ready")

    def add_python(self) -> None:
        major, minor, *_ = sys.version_info
        python = f"{sys.base_prefix}/bin/python{major}.{minor}"
        self.script(self.tools / "python3", f'exec "{python}" "$@"')

    def script(self, path: Path, line: str) -> None:
        path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        path.chmod(0o755)

    def make_ready(self, version: str = __version__) -> Path:
        """An environment whose hook shows how it was called; returns the hook's file."""
        package = self.data / "env" / "groundwire"
        (package / "hook").mkdir(parents=True)
        (package / "base").mkdir()
        (package / "base/version.py").write_text(f'__version__ = "{version}"\n', encoding="utf-8")
        file = package / "hook" / "run.py"
        file.write_text(SHOW_CALL, encoding="utf-8")
        self.mark(sys.executable, str(file))
        return file

    def mark(self, *lines: str) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        self.marker.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def run(
        self, name: str, *arguments: str, shell: str = "itself", folder: Path | None = None
    ) -> Finished:
        """Run a launcher by one of ``SHELLS``, with an event on stdin, in a ``folder``."""
        command = [*SHELLS[shell], self.root / "hooks" / name, *arguments]
        done = run_program(command, EVENT, self.environment, folder or self.home)
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    def files(self) -> dict[str, bytes]:
        paths = [*self.root.rglob("*"), *self.home.rglob("*")]
        return {str(path): path.read_bytes() for path in paths if path.is_file()}


def wait_for(path: Path, seconds: float = 60) -> None:
    wait_until(path.exists, said=f"{path} did not appear within {seconds} s", seconds=seconds)
