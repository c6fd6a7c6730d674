"""Entry point of the judge's process: ``python -I ask_main.py``, a request on stdin.

The hook starts it with the interpreter and the environment that it has itself, but with the
installed packages; the folder of groundwire's packages is added because the hook may not run from
an installation. It prints one JSON object. A signal to end cancels the request, and with it the
client that may be at work; so does the end of the hook.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time

_WATCH_SECONDS = 0.5


def main() -> int:
    """Answer the request on standard input."""
    started = time.monotonic()
    _set_signals()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.insert(0, package)
    try:
        from groundwire_judge.answer import answer_fields
        from groundwire_judge.ask import answered

        fields = answer_fields(answered(json.load(sys.stdin), os.environ, started))
    except Exception as error:  # its text may hold what was sent, so only its kind is told
        fields = {"problem": f"the judge failed: {type(error).__name__}"}
    json.dump(fields, sys.stdout)
    return 0


def _set_signals() -> None:
    """Let signals to end raise, and children be waited for, whatever the hook inherited."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    if hasattr(signal, "SIGCHLD"):
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _end_with(parent: int) -> None:
    """End this process when the one that asked has ended."""
    while os.getppid() == parent:
        time.sleep(_WATCH_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
