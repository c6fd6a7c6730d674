"""The server as the command hook starts it, with its port; it prints nothing.

Without a port it answers on the Unix socket.
"""

from __future__ import annotations

import os
import sys

from groundwire.base.errors import ServerError
from groundwire_server.resident.serve import note, serve


def main() -> int:
    """Serve until the end; what keeps it from that stands in the decision log."""
    try:
        if sys.argv[1:]:
            serve(int(sys.argv[1]), os.environ, lambda _: None)
        else:
            from groundwire_server.resident.local import serve_local

            serve_local(os.environ)
    except ServerError as error:
        told = ", turns end unchecked" if sys.argv[1:] else ""
        note(f"the resident server cannot be started{told}: {error}", os.environ)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
