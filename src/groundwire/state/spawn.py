"""Starting a process that outlives this one and holds none of its pipes."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def spawn_detached(command: Sequence[str], env: Mapping[str, str]) -> int:
    """Run ``command`` in a session of its own, standard streams on the null device.

    Returns the process id. Raises OSError when it cannot be started. Claude Code waits for
    whoever holds a hook's output open, so nothing of it may be inherited.
    """
    null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    arguments, variables = list(command), dict(env)
    try:
        return os.posix_spawn(command[0], arguments, variables, file_actions=null, setsid=True)
    except NotImplementedError:  # older systems: its own process group is the next best
        return os.posix_spawn(command[0], arguments, variables, file_actions=null, setpgroup=0)
