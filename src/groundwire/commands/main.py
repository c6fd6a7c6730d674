"""The command line's root: finds the command and turns expected errors into messages.

Only the command that was asked for is loaded. The overview, the version, ``statusline`` and an
ordinary ``scan`` do without typer, which takes several times as long as Python's own start.
"""

from __future__ import annotations

import io
import os
import sys

from groundwire.base.errors import GroundwireError, UsageError
from groundwire.base.version import __version__
from groundwire.commands.commands import FORMER, all_commands, command_named, overview

_COMPLETION = ("--install-completion", "--show-completion")


def main() -> int:
    """Run the command line; expected errors are printed without a traceback, exit code 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a character that cannot be shown is no failure
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return run(sys.argv[1:])
    except GroundwireError as error:
        print(f"groundwire: {error}", file=sys.stderr)  # noqa: T201
        return 2
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; raises GroundwireError."""
    first, *rest = arguments or [""]
    if "_GROUNDWIRE_COMPLETE" in os.environ or first in _COMPLETION:
        from groundwire.commands.application import run_typer

        return run_typer(arguments, all_commands().values())
    if first == "help" and rest:
        return run([*rest, "--help"])
    if first in ("", "-h", "--help", "help"):
        sys.stdout.write(overview())
        return 0 if first else 2
    if first in ("-V", "--version"):
        sys.stdout.write(f"groundwire {__version__}\n")
        return 0
    if first in FORMER:
        now = " ".join(FORMER[first])
        print(f"groundwire: {first} is now groundwire {now}", file=sys.stderr)  # noqa: T201
        return run([*FORMER[first], *rest])
    command = command_named(first)
    if command is None:
        raise UsageError(_unknown(first))
    if first == "scan":
        from groundwire.commands.scan_run import quick_scan

        code = quick_scan(rest)
        if code is not None:
            return code
    if first == "statusline" and not rest:
        from groundwire.commands.statusline import statusline

        statusline()
        return 0
    from groundwire.commands.application import run_typer

    if first == "install" and "--trial" in rest:
        from groundwire.commands.install import with_turns

        arguments = with_turns(arguments)
    return run_typer(arguments, [command])


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    noun = "option" if name.startswith("-") else "command"
    known = all_commands() if noun == "command" else ()
    near = [f"; did you mean {command}?" for command in get_close_matches(name, known, 1)]
    return f"no such {noun}: {name}{''.join(near)} (groundwire --help lists the commands)"


if __name__ == "__main__":
    raise SystemExit(main())
