"""The server as the command hook starts it, with its port; it prints nothing."""

from __future__ import annotations

import os
import sys

from groundwire.base.errors import ServerError
from groundwire_server.resident.serve import note, serve


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
