"""Which interpreter and which file Claude Code has to start.

``python -m groundwire.hook.entry`` and ``groundwire-hook --where`` print the version, the
interpreter and the file, a line each; the plugin's launchers read that.
"""

from __future__ import annotations

import os
import sys

import groundwire
from groundwire.base.errors import InstallError
from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EVENTS = ("Stop", "SubagentStop", "SessionStart")
#: What the hook is started with for its other entries: the look after a turn, and what it left.
SECOND_LOOK, NOTES = "--second-look", "--notes"
#: The event with which the user is told of what a look has left.
NOTES_EVENT = "UserPromptSubmit"
#: Seconds of a look at most, and what the client shows when it wakes the model.
LOOK_SECONDS, WAKE_SUMMARY = 75, "groundwire looked again"
#: Seconds after which Claude Code gives up on the hook; its own default would be 600.
TIMEOUT_SECONDS = 20
#: What Claude Code shows while the hook is at work, which a judge may make some seconds.
STATUS_MESSAGE = "groundwire checks the message"
#: What the path of the hook's file ends with, in every version and environment.
FILE_TAIL = "groundwire/hook/run.py"


#: Where a resident server listens, and the path that takes events.
HOST, HOOK = "127.0.0.1", "/hook"


class Entry(Record):
    """The absolute interpreter and the absolute file of one installed groundwire."""

    interpreter: str
    file: str

    def handler(self) -> dict[str, Any]:
        """The handler in the exec form of Claude Code's settings."""
        return self._call() | {"timeout": TIMEOUT_SECONDS, "statusMessage": STATUS_MESSAGE}

    def look_handler(self) -> dict[str, Any]:
        """The handler that runs behind the turn and may wake the model."""
        return self._call(SECOND_LOOK) | {
            "asyncRewake": True,
            "rewakeSummary": WAKE_SUMMARY,
            "timeout": LOOK_SECONDS,
        }

    def notes_handler(self) -> dict[str, Any]:
        """The handler that tells the user what a look has left."""
        return self._call(NOTES) | {"timeout": TIMEOUT_SECONDS}

    def _call(self, *words: str) -> dict[str, Any]:
        args = ["-I", "-S", self.file, *words]
        return {"type": "command", "command": self.interpreter, "args": args}


def role_of(handler: dict[str, Any]) -> str:
    """Which entry of the hook a handler of ours is: one of ``SECOND_LOOK``, ``NOTES``, or ""."""
    args = handler.get("args")
    words = args if isinstance(args, list) else str(handler.get("command", "")).split()
    return next((one for one in (SECOND_LOOK, NOTES) if one in words), "")


def is_shim(path: str) -> bool:
    """Whether ``path`` is a version manager's stand-in, which costs nine starts of Python."""
    if "shims" in path.replace("\\", "/").split("/"):
        return True
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def real_interpreter(executable: str, prefixes: tuple[str, ...], version: str) -> str:
    """The interpreter to register: ``executable`` itself, or the one behind a shim.

    Links are not resolved: one of them is what makes a virtual environment, and others (Homebrew)
    outlive the file that they point to. Raises InstallError when no real one is found.
    """
    if executable and not is_shim(executable):
        return os.path.abspath(executable)
    for prefix in prefixes:
        path = os.path.join(prefix, "bin", f"python{version}")
        if os.path.isfile(path):
            return path
    raise InstallError(
        f"{executable or 'this Python'} is a version manager's shim and the interpreter behind it "
        "was not found; install groundwire into a virtual environment and run it from there"
    )


def current_entry() -> Entry:
    """The entry of the running groundwire. Raises InstallError when it cannot be registered."""
    file = os.path.join(os.path.dirname(os.path.abspath(groundwire.__file__)), "hook", "run.py")
    if not os.path.isfile(file):
        raise InstallError(f"{file} is missing; install groundwire again")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    prefixes = (sys.prefix, sys.base_prefix)
    return Entry(real_interpreter(sys.executable, prefixes, version), file)


def where() -> str:
    """Version, interpreter and file of the running groundwire, a line each."""
    entry = current_entry()
    return f"{groundwire.__version__}\n{entry.interpreter}\n{entry.file}\n"


if __name__ == "__main__":
    sys.stdout.write(where())
