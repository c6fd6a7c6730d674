"""Entry point of the judge's process: ``python -I opinion_main.py``, a request on stdin.

The hook starts it with the interpreter and the environment that it has itself, but with the
installed packages; groundwire's own folder is added because the hook may not run from an
installation. It prints one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
import time


def main() -> int:
    """Answer the request on standard input."""
    started = time.monotonic()
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path.insert(0, os.path.dirname(package))
    try:
        from groundwire.judge.opinion import second_opinion

        answer = second_opinion(json.load(sys.stdin), os.environ, started)
    except Exception as error:  # its text may hold what was sent, so only its kind is told
        answer = {"problem": f"the judge failed: {type(error).__name__}"}
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
