"""The hook's one file: ``<interpreter> -I -S .../groundwire/hook/run.py`` with the event on stdin.

``-I -S`` leaves out the ``site`` module, which costs a fifth of the start; so this file puts the
package and the installed libraries on the path itself. Whatever happens, the exit code is 0 and
stdout holds one JSON object or nothing: a failure lets the turn end and is told on stderr and in
the log.
"""

from __future__ import annotations

import os
import sys
import time


def _search_path() -> list[str]:
    """Return the folders of groundwire and of its libraries.

    In a wheel install they are the same folder. An editable install keeps the libraries in the
    environment of the interpreter.
    """
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environment = os.path.dirname(os.path.dirname(sys.executable))
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    return [here, os.path.join(environment, "lib", version, "site-packages")]


def _add_search_path() -> None:
    sys.path[:0] = [folder for folder in _search_path() if folder not in sys.path]


def _answer() -> tuple[str, str]:
    """Return stdout and stderr for the event on stdin."""
    from groundwire.hook.stdin import read_event_bytes
    from groundwire.service.hook import Reply, failure_record, handle, log_reply

    data = read_event_bytes(0)
    try:
        reply = handle(data, os.environ, time.time())
        error = ""
    except Exception as failure:  # the turn ends, whatever went wrong
        error = f"{type(failure).__name__}: {failure}"
        reply = Reply("", failure_record(error, {}))
    problem = log_reply(reply, os.environ)
    return reply.output, "; ".join(filter(None, (error, problem)))


def main() -> int:
    """Answer one event; return 0. ``--where`` prints what has to be registered."""
    if sys.flags.no_site:
        _add_search_path()
    if sys.argv[1:] == ["--where"]:
        from groundwire.install.entry import where

        sys.stdout.write(where())
        return 0
    try:
        output, error = _answer()
    except BaseException as failure:  # a broken installation, or a signal: the turn ends
        output, error = "", f"{type(failure).__name__}: {failure}"
    try:
        if output:
            os.write(1, output.encode("ascii") + b"\n")
        if error:
            os.write(2, f"groundwire: turn not checked: {error}\n".encode("ascii", "replace"))
    except OSError:
        pass  # nobody reads any more
    return 0


if __name__ == "__main__":
    main()
    os._exit(0)
