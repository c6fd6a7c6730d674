"""The server as the command hook starts it: ``python -m groundwire.server PORT``; says nothing."""

from __future__ import annotations

import os
import sys

from groundwire.errors import ServerError
from groundwire.server.serve import note, serve


def main() -> int:
    """Serve until the end; what keeps it from that stands in the decision log."""
    try:
        serve(int(sys.argv[1]), os.environ, lambda _: None)
    except ServerError as error:
        note(f"the resident server cannot be started, turns end unchecked: {error}", os.environ)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
